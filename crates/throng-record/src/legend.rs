//! The legend below the map: the time, the armies, the colours, a scale bar.

use super::caption::Caption;
use super::density::HEAT_STEP_PER_M2;
use super::{Overlays, Picture, font, palette};
use throng_sim::world::{ArmyCount, Verdict};

/// Between two pieces (dots), and in the caption of a battle.
const ENTRY_GAP_DOTS: u32 = 14;
const CAPTION_GAP_DOTS: u32 = 12;

/// Height of the bar of those of an army that live, and from the letters to it (dots).
const BAR_HEIGHT_DOTS: u32 = 2;
const BAR_GAP_DOTS: u32 = 2;

/// From one line to the next, and above and below them (dots).
const LINE_HEIGHT_DOTS: u32 = font::HEIGHT + 5;
const MARGIN: u32 = 5;

/// The most lines: lines without a place are left out.
const MAX_LINES: u32 = 6;

/// Letters of a name that are shown.
const MAX_NAME_LETTERS: usize = 16;

/// A piece of the legend.
#[derive(Debug)]
enum Piece {
    /// The time, and the tick or how it ended.
    Clock,
    /// A colour, a name and how many live.
    Army(usize),
    Heat,
    Ways,
    Scale,
}

/// Where the pieces of the legend stand, the same in all pictures of a run.
#[derive(Debug)]
pub(super) struct Legend {
    /// The side of a dot of the font (pixels).
    size: u32,
    lines: u32,
    /// Each with its left edge and its line.
    pieces: Vec<(Piece, u32, u32)>,
    scale: Option<ScaleBar>,
    /// Of the caption of a battle: how wide the bars of the armies are (dots), by army. A plan has none.
    bars: Vec<u32>,
}

impl Legend {
    /// For pictures `width` pixels wide with `scale` pixels a metre, of a run of these armies.
    pub fn new(armies: &[ArmyCount], overlays: Overlays, scale: f32, width: u32) -> Self {
        let size = dot(width);
        let scale = ScaleBar::new(scale, width / 5, size);
        let mut wanted = vec![(Piece::Clock, clock_width(armies, "9999.9 s ", "tick 99999"))];
        wanted.extend(armies.iter().enumerate().map(|(index, army)| (Piece::Army(index), army_width(army))));
        Self::of(wanted, overlays, scale, size, width, ENTRY_GAP_DOTS)
    }

    /// The caption of a battle: the armies first, under each a bar of those that live.
    pub fn caption(armies: &[ArmyCount], overlays: Overlays, scale: f32, width: u32) -> Self {
        let size = dot(width);
        let scale = ScaleBar::new(scale, width / 8, size);
        let bars: Vec<u32> = armies.iter().map(army_width).collect();
        let mut wanted: Vec<(Piece, u32)> =
            bars.iter().enumerate().map(|(army, &wide)| (Piece::Army(army), wide)).collect();
        wanted.push((Piece::Clock, clock_width(armies, "999.9 s ", "")));
        Self { bars, ..Self::of(wanted, overlays, scale, size, width, CAPTION_GAP_DOTS) }
    }

    fn of(
        mut wanted: Vec<(Piece, u32)>,
        overlays: Overlays,
        scale: Option<ScaleBar>,
        size: u32,
        width: u32,
        gap: u32,
    ) -> Self {
        if overlays.density {
            wanted.push((
                Piece::Heat,
                letters(DENSITY_TEXT.len() + heat_to().len() + 1) + u32::from(palette::HEATS) * RAMP_STEP_DOTS + 6,
            ));
        }
        if overlays.routes {
            wanted.push((Piece::Ways, ROUTE_SAMPLE_DOTS + letters(ROUTES_TEXT.len())));
        }
        if let Some(scale) = &scale {
            wanted.push((Piece::Scale, scale.pixels.div_ceil(size) + 4 + letters(scale.label.chars().count())));
        }
        let (right, mut x, mut line) = ((width / size).saturating_sub(MARGIN), MARGIN, 0);
        let mut pieces = Vec::new();
        for (piece, wide) in wanted {
            if x > MARGIN && x + wide > right {
                (x, line) = (MARGIN, line + 1);
            }
            // The scale bar stands at the right.
            let left = if matches!(piece, Piece::Scale) { x.max(right.saturating_sub(wide)) } else { x };
            if line < MAX_LINES {
                pieces.push((piece, left * size, line));
            }
            x += wide + gap;
        }
        Self { size, lines: (line + 1).min(MAX_LINES), pieces, scale, bars: Vec::new() }
    }

    /// How high it is (pixels).
    pub fn height(&self) -> u32 {
        ((self.lines - 1) * self.line_height() + font::HEIGHT + 2 * MARGIN + self.bar_height()) * self.size
    }

    /// Height of the bars below letters, if there are any (dots).
    fn bar_height(&self) -> u32 {
        if self.bars.is_empty() { 0 } else { BAR_HEIGHT_DOTS }
    }

    /// From one line to the next (dots).
    fn line_height(&self) -> u32 {
        LINE_HEIGHT_DOTS + self.bar_height()
    }

    /// Draws it into the rows of a picture from `top` on.
    pub fn draw(&self, picture: &mut Picture, top: u32, caption: &Caption) {
        let size = self.size;
        let dots = |dots: u32| (dots * size) as i32;
        for (piece, left, line) in &self.pieces {
            let (x, y) = (*left as i32, top as i32 + dots(MARGIN + line * self.line_height()));
            let mut write = |x: i32, text: &str| picture.draw_text(x, y, size, text, palette::TEXT);
            match piece {
                Piece::Clock => {
                    let x = write(x, &format!("{} ", clock(caption.time)));
                    let (text, colour) = match caption.verdict {
                        Some(Verdict::Winner(army)) => {
                            let winner = caption.armies.get(usize::from(army.0)).map_or("", |army| &army.name);
                            (format!("{} won", shortened(winner)), palette::TEXT)
                        }
                        Some(Verdict::Draw) => ("a draw".into(), palette::TEXT),
                        None if self.bars.is_empty() => (format!("tick {}", caption.tick), palette::RULE),
                        None => (String::new(), palette::RULE),
                    };
                    picture.draw_text(x, y, size, &text, colour);
                }
                Piece::Army(army) => {
                    let Some(count) = caption.armies.get(*army) else { continue };
                    let colour = palette::army(*army as u32);
                    if let Some(&wide) = self.bars.get(*army) {
                        let all = u64::from(count.spawned());
                        let wide = (wide * size) as i32;
                        let living = (wide as u64 * u64::from(count.alive)).div_ceil(all.max(1)) as i32;
                        let (top, high) = (y + dots(font::HEIGHT + BAR_GAP_DOTS), dots(BAR_HEIGHT_DOTS));
                        picture.fill(x, top, wide, high, palette::dark(colour));
                        picture.fill(x, top, living, high, colour);
                    }
                    let x = picture.draw_swatch(x, y, size, colour);
                    let text = format!("{} {}", shortened(&count.name), grouped(u64::from(count.alive)));
                    picture.draw_text(x, y, size, &text, palette::bright(colour));
                }
                Piece::Heat => {
                    let mut x = write(x, DENSITY_TEXT);
                    for step in 0..palette::HEATS {
                        picture.fill(x, y, dots(RAMP_STEP_DOTS), dots(font::HEIGHT), palette::HEAT + step);
                        x += dots(RAMP_STEP_DOTS);
                    }
                    picture.draw_text(x + dots(3), y, size, &heat_to(), palette::TEXT);
                }
                Piece::Ways => {
                    let middle = y + dots(font::HEIGHT) / 2;
                    picture.fill(x, middle - dots(1), dots(ROUTE_SAMPLE_DOTS - 4), dots(3), palette::TEXT);
                    picture.fill(x, middle, dots(ROUTE_SAMPLE_DOTS - 4), dots(1), palette::army(0));
                    picture.draw_text(x + dots(ROUTE_SAMPLE_DOTS), y, size, ROUTES_TEXT, palette::TEXT);
                }
                Piece::Scale => {
                    let Some(scale) = &self.scale else { continue };
                    let length = scale.pixels as i32;
                    let floor = y + dots(font::HEIGHT - 1);
                    picture.fill(x, floor, length, dots(1), palette::TEXT);
                    for end in [x, x + length - dots(1)] {
                        picture.fill(end, y + dots(2), dots(1), dots(font::HEIGHT - 2), palette::TEXT);
                    }
                    picture.draw_text(x + length + dots(4), y, size, &scale.label, palette::TEXT);
                }
            }
        }
    }
}

/// Width of so many letters (dots).
fn letters(count: usize) -> u32 {
    font::WIDTH * count as u32 + (count as u32).saturating_sub(1)
}

/// Letters of an army's name that are shown.
fn name_letters(army: &ArmyCount) -> usize {
    army.name.chars().count().min(MAX_NAME_LETTERS)
}

/// The width of an army with its colour and its living (dots).
fn army_width(army: &ArmyCount) -> u32 {
    let most = grouped(u64::from(army.spawned())).len();
    SWATCH_WIDTH_DOTS + letters(name_letters(army) + 1 + most)
}

/// The width of the time and of what follows it: some text, or which army won (dots).
fn clock_width(armies: &[ArmyCount], time: &str, text: &str) -> u32 {
    let longest = armies.iter().map(name_letters).max().unwrap_or(0);
    letters(time.len() + (longest + " won".len()).max(text.len()))
}

/// Width of the colour before a name with its gap, of a step of the colours of density, and of the line before `ROUTES_TEXT` with
/// its gap (dots).
const SWATCH_WIDTH_DOTS: u32 = font::HEIGHT + 4;
const RAMP_STEP_DOTS: u32 = 5;
const ROUTE_SAMPLE_DOTS: u32 = 18;

const DENSITY_TEXT: &str = "agents/m² 0.5 ";
const ROUTES_TEXT: &str = "way to go";

fn heat_to() -> String {
    format!("{}+", HEAT_STEP_PER_M2 * f32::from(palette::HEATS))
}

impl Picture {
    /// Paints a square as high as a letter; returns where text after it starts.
    fn draw_swatch(&mut self, x: i32, y: i32, size: u32, colour: u8) -> i32 {
        let side = (font::HEIGHT * size) as i32;
        self.fill(x, y, side, side, palette::TEXT);
        self.fill(x + size as i32, y + size as i32, side - 2 * size as i32, side - 2 * size as i32, colour);
        x + (SWATCH_WIDTH_DOTS * size) as i32
    }

    /// How many pixels wide the dots of letters are in a picture of this width.
    pub(super) fn dot(&self) -> u32 {
        dot(self.width)
    }
}

/// Letters can be read where the picture is shown smaller than it is.
fn dot(width: u32) -> u32 {
    ((width + 200) / 480).max(1)
}

/// A bar of a round length.
#[derive(Debug, PartialEq)]
pub(super) struct ScaleBar {
    /// Its length (pixels).
    pub pixels: u32,
    /// Its length in metres or kilometres.
    pub label: String,
}

impl ScaleBar {
    /// The longest of 1, 2 or 5 times a power of ten metres that has at most `most` pixels, at `scale` pixels a metre;
    /// `None` where it would be a mere dot of `least` pixels.
    pub fn new(scale: f32, most: u32, least: u32) -> Option<Self> {
        let scale = f64::from(scale);
        let lengths = (-3..7).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
        let metres = lengths.take_while(|metres| metres * scale <= f64::from(most)).last()?;
        let pixels = (metres * scale).round() as u32;
        let label = match metres {
            m if m > 999.0 => format!("{} km", (m / 1000.0).round()),
            m if m > 0.9 => format!("{} m", m.round()),
            m if m > 0.009 => format!("{} cm", (m * 100.0).round()),
            m => format!("{} mm", (m * 1000.0).round()),
        };
        (pixels > 4 * least).then_some(Self { pixels, label })
    }
}

/// As much of a name as there is room for.
fn shortened(name: &str) -> String {
    name.chars().take(MAX_NAME_LETTERS).collect()
}

/// A time (s) as text.
fn clock(seconds: f64) -> String {
    format!("{seconds:.1} s")
}

/// A whole number with its thousands set apart.
pub(super) fn grouped(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", grouped(number / 1000), number % 1000) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_bars_are_round_and_as_long_as_they_say() {
        let bar = |scale, most| ScaleBar::new(scale, most, 1).map(|bar| (bar.pixels, bar.label));
        let of = |pixels, label: &str| Some((pixels, label.to_owned()));
        assert_eq!(bar(2.0, 150), of(100, "50 m"));
        assert_eq!(bar(10.0, 204), of(200, "20 m"));
        assert_eq!(bar(0.25, 153), of(125, "500 m"));
        assert_eq!(bar(0.1, 153), of(100, "1 km"));
        assert_eq!(bar(100.0, 99), of(50, "50 cm"));
        assert_eq!(bar(1.0, 4), None);
        assert_eq!(bar(1e-9, 1000), None);
        for step in 0..600 {
            let scale = 0.001 * 1.02_f32.powi(step);
            let Some(bar) = ScaleBar::new(scale, 200, 1) else { continue };
            assert!((80..=200).contains(&bar.pixels) || !(0.0001..=40_000.0).contains(&scale), "{bar:?} at {scale}");
        }
    }

    #[test]
    fn a_caption_shows_by_bars_how_many_live() {
        let army = |name: &str, alive, dead| ArmyCount { name: name.into(), alive, dead, ..ArmyCount::default() };
        let of = |armies| Caption { time: 64.0, armies, ..Caption::default() };
        let begin = of(vec![army("raiders", 6000, 0), army("guards", 4000, 0)]);
        let now = of(vec![army("raiders", 1500, 4500), army("guards", 0, 4000)]);
        let legend = Legend::caption(&begin.armies, Overlays::default(), 2.35, 768);
        // One line at the usual size.
        assert_eq!(legend.lines, 1);
        let bars = |caption: &Caption| {
            let mut sheet = Picture::new(768, legend.height(), palette::BAR);
            legend.draw(&mut sheet, 0, caption);
            let row = ((MARGIN + font::HEIGHT + BAR_GAP_DOTS) * legend.size) as usize;
            let row = &sheet.pixels[row * 768..][..768];
            let count = |colour| row.iter().map(|&pixel| usize::from(pixel == colour)).sum::<usize>();
            [0, 1].map(palette::army).map(|army| (count(army), count(palette::dark(army))))
        };
        let [(red, 0), (blue, 0)] = bars(&begin) else { panic!("all live") };
        assert_eq!([red, blue], [0, 1].map(|army| (army_width(&begin.armies[army]) * legend.size) as usize));
        assert_eq!(bars(&now), [(red / 4, red - red / 4), (0, blue)]);
        // A single one is not nobody.
        assert!(bars(&of(vec![army("raiders", 1, 5999), army("guards", 4000, 0)]))[0].0 > 0);
    }

    #[test]
    fn numbers_as_people_write_them() {
        assert_eq!([0, 999, 1000, 1_002_030].map(grouped), ["0", "999", "1,000", "1,002,030"]);
    }
}
