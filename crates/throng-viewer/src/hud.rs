//! Texts over the picture: the keys, the result, notices.

use super::input::{HELP, REPLAY_HELP};
use super::pen::{ADVANCE_PER_SIZE, BRIGHT, DIM, PADDING_PX, Pen, Plates, bright, color, grouped, short};
use super::{Theme, palette};
use ggez::GameResult;
use ggez::graphics::{Canvas, GraphicsContext};
use throng_grid::geom::Vec2;
use throng_sim::world::{ArmyCount, Frame, Verdict};

/// The state of the window beside the frame.
pub(super) struct Status<'a> {
    pub help: bool,
    /// Why the simulation ended early.
    pub failure: Option<&'a str>,
    /// News, such as where a picture was saved.
    pub notice: Option<&'a str>,
    /// The content is a recording.
    pub replay: bool,
    /// How the battle looks.
    pub theme: Theme,
    /// The part of the window that the panels leave to the map: its upper left corner and its size (pixels).
    pub free: [Vec2; 2],
}

/// Draws in logical pixels.
#[derive(Default)]
pub(super) struct Hud {
    plates: Plates,
}

/// How the battle ended, in words: "red wins", "draw".
pub(super) fn result(frame: &Frame) -> Option<String> {
    Some(match frame.verdict? {
        Verdict::Winner(army) => {
            let name = frame.armies.get(usize::from(army.0)).map_or("an unknown army", |army| army.name.as_str());
            format!("{name} wins")
        }
        Verdict::Draw => "draw".to_owned(),
    })
}

impl Hud {
    /// Draws everything with `scale` pixels a logical one.
    pub fn draw(
        &mut self,
        gfx: &GraphicsContext,
        canvas: &mut Canvas,
        scale: f32,
        frame: &Frame,
        status: &Status,
    ) -> GameResult {
        let mut pen = Pen { gfx, canvas, plates: &mut self.plates, scale };
        let [corner, size] = status.free.map(|pixels| pixels / scale);
        banner(&mut pen, [corner, size], frame, status)?;
        if status.help {
            pen.help(if status.replay { &REPLAY_HELP } else { &HELP[..] }, [corner, size])?;
        } else {
            pen.pill("F1  help", corner.x + PADDING_PX, corner.y + size.y - 38.0, DIM)?;
        }
        Ok(())
    }
}

/// The result or a failure at the top, news at the bottom.
fn banner(pen: &mut Pen, [corner, size]: [Vec2; 2], frame: &Frame, status: &Status) -> GameResult {
    let middle = corner.x + size.x / 2.0;
    if let Some(notice) = status.notice {
        let notice = &short(notice, ((size.x - 40.0) / (14.0 * ADVANCE_PER_SIZE)).max(1.0) as usize);
        let x = middle - pen.width(notice, 14.0).midpoint(22.0);
        pen.pill(notice, x, corner.y + size.y - 38.0, BRIGHT)?;
    }
    let (headline, line, ink) = if let Some(failure) = status.failure {
        ("the simulation has stopped".to_owned(), failure.to_owned(), [213, 94, 0])
    } else if let Some(result) = result(frame) {
        let ink = match frame.verdict {
            Some(Verdict::Winner(army)) => palette::army_of(frame, status.theme, army.0.into()),
            _ => [214, 204, 180],
        };
        let sum = |of: fn(&ArmyCount) -> u32| grouped(frame.armies.iter().map(|army| u64::from(of(army))).sum());
        let line =
            format!("after {:.0} s: {} alive, {} dead", frame.time, sum(|army| army.alive), sum(|army| army.dead));
        (result, line, ink)
    } else {
        return Ok(());
    };
    let (room, top) = (size.x - 2.0 * PADDING_PX, corner.y + 2.0 * PADDING_PX);
    let line = short(&line, ((room - 60.0) / (16.0 * ADVANCE_PER_SIZE)).max(1.0) as usize);
    let letters = 42.0_f32.min((room - 60.0) / (headline.chars().count() as f32 * ADVANCE_PER_SIZE));
    let wide = pen.width(&headline, letters).max(pen.width(&line, 16.0)) + 60.0;
    let x = middle - wide / 2.0;
    pen.plate(x, top, [wide, 108.0])?;
    pen.bar(x + 30.0, top + 66.0, wide - 60.0, 3.0, color(ink));
    pen.text_centred(&headline, middle, top + 38.0 - letters / 2.0, letters, bright(ink));
    pen.text_centred(&line, middle, top + 77.0, 16.0, BRIGHT);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_sim::world::ArmyId;

    #[test]
    fn results_are_named() {
        let armies =
            ["red", "blue"].map(|name| ArmyCount { name: name.into(), alive: 1, ..ArmyCount::default() }).to_vec();
        let mut frame = Frame { armies, ..Frame::default() };
        assert_eq!(result(&frame), None);
        frame.verdict = Some(Verdict::Winner(ArmyId(1)));
        assert_eq!(result(&frame).as_deref(), Some("blue wins"));
        frame.verdict = Some(Verdict::Draw);
        assert_eq!(result(&frame).as_deref(), Some("draw"));
    }
}
