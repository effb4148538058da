//! The sides of a contest, and how answers are compared.

use std::error::Error;
use std::ops::Range;
use throng::spatial::Bodies;
use throng::volume::distance_squared;

/// Pairs of rows, each once, in any order: ours come in columns, those of peers are pushed.
#[derive(Default)]
pub struct Found {
    pub columns: throng::spatial::Pairs,
    pub pairs: Vec<[u32; 2]>,
}

impl Found {
    pub fn clear(&mut self) {
        self.columns.clear();
        self.pairs.clear();
    }

    #[inline]
    pub fn push(&mut self, pair: [u32; 2]) {
        self.pairs.push(pair);
    }
}

/// Finds all pairs, frame by frame.
pub trait Frames {
    /// Comes up to date with the bodies, which have moved a little since the last frame, and appends all overlapping
    /// pairs to `found`. Gives the [time](crate::clock::now) at which it was up to date.
    fn frame(&mut self, bodies: Bodies<2>, found: &mut Found) -> Result<f64, Box<dyn Error>>;
}

/// Answers questions about points.
pub trait Asked {
    fn build(&mut self, bodies: Bodies<2>) -> Result<(), Box<dyn Error>>;

    /// All bodies nearer than `radius` to each point.
    fn within(
        &mut self,
        bodies: Bodies<2>,
        points: &[[f32; 2]],
        radius: f32,
        hits: &mut Hits,
    ) -> Result<(), Box<dyn Error>>;

    /// The `k` nearest bodies of each point, nearest first.
    fn nearest(
        &mut self,
        bodies: Bodies<2>,
        points: &[[f32; 2]],
        k: usize,
        nearest: &mut Nearest,
    ) -> Result<(), Box<dyn Error>>;

    /// The `k` nearest other bodies of the bodies in these rows, nearest first.
    fn others(
        &mut self,
        bodies: Bodies<2>,
        rows: Range<usize>,
        k: usize,
        nearest: &mut Nearest,
    ) -> Result<(), Box<dyn Error>>;
}

/// The test that all sides share.
#[inline]
pub fn overlap(bodies: &Bodies<2>, i: u32, j: u32) -> bool {
    let (i, j) = (i as usize, j as usize);
    let reach = bodies.radius[i] + bodies.radius[j];
    distance_squared(bodies.position[i], bodies.position[j]) < reach * reach
}

/// How many there are, and a sum over them that does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub count: u64,
    sum: u64,
}

impl Tally {
    pub fn of(found: &Found) -> Self {
        let pairs = found.pairs.iter().map(|&[i, j]| (i, j)).chain(found.columns.iter());
        pairs.fold(Self::default(), |tally, (i, j)| Self {
            count: tally.count + 1,
            sum: tally.sum.wrapping_add(mixed(i.min(j), i.max(j))),
        })
    }
}

/// The finisher of SplitMix64 (Steele, Lea and Flood 2014).
fn mixed(i: u32, j: u32) -> u64 {
    let mut x = u64::from(i) << 32 | u64::from(j);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The rows found by one question after the other: two additions a row, so that counting costs next to nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    pub count: u64,
    rows: u64,
    questions: u64,
    sum: u64,
}

impl Hits {
    #[inline]
    pub fn add(&mut self, row: u32) {
        self.count += 1;
        self.rows += u64::from(row);
    }

    /// The question is answered.
    #[inline]
    pub fn next(&mut self) {
        self.questions += 1;
        self.sum = self.sum.wrapping_add(self.rows.wrapping_mul(2 * self.questions + 1));
        self.rows = 0;
    }
}

/// The squared distances found by one question after the other.
#[derive(Clone, Debug, Default)]
pub struct Nearest {
    pub squared: Vec<f32>,
    pub ends: Vec<u32>,
}

impl Nearest {
    pub fn clear(&mut self) {
        self.squared.clear();
        self.ends.clear();
    }

    #[inline]
    pub fn add(&mut self, squared: f32) {
        self.squared.push(squared);
    }

    /// The question is answered.
    #[inline]
    pub fn next(&mut self) {
        self.ends.push(self.squared.len() as u32);
    }

    /// True where the lists have the same lengths and, but for rounding, the same distances.
    pub fn agrees(&self, other: &Self) -> bool {
        let near = |a: f32, b: f32| (a - b).abs() <= 1e-5 * a.max(b);
        self.ends == other.ends && self.squared.iter().zip(&other.squared).all(|(&a, &b)| near(a, b))
    }
}
