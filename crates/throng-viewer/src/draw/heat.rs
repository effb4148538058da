//! Maps of heat over the map: how dense the crowd is, how far the walls are.

use super::ink::{color, upload};
use super::palette::PLAIN;
use super::style::{MIN_TEXT_PX, PLATE, TEXT};
use egui::{Align2, Color32, ColorImage, FontId, Painter, Pos2, Rect, TextureHandle, TextureId, pos2, vec2};
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

/// The quantity of a heat map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Heat {
    #[default]
    None,
    /// Agents a square metre.
    Density,
    /// Distance to the nearest wall.
    Clearance,
}

/// The longest side of the picture (pixels).
const MAX_SIDE_PX: f32 = 256.0;

/// The density of a packed crowd (agents a square metre).
const PACKED_PER_M2: f32 = 4.0;

/// The greatest distance from walls that is told apart (m).
const MAX_CLEARANCE_M: f32 = 12.0;

/// A picture of it on the card.
#[derive(Default)]
pub(crate) struct HeatMap {
    texture: Option<TextureHandle>,
    /// Of what and when.
    of: (Heat, u64),
}

impl HeatMap {
    /// The picture for a frame, made anew where that is another one.
    pub fn of(&mut self, context: &egui::Context, heat: Heat, frame: &Frame) -> Option<TextureId> {
        let moment = match heat {
            Heat::None => return None,
            Heat::Density => frame.tick,
            Heat::Clearance => frame.grid.as_ref().map_or(0, |grid| u64::from(grid.revision())),
        };
        if self.texture.is_none() || self.of != (heat, moment) {
            let image = image(heat, frame)?;
            upload(&mut self.texture, context, "heat", image);
            self.of = (heat, moment);
        }
        self.texture.as_ref().map(TextureHandle::id)
    }
}

/// Draws the picture over the map, which covers `area`.
pub(crate) fn draw(painter: &Painter, picture: TextureId, area: Rect) {
    painter.image(picture, area, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), Color32::WHITE);
}

/// Draws what the colours mean, from a point to the right and down.
pub(crate) fn legend(painter: &Painter, at: Pos2, heat: Heat) {
    let (title, most) = match heat {
        Heat::None => return,
        Heat::Density => ("agents a square metre", PACKED_PER_M2),
        Heat::Clearance => ("metres to the nearest wall", MAX_CLEARANCE_M),
    };
    let font = FontId::proportional(MIN_TEXT_PX);
    let plate = Rect::from_min_size(at, LEGEND_PX);
    painter.rect_filled(plate, 6.0, PLATE);
    painter.text(at + vec2(10.0, 6.0), Align2::LEFT_TOP, title, font.clone(), TEXT);
    let bar = Rect::from_min_size(at + vec2(14.0, 28.0), vec2(LEGEND_PX.x - 34.0, 10.0));
    // As over plain ground.
    painter.rect_filled(bar, 0.0, color(PLAIN));
    for step in 0..LEGEND_STEPS {
        let [left, right] = [step, step + 1].map(|step| bar.left() + bar.width() * step as f32 / LEGEND_STEPS as f32);
        let share = (step as f32 + 0.5) / LEGEND_STEPS as f32;
        painter.rect_filled(Rect::from_x_y_ranges(left..=right, bar.y_range()), 0.0, warm(share));
    }
    for quarter in 0..=4 {
        let share = quarter as f32 / 4.0;
        let more = if quarter == 4 { "+" } else { "" };
        let place = pos2(bar.left() + bar.width() * share, bar.bottom() + 3.0);
        painter.text(place, Align2::CENTER_TOP, format!("{:.0}{more}", share * most), font.clone(), TEXT);
    }
}

/// Size of a legend (points), and the steps of its bar.
const LEGEND_PX: egui::Vec2 = vec2(216.0, 62.0);
const LEGEND_STEPS: usize = 48;

fn image(heat: Heat, frame: &Frame) -> Option<ColorImage> {
    let grid = frame.grid.as_deref()?;
    let size = grid.lattice().size();
    let side = (size.max_element() / MAX_SIDE_PX).max(1.0);
    let [width, height] = (size / side).ceil().max(Vec2::ONE).to_array().map(|pixels| pixels as usize);
    let shares: Vec<f32> = match heat {
        Heat::None => return None,
        Heat::Density => {
            let mut counts = vec![0.0_f32; width * height];
            for at in &frame.position {
                let [x, y] = (*at / side).to_array();
                counts[(y as usize).min(height - 1) * width + (x as usize).min(width - 1)] += 1.0;
            }
            let packed = PACKED_PER_M2 * side * side;
            counts.into_iter().map(|count| count / packed).collect()
        }
        Heat::Clearance => {
            let clearance = grid.clearance();
            let at = |i: usize| Vec2::new((i % width) as f32 + 0.5, (i / width) as f32 + 0.5) * side;
            let places = (0..width * height).map(|i| at(i).min(size - 0.01));
            places.map(|at| clearance[grid.lattice().at(at)] / MAX_CLEARANCE_M).collect()
        }
    };
    let pixels = shares.into_iter().map(|share| warm(share.clamp(0.0, 1.0))).collect();
    Some(ColorImage::new([width, height], pixels))
}

/// From nothing over blue and yellow to red.
fn warm(share: f32) -> Color32 {
    let stops =
        [(0.0, [0, 114, 178, 0]), (0.08, [0, 114, 178, 110]), (0.5, [240, 228, 66, 170]), (1.0, [213, 30, 0, 215])];
    let above = stops.iter().position(|&(stop, _)| share <= stop).unwrap_or(stops.len() - 1).max(1);
    let ((low, from), (high, to)) = (stops[above - 1], stops[above]);
    let part = ((share - low) / (high - low)).clamp(0.0, 1.0);
    let mix = |i: usize| (f32::from(from[i] as u8) + (f32::from(to[i] as u8) - f32::from(from[i] as u8)) * part) as u8;
    Color32::from_rgba_unmultiplied(mix(0), mix(1), mix(2), mix(3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use throng_grid::{Grid, Lattice};

    #[test]
    fn legends_can_be_read() {
        for heat in [Heat::Density, Heat::Clearance] {
            let lay = |ui: &mut egui::Ui, _: &mut crate::shell::panel_output::PanelOutput<()>| {
                legend(ui.painter(), pos2(20.0, 50.0), heat);
            };
            assert_eq!(crate::shell::layout_check::troubles([640.0, 360.0], lay), [""; 0]);
        }
    }

    #[test]
    fn a_crowd_is_hot_where_it_stands() {
        let frame = Frame {
            grid: Some(Arc::new(Grid::open_plain(Lattice::new(8, 4, 1.0).unwrap()))),
            position: vec![Vec2::new(2.5, 1.5); 4],
            ..Frame::default()
        };
        let image = image(Heat::Density, &frame).unwrap();
        assert_eq!((image.size, image.pixels[0], image.pixels[8 + 2]), ([8, 4], warm(0.0), warm(1.0)));
        assert_eq!(warm(0.0).a(), 0);
        assert!(warm(1.0).r() > 150);
        assert!(super::image(Heat::None, &frame).is_none());
    }
}
