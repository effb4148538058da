//! Sides in turn, block by block, on the same frames and questions.

use crate::clock;
use crate::side::{Asked, Found, Frames, Hits, Nearest, Tally};
use std::error::Error;
use std::time::{Duration, Instant};
use throng::spatial::Scene;

/// Frames that one side does before the next has its turn; one frame where it takes long.
const BLOCK: usize = 4;
const LONG: Duration = Duration::from_millis(40);

/// Frames before anything is measured.
const WARM_UP: usize = 3;

/// Questions that one side answers before the next has its turn.
const QUESTIONS: usize = 5000;

/// The cost of a body in a frame, or of a question (ns): medians.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub build: f64,
    pub answer: f64,
    pub total: f64,
    /// The mean of build and answer together.
    pub mean: f64,
    /// The fastest frame or block: hardly moved by other users of the machine.
    pub least: f64,
    /// The same without the building; for frames, with it.
    pub least_answer: f64,
}

/// A side with its own copy of the crowd, so that the bodies have just been moved when it starts, as in a simulation.
pub struct Lane {
    pub name: String,
    scene: Scene,
    side: Box<dyn Frames + Send>,
    times: Vec<[f64; 2]>,
    tallies: Vec<Tally>,
}

impl Lane {
    pub fn new(name: &str, scene: &Scene, side: Box<dyn Frames + Send>) -> Self {
        Self { name: name.to_owned(), scene: scene.clone(), side, times: Vec::new(), tallies: Vec::new() }
    }

    fn frame(&mut self, found: &mut Found) -> Result<(), Box<dyn Error>> {
        self.scene.step();
        found.clear();
        let start = clock::now();
        let ready = self.side.frame(self.scene.bodies(), found)?;
        let end = clock::now();
        let agents = self.scene.position.len().max(1) as f64;
        self.times.push([(ready - start) / agents, (end - ready) / agents]);
        self.tallies.push(Tally::of(found));
        Ok(())
    }

    pub fn cost(&self) -> Cost {
        let median_of = |cost: fn(&[f64; 2]) -> f64| median(self.times.iter().skip(WARM_UP).map(cost).collect());
        let least = self.times.iter().skip(WARM_UP).map(|[build, answer]| build + answer).fold(f64::INFINITY, f64::min);
        Cost {
            build: median_of(|time| time[0]),
            answer: median_of(|time| time[1]),
            total: median_of(|time| time[0] + time[1]),
            mean: mean(self.times.iter().skip(WARM_UP).map(|[build, answer]| build + answer)),
            least,
            least_answer: least,
        }
    }

    /// The pairs of a frame.
    pub fn tally(&self, frame: usize) -> Tally {
        self.tallies[frame]
    }

    /// The cost of one of the first frames after one for building (ns): to tell good from bad, and bad from hopeless.
    /// The crowd is as it was afterwards.
    pub fn trial(&mut self) -> Result<f64, Box<dyn Error>> {
        let start = self.scene.clone();
        let mut found = Found::default();
        for _ in 0..3 {
            self.frame(&mut found)?;
        }
        self.scene = start;
        self.tallies.clear();
        Ok(self.times.drain(..).skip(1).map(|[build, answer]| build + answer).fold(f64::INFINITY, f64::min))
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Runs until `budget` is spent, at least three blocks each.
pub fn take_turns(lanes: &mut [Lane], budget: Duration) -> Result<(), Box<dyn Error>> {
    let mut found = Found::default();
    let start = Instant::now();
    for lane in &mut *lanes {
        for _ in 0..WARM_UP {
            lane.frame(&mut found)?;
        }
    }
    for round in 0.. {
        let mut order: Vec<&mut Lane> = lanes.iter_mut().collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for lane in order {
            for _ in 0..BLOCK {
                let start = Instant::now();
                lane.frame(&mut found)?;
                if start.elapsed() > LONG {
                    break;
                }
            }
        }
        if round >= 2 && start.elapsed() > budget {
            break;
        }
    }
    Ok(())
}

/// As [`take_turns`], of sides that see the same crowd.
///
/// # Errors
/// Where two sides find other pairs in any frame.
pub fn frames(lanes: &mut [Lane], budget: Duration) -> Result<(), Box<dyn Error>> {
    take_turns(lanes, budget)?;
    for lane in &lanes[1..] {
        let both = lane.tallies.len().min(lanes[0].tallies.len());
        if let Some(frame) = (0..both).find(|&frame| lane.tallies[frame] != lanes[0].tallies[frame]) {
            let [one, other] = [&lanes[0], lane].map(|lane| (lane.name.as_str(), lane.tallies[frame]));
            return Err(format!("frame {frame}: the pairs differ: {one:?} and {other:?}").into());
        }
    }
    Ok(())
}

/// The question at each point.
#[derive(Clone, Copy)]
pub enum Question {
    /// All nearer than this (m).
    Within(f32),
    /// The nearest so many.
    Nearest(usize),
    /// The nearest so many other bodies, where the points are the bodies, in bulk.
    Others(usize),
}

/// Asks the sides at each point, and gives what a question costs each (ns).
///
/// # Errors
/// Where the answers differ.
pub fn questions(
    scene: &Scene,
    sides: &mut [(&str, &mut dyn Asked)],
    points: &[[f32; 2]],
    question: Question,
    budget: Duration,
) -> Result<Vec<Cost>, Box<dyn Error>> {
    let bodies = scene.bodies();
    let mut builds = Vec::new();
    for (_, side) in &mut *sides {
        let mut times = Vec::new();
        for _ in 0..5 {
            let start = clock::now();
            side.build(bodies)?;
            times.push((clock::now() - start) / bodies.len() as f64);
        }
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        builds.push((median(times.clone()), mean(times.into_iter()), least));
    }
    let mut times = vec![Vec::new(); sides.len()];
    let (mut hits, mut nearest) = (vec![Hits::default(); sides.len()], vec![Nearest::default(); sides.len()]);
    let start = Instant::now();
    for (round, block) in points.chunks(QUESTIONS).cycle().enumerate() {
        let mut order: Vec<usize> = (0..sides.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for side in order {
            nearest[side].clear();
            let start = clock::now();
            match question {
                Question::Within(radius) => sides[side].1.within(bodies, block, radius, &mut hits[side])?,
                Question::Others(k) => {
                    let first = round % points.len().div_ceil(QUESTIONS) * QUESTIONS;
                    sides[side].1.others(bodies, first..first + block.len(), k, &mut nearest[side])?;
                }
                Question::Nearest(k) => sides[side].1.nearest(bodies, block, k, &mut nearest[side])?,
            }
            times[side].push((clock::now() - start) / block.len() as f64);
        }
        for side in 1..sides.len() {
            if hits[side] != hits[0] || !nearest[side].agrees(&nearest[0]) {
                let names = [sides[0].0, sides[side].0];
                return Err(
                    format!("block {round}: the answers differ: {names:?} {:?} {:?}", hits[0], hits[side]).into()
                );
            }
        }
        if round >= 8 && start.elapsed() > budget {
            break;
        }
    }
    let costs = times.into_iter().zip(builds).map(|(times, (build, mean_build, least_build))| {
        let least_answer = times.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = mean_build + mean(times.iter().copied());
        let answer = median(times);
        Cost { build, answer, total: build + answer, mean, least: least_build + least_answer, least_answer }
    });
    Ok(costs.collect())
}
