//! The line at the bottom that leads to any moment of a recording.

use super::palette;
use super::pen::{ADVANCE, BRIGHT, DIM, PADDING, Pen, TROUGH, color, grouped};
use crate::world::Frame;
use ggez::GameResult;

/// Height of the strip that takes the mouse (logical pixels).
pub(super) const HEIGHT: f32 = 40.0;

/// Size of its letters.
const LETTERS: f32 = 13.0;

/// Where the line is in a window of this width (logical pixels): from, to.
fn ends(width: f32) -> [f32; 2] {
    // The times before and after it.
    let room = 2.0 * PADDING + 9.0 * LETTERS * ADVANCE;
    [room, (width - room).max(room + 1.0)]
}

/// True where the mouse is on the strip, in a window of this size (logical pixels).
pub(super) fn is_on([_, y]: [f32; 2], height: f32) -> bool {
    y >= height - HEIGHT
}

/// The tick that a place (logical pixels) on the line stands for.
pub(super) fn tick_at(x: f32, width: f32, [first, last]: [u64; 2]) -> u64 {
    let [from, to] = ends(width);
    let share = f64::from(((x - from) / (to - from)).clamp(0.0, 1.0));
    first.saturating_add((share * last.saturating_sub(first) as f64).round() as u64).min(last)
}

/// Draws it, with the time of this moment before it and the last tick behind it.
pub(super) fn draw(pen: &mut Pen, [width, height]: [f32; 2], [first, last]: [u64; 2], frame: &Frame) -> GameResult {
    let [from, to] = ends(width);
    let middle = height - HEIGHT / 2.0;
    pen.plate(PADDING / 2.0, height - HEIGHT + 2.0, [width - PADDING, HEIGHT - 6.0])?;
    let share = frame.tick.saturating_sub(first) as f64 / last.saturating_sub(first).max(1) as f64;
    let at = from + (to - from) * share.clamp(0.0, 1.0) as f32;
    pen.bar(from, middle - 3.0, to - from, 4.0, TROUGH);
    pen.bar(from, middle - 3.0, at - from, 4.0, color(palette::army(4)));
    pen.disc(at, middle - 1.0, 8.0, BRIGHT)?;
    pen.text_right(&format!("{:.1} s", frame.time), from - PADDING, middle - 8.0, LETTERS, BRIGHT);
    pen.text(&grouped(last), to + PADDING, middle - 8.0, LETTERS, DIM);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_ticks() {
        let width = 1280.0;
        let [from, to] = ends(width);
        let ticks = [0.0, from, f32::midpoint(from, to), to, width].map(|x| tick_at(x, width, [100, 300]));
        assert_eq!(ticks, [100, 100, 200, 300, 300]);
        assert_eq!(tick_at(5.0, 1.0, [0, u64::MAX]), 0);
        assert!(is_on([3.0, 719.0], 720.0) && !is_on([3.0, 600.0], 720.0));
    }
}
