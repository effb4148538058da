//! What is written over the picture: numbers, the keys, the result.

use super::input::{HELP, REPLAY_HELP};
use super::palette;
use super::pen::{ADVANCE, BRIGHT, DIM, PADDING, Pen, Plates, TROUGH, bright, color, grouped, short};
use super::simulation::Speed;
use super::time_line;
use crate::world::{ArmyCount, Frame, Stage, Verdict};
use ggez::GameResult;
use ggez::graphics::{Canvas, GraphicsContext};

/// Inner width of the panel (logical pixels).
const WIDTH: f32 = 236.0;
/// Width that the panel of numbers takes at the left edge (logical pixels).
pub(super) const TAKEN: f32 = WIDTH + 3.0 * PADDING;

/// What the window knows beside the frame.
pub(super) struct Status<'a> {
    pub title: &'a str,
    pub frames_per_second: f32,
    pub ticks_per_second: f32,
    pub speed: Speed,
    pub paused: bool,
    pub help: bool,
    /// Why the simulation ended early.
    pub failure: Option<&'a str>,
    /// News, such as where a picture was saved.
    pub notice: Option<&'a str>,
    /// The first and the last tick of a recording.
    pub span: Option<[u64; 2]>,
}

/// Draws in logical pixels.
#[derive(Default)]
pub(super) struct Hud {
    plates: Plates,
}

/// Height of the panel of numbers.
fn numbers_height(frame: &Frame, status: &Status) -> f32 {
    let head = 104.0 + 40.0 * frame.armies.len() as f32;
    // How long ticks took is not in a recording.
    if status.span.is_some() { head } else { head + 30.0 + 17.0 * Stage::COUNT as f32 }
}

/// How the battle ended, in words: "red wins", "draw".
pub(super) fn result(frame: &Frame) -> Option<String> {
    Some(match frame.verdict? {
        Verdict::Winner(army) => {
            let name = frame.armies.get(usize::from(army.0)).map_or("nobody", |army| army.name.as_str());
            format!("{name} wins")
        }
        Verdict::Draw => "draw".to_owned(),
    })
}

impl Hud {
    /// Draws everything for a window of `size` pixels with `scale` pixels a logical one.
    pub fn draw(
        &mut self,
        gfx: &GraphicsContext,
        canvas: &mut Canvas,
        (size, scale): ([f32; 2], f32),
        frame: &Frame,
        status: &Status,
    ) -> GameResult {
        let [width, height] = size.map(|pixels| pixels / scale);
        let mut pen = Pen { gfx, canvas, plates: &mut self.plates, scale };
        numbers(&mut pen, frame, status)?;
        banner(&mut pen, [width, height], frame, status)?;
        let bottom = height - if status.span.is_some() { time_line::HEIGHT } else { 0.0 };
        if let Some(span) = status.span {
            time_line::draw(&mut pen, [width, height], span, frame)?;
        }
        if status.help {
            pen.help(if status.span.is_some() { &REPLAY_HELP } else { &HELP[..] }, [width, height])?;
        } else {
            pen.pill("H  help", PADDING, bottom - 38.0, DIM)?;
        }
        Ok(())
    }
}

/// The panel in the upper left corner.
fn numbers(pen: &mut Pen, frame: &Frame, status: &Status) -> GameResult {
    let (left, mut y) = (2.0 * PADDING, 2.0 * PADDING);
    let right = left + WIDTH;
    pen.plate(PADDING, PADDING, [WIDTH + 2.0 * PADDING, numbers_height(frame, status)])?;
    pen.text(&short(status.title, 24), left, y, 19.0, BRIGHT);
    y += 28.0;
    pen.text(&format!("tick {}", grouped(frame.tick)), left, y, 15.0, BRIGHT);
    pen.text_right(&format!("{:.1} s", frame.time), right, y, 15.0, DIM);
    y += 19.0;
    let pace = if status.paused { "paused".to_owned() } else { format!("speed {}", status.speed) };
    pen.text(&pace, left, y, 15.0, if status.paused { bright(palette::army(4)) } else { BRIGHT });
    let rates = format!("{:.0} ticks/s  {:.0} fps", status.ticks_per_second, status.frames_per_second);
    pen.text_right(&rates, right, y, 13.0, DIM);
    y += 31.0;
    for (index, army) in frame.armies.iter().enumerate() {
        let rgb = palette::army(index);
        pen.text(&short(&army.name, 12), left, y, 15.0, bright(rgb));
        let dead = format!("{} dead", grouped(army.dead.into()));
        pen.text_right(&dead, right, y + 1.0, 13.0, DIM);
        let alive = format!("{} alive", grouped(army.alive.into()));
        pen.text_right(&alive, right - pen.width("10 000 dead", 13.0) - 6.0, y, 15.0, BRIGHT);
        let share = army.alive as f32 / (army.alive + army.dead).max(1) as f32;
        pen.bar(left, y + 20.0, WIDTH, 8.0, TROUGH);
        pen.bar(left, y + 20.0, WIDTH * share, 8.0, color(rgb));
        y += 40.0;
    }
    if status.span.is_some() {
        return Ok(());
    }
    y += 4.0;
    pen.text("one tick", left, y, 14.0, BRIGHT);
    pen.text_right(&format!("{:.2} ms", frame.tick_ms), right, y, 14.0, BRIGHT);
    y += 22.0;
    let longest = frame.stage_ms.iter().copied().fold(1.0, f32::max);
    for stage in Stage::ALL {
        let time = frame.stage_ms[stage as usize];
        pen.text(stage.name(), left, y, 13.0, DIM);
        pen.bar(left + 84.0, y + 4.0, 92.0, 6.0, TROUGH);
        pen.bar(left + 84.0, y + 4.0, 92.0 * time / longest, 6.0, DIM);
        pen.text_right(&format!("{time:.2}"), right, y, 13.0, DIM);
        y += 17.0;
    }
    Ok(())
}

/// The result or a failure beside the numbers, or below them in a narrow window; news at the bottom.
fn banner(pen: &mut Pen, [width, height]: [f32; 2], frame: &Frame, status: &Status) -> GameResult {
    if let Some(notice) = status.notice {
        let x = (width - pen.width(notice, 14.0) - 22.0) / 2.0;
        let taken = if status.span.is_some() { time_line::HEIGHT } else { 0.0 };
        pen.pill(notice, x, height - taken - 38.0, BRIGHT)?;
    }
    let (headline, line, ink) = if let Some(failure) = status.failure {
        ("the simulation has stopped".to_owned(), failure.to_owned(), [213, 94, 0])
    } else if let Some(result) = result(frame) {
        let ink = match frame.verdict {
            Some(Verdict::Winner(army)) => palette::army(army.0.into()),
            _ => [214, 204, 180],
        };
        let sum = |of: fn(&ArmyCount) -> u32| grouped(frame.armies.iter().map(|army| u64::from(of(army))).sum());
        let line =
            format!("after {:.0} s: {} alive, {} dead", frame.time, sum(|army| army.alive), sum(|army| army.dead));
        (result, line, ink)
    } else {
        return Ok(());
    };
    let beside = WIDTH + 4.0 * PADDING;
    let (left, top) = if width > 860.0 { (beside, 2.0 * PADDING) } else { (0.0, numbers_height(frame, status) + 42.0) };
    let room = width - left - 2.0 * PADDING;
    let line = short(&line, ((room - 60.0) / (16.0 * ADVANCE)).max(1.0) as usize);
    let size = 42.0_f32.min((room - 60.0) / (headline.chars().count() as f32 * ADVANCE));
    let wide = pen.width(&headline, size).max(pen.width(&line, 16.0)) + 60.0;
    let (x, middle) = (left + (width - left - wide) / 2.0, left + (width - left) / 2.0);
    pen.plate(x, top, [wide, 108.0])?;
    pen.bar(x + 30.0, top + 66.0, wide - 60.0, 3.0, color(ink));
    pen.text_centred(&headline, middle, top + 38.0 - size / 2.0, size, bright(ink));
    pen.text_centred(&line, middle, top + 77.0, 16.0, BRIGHT);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::ArmyId;

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
