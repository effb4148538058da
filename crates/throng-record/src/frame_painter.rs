//! What paints the frames of a run in true colour.

use super::{ColourPicture, FrameRenderer, Picture};
use throng_sim::world::Frame;

/// Paints the states of one run in true colour, all in one size; see [`Film::with_painter`](crate::Film::with_painter).
pub trait FramePainter: std::fmt::Debug {
    /// Takes in a state of the run, whether it is painted or not: the present map and the deaths. States come in their order.
    fn show(&mut self, frame: &Frame);

    /// The picture of the state that was shown last.
    fn paint(&mut self, frame: &Frame) -> ColourPicture;

    /// Colours that a film must have as they are: those of armies and of the caption. At most 32 or so; each takes one of the
    /// 255 of a film.
    fn required_colours(&self) -> Vec<[u8; 3]>;
}

/// A picture of either kind.
#[derive(Debug)]
pub(super) enum Sheet {
    Indexed(Picture),
    Coloured(ColourPicture),
}

impl Sheet {
    pub fn size(&self) -> (u32, u32) {
        match self {
            Self::Indexed(picture) => (picture.width, picture.height),
            Self::Coloured(picture) => (picture.width, picture.height),
        }
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Indexed(picture) => &picture.pixels,
            Self::Coloured(picture) => picture.pixels.as_flattened(),
        }
    }
}

/// Draws or paints the frames of one run.
#[derive(Debug)]
pub(super) enum Artist {
    Plan(Box<FrameRenderer>),
    Painter(Box<dyn FramePainter>),
}

impl Artist {
    pub fn show(&mut self, frame: &Frame) {
        match self {
            Self::Plan(renderer) => renderer.show(frame),
            Self::Painter(painter) => painter.show(frame),
        }
    }

    pub fn draw(&mut self, frame: &Frame) -> Sheet {
        match self {
            Self::Plan(renderer) => Sheet::Indexed(renderer.draw(frame)),
            Self::Painter(painter) => Sheet::Coloured(painter.paint(frame)),
        }
    }
}
