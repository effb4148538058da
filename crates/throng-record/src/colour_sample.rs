//! The colours of some pictures, and the table that suits them best.
//!
//! Boxes of colours are cut where that saves most of the square error, as by X. Wu, *Efficient statistical computations for
//! optimal color quantization* (Graphics Gems II, 1991), but over the colours that occur. Rounds of k-means follow (S. Lloyd,
//! 1982). All is in whole numbers and in a fixed order, so the same pictures make the same table.

use super::colour_table::{CHANNEL_WEIGHTS, ColourTable, MAX_COLOURS, distance_squared};
use super::{ColourPicture, quantiser};

/// Rounds of k-means after the cuts.
const ROUNDS: usize = 4;

/// A colour this near (square of the distance) to one that must be in the table gets no entry beside it.
const NEAR_COLOUR_SQUARE: u32 = 60;

/// How often each colour, in steps of a 32nd of red and blue and a 64th of green, occurs in some pictures.
///
/// ```
/// use throng_record::{ColourPicture, ColourSample};
/// let mut sample = ColourSample::default();
/// sample.add(&ColourPicture::new(64, 64, [90, 106, 70]));
/// let table = sample.table(&[[255, 79, 18]]);
/// assert_eq!(table.colours(), [[255, 79, 18], [90, 106, 70]]);
/// ```
#[derive(Clone, Debug)]
pub struct ColourSample {
    /// Pixels, and the sums of their channels, of each cell.
    cells: Vec<[u64; 4]>,
}

impl Default for ColourSample {
    fn default() -> Self {
        Self { cells: vec![[0; 4]; quantiser::CELLS] }
    }
}

/// A colour that occurs.
#[derive(Clone, Copy, Debug)]
struct Point {
    colour: [u8; 3],
    /// The root of how often it occurs: armies are few pixels of a landscape, and must not be mixed with it.
    weight: u64,
}

impl ColourSample {
    /// Counts the pixels of a picture. O(pixels): about 1 ms for 650,000.
    pub fn add(&mut self, picture: &ColourPicture) {
        for &colour in &picture.pixels {
            let cell = &mut self.cells[quantiser::cell(colour)];
            cell[0] += 1;
            for (sum, channel) in cell[1..].iter_mut().zip(colour) {
                *sum += u64::from(channel);
            }
        }
    }

    /// A table of at most 255 colours: first those that must be in it (the first 255, none twice), then those that bring the
    /// pixels' colours nearest. O(colours that occur x 255).
    pub fn table(&self, required: &[[u8; 3]]) -> ColourTable {
        let mut colours: Vec<[u8; 3]> = Vec::new();
        for &colour in required.iter().take(MAX_COLOURS) {
            if !colours.contains(&colour) {
                colours.push(colour);
            }
        }
        let fixed = colours.len();
        let points: Vec<Point> = self.points().collect();
        let is_far =
            |point: &&Point| colours.iter().all(|&near| distance_squared(near, point.colour) > NEAR_COLOUR_SQUARE);
        let open = points.iter().filter(is_far).copied().collect();
        colours.extend(cut(open, MAX_COLOURS - fixed));
        for _ in 0..ROUNDS {
            centre(&points, &mut colours, fixed);
        }
        ColourTable::new(colours)
    }

    fn points(&self) -> impl Iterator<Item = Point> {
        self.cells.iter().filter(|cell| cell[0] > 0).map(|&[count, red, green, blue]| Point {
            colour: [red, green, blue].map(|sum| ((sum + count / 2) / count) as u8),
            weight: (count * 16).isqrt(),
        })
    }
}

/// Some points, with the square error if they all had their mean colour, and the best way to cut them in two.
struct Part {
    points: Vec<Point>,
    error: u64,
}

/// Sums over points: weights, weighted channels, weighted squares of channels (with the weights of channels).
#[derive(Clone, Copy, Default)]
struct Sums {
    weight: u64,
    channels: [u64; 3],
    square: u64,
}

impl Sums {
    fn add(&mut self, point: &Point) {
        self.weight += point.weight;
        for ((sum, channel), weight) in self.channels.iter_mut().zip(point.colour).zip(CHANNEL_WEIGHTS) {
            let channel = u64::from(channel);
            *sum += point.weight * channel;
            self.square += point.weight * u64::from(weight) * channel * channel;
        }
    }

    fn less(&self, other: &Self) -> Self {
        let mut channels = self.channels;
        channels.iter_mut().zip(other.channels).for_each(|(sum, other)| *sum -= other);
        Self { weight: self.weight - other.weight, channels, square: self.square - other.square }
    }

    /// The square error around the mean.
    fn error(&self) -> u64 {
        let explained = |i: usize| {
            let sum = u128::from(self.channels[i]);
            (sum * sum / u128::from(self.weight.max(1))) as u64 * u64::from(CHANNEL_WEIGHTS[i])
        };
        self.square.saturating_sub(explained(0) + explained(1) + explained(2))
    }

    fn mean(&self) -> [u8; 3] {
        self.channels.map(|sum| ((sum + self.weight / 2) / self.weight.max(1)) as u8)
    }
}

impl Part {
    fn new(points: Vec<Point>) -> Self {
        let error = sums(&points).error();
        Self { points, error }
    }

    /// Two parts, with the least sum of their errors that a plane across an axis makes.
    fn halves(mut self) -> [Self; 2] {
        let all = sums(&self.points);
        let mut best = (u64::MAX, 0, 0);
        for axis in 0..3 {
            // Sums by the value of the channel, then from the least value up.
            let mut by_value = vec![Sums::default(); 256];
            for point in &self.points {
                by_value[usize::from(point.colour[axis])].add(point);
            }
            let mut below = Sums::default();
            for (value, sums) in by_value.iter().enumerate() {
                if sums.weight == 0 {
                    continue;
                }
                below.weight += sums.weight;
                below.square += sums.square;
                below.channels.iter_mut().zip(sums.channels).for_each(|(sum, more)| *sum += more);
                let above = all.less(&below);
                if above.weight > 0 {
                    best = best.min((below.error() + above.error(), axis, value));
                }
            }
        }
        let (_, axis, value) = best;
        let above = self.points.extract_if(.., |point| usize::from(point.colour[axis]) > value).collect();
        [self, Self { points: above, error: 0 }].map(|part| Self::new(part.points))
    }
}

fn sums(points: &[Point]) -> Sums {
    let mut all = Sums::default();
    for point in points {
        all.add(point);
    }
    all
}

/// The means of at most `count` parts of the points; always the part with the greatest error is cut, of equal ones the first.
fn cut(points: Vec<Point>, count: usize) -> Vec<[u8; 3]> {
    if points.is_empty() || count == 0 {
        return Vec::new();
    }
    let mut parts = vec![Part::new(points)];
    while parts.len() < count {
        let worst = (0..parts.len()).filter(|&i| parts[i].points.len() > 1);
        let Some(worst) = worst.max_by_key(|&i| (parts[i].error, parts.len() - i)) else { break };
        let [below, above] = parts.swap_remove(worst).halves();
        parts.extend([below, above]);
    }
    parts.iter().map(|part| sums(&part.points).mean()).collect()
}

/// A round of k-means: each colour from `fixed` on becomes the mean of the points that are nearest to it.
fn centre(points: &[Point], colours: &mut [[u8; 3]], fixed: usize) {
    let mut nearest = vec![Sums::default(); colours.len()];
    let channels = quantiser::Channels::new(colours);
    for point in points {
        nearest[usize::from(channels.nearest(point.colour))].add(point);
    }
    for (colour, sums) in colours.iter_mut().zip(nearest).skip(fixed) {
        if sums.weight > 0 {
            *colour = sums.mean();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> ColourPicture {
        let mut picture = ColourPicture::new(256, 64, [0; 3]);
        for (i, pixel) in picture.pixels.iter_mut().enumerate() {
            let (x, y) = (i % 256, i / 256);
            *pixel = [(x / 2 + 60) as u8, (y + 80) as u8, ((x + y) / 3 + 30) as u8];
        }
        picture
    }

    #[test]
    fn required_colours_come_first_and_the_rest_is_near() {
        let mut sample = ColourSample::default();
        let picture = ramp();
        sample.add(&picture);
        let required = [[255, 79, 18], [33, 120, 255], [255, 79, 18]];
        let table = sample.table(&required);
        assert_eq!(table.colours()[..2], required[..2]);
        assert_eq!(table.colours().len(), 255);
        let worst = picture
            .pixels
            .iter()
            .map(|&pixel| table.colours().iter().map(|&colour| distance_squared(colour, pixel)).min().unwrap());
        // Eleven steps of grey at worst.
        assert!(worst.max().unwrap() < 1200);
        assert_eq!(sample.table(&required), table);
    }

    #[test]
    fn few_colours_are_kept_as_they_are() {
        let colours = [[10, 20, 30], [200, 20, 30], [10, 220, 30], [10, 20, 230], [11, 250, 250]];
        let mut sample = ColourSample::default();
        for (i, colour) in colours.into_iter().enumerate() {
            sample.add(&ColourPicture::new(i as u32 + 1, 1, colour));
        }
        let mut found = sample.table(&[]).colours().to_vec();
        found.sort_unstable();
        let mut wanted = colours;
        wanted.sort_unstable();
        assert_eq!(found, wanted);
        assert!(ColourSample::default().table(&[]).colours().is_empty());
        let all: Vec<[u8; 3]> = (0..=255).map(|red| [red, 0, 0]).collect();
        assert_eq!(sample.table(&all).colours(), &all[..255]);
    }
}
