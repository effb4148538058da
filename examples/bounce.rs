//! Discs bouncing in a box, elastically, with any spatial index: from a hundred to a million.
//!
//! ```sh
//! cargo run --release --example bounce -- --discs 100000 --index grid
//! cargo run --release --example bounce -- --discs 2000 --frames 300 --gif bounce.gif
//! ```
//!
//! Every frame the discs move, the index finds all pairs that overlap, and those that come nearer to each other bounce:
//! momentum and energy stay what they are, which a line shows. The last line is the same for every index.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use throng::geom::Vec2;
use throng::record::{Camera, GifWriter, Picture, palette};
use throng::spatial::{Bodies, Contacts, Index, IndexKind, Pairs, SpatialIndex};
use throng::volume::{Bouncing, bounce};

const HELP: &str = "\
Discs bouncing in a box.

  --discs N      how many, from 100 to 1000000 [2000]
  --index NAME   which index finds the pairs [grid]
  --frames N     how many frames [600]
  --seed S       where they start [1]
  --gif FILE     draw them (at most 20000)";

struct Options {
    discs: usize,
    index: IndexKind,
    frames: u32,
    seed: u64,
    gif: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self { discs: 2000, index: IndexKind::default(), frames: 600, seed: 1, gif: None }
    }
}

/// `None` where help is asked for.
fn options() -> Result<Option<Options>, Box<dyn Error>> {
    let mut options = Options::default();
    let mut args = std::env::args().skip(1);
    while let Some(option) = args.next() {
        if option == "--help" || option == "-h" {
            return Ok(None);
        }
        if !["--discs", "--index", "--frames", "--seed", "--gif"].contains(&option.as_str()) {
            return Err(format!("unknown option {option}; see --help").into());
        }
        let value = args.next().ok_or_else(|| format!("{option} wants a value; see --help"))?;
        let bad = |_| format!("{option} {value}: expected a whole number; see --help");
        match option.as_str() {
            "--discs" => options.discs = value.parse().map_err(bad)?,
            "--frames" => options.frames = value.parse().map_err(bad)?,
            "--seed" => options.seed = value.parse().map_err(bad)?,
            "--index" => options.index = value.parse()?,
            _ => options.gif = Some(value.into()),
        }
    }
    if !(100..=1_000_000).contains(&options.discs) {
        return Err(format!("--discs {}: expected 100 to 1000000", options.discs).into());
    }
    if options.gif.is_some() && options.discs > 20_000 {
        return Err(format!("--gif draws at most 20000 discs, found --discs {}", options.discs).into());
    }
    Ok(Some(options))
}

/// Columns, a row a disc. Lengths in metres, a frame is a sixtieth of a second.
struct Discs {
    position: Vec<[f32; 2]>,
    velocity: Vec<[f32; 2]>,
    radius: Vec<f32>,
    id: Vec<u32>,
    /// The frame of the last bounce.
    struck: Vec<Option<u32>>,
    /// Side of the box (m).
    side: f32,
}

const STEP: f32 = 1.0 / 60.0;

impl Discs {
    fn new(count: usize, seed: u64) -> Self {
        let mut random = Pcg32::seed_from_u64(seed);
        // On a jittered lattice, so that they do not overlap at the start; a fifth of the box is covered.
        let columns = (count as f32).sqrt().ceil() as usize;
        let pitch = 4.0;
        let mut discs = Self {
            position: Vec::with_capacity(count),
            velocity: Vec::with_capacity(count),
            radius: Vec::with_capacity(count),
            id: (0..count as u32).collect(),
            struck: vec![None; count],
            side: pitch * columns as f32,
        };
        for i in 0..count {
            let cell = [(i % columns) as f32, (i / columns) as f32];
            discs.position.push(cell.map(|x| (x + 0.5) * pitch + random.random_range(-0.5..0.5_f32)));
            discs.velocity.push([(); 2].map(|()| random.random_range(-8.0..8.0_f32)));
            discs.radius.push(random.random_range(0.6..1.4_f32));
        }
        discs
    }

    fn bodies(&self) -> Bodies<'_, 2> {
        Bodies::new(&self.position, &self.radius, &self.id)
    }

    /// Of a disc as thick as it is wide.
    fn mass(&self, row: usize) -> f32 {
        self.radius[row].powi(2)
    }

    fn walk(&mut self) {
        for ((position, velocity), &radius) in self.position.iter_mut().zip(&mut self.velocity).zip(&self.radius) {
            for (x, v) in position.iter_mut().zip(velocity) {
                *x += *v * STEP;
                let (low, high) = (radius, self.side - radius);
                if *x < low && *v < 0.0 || *x > high && *v > 0.0 {
                    *v = -*v;
                }
                *x = x.clamp(0.0, self.side);
            }
        }
    }

    fn collide(&mut self, i: usize, j: usize) {
        let away = Vec2::from(self.position[i]) - Vec2::from(self.position[j]);
        let normal = if away == Vec2::ZERO { Vec2::X } else { away.normalize() };
        let [one, two] = [i, j].map(|row| Bouncing { velocity: self.velocity[row], mass: self.mass(row) });
        (self.velocity[i], self.velocity[j]) = bounce(&one, &two, normal.to_array(), 1.0);
    }

    /// Those that have just bounced in another colour.
    fn picture(&self, camera: Camera, size: u32, frame: u32) -> Picture {
        let mut picture = Picture::new(size, size, palette::FLOOR);
        let hot = |&struck: &Option<u32>| struck.is_some_and(|struck| frame - struck < 6);
        let colours: Vec<u8> = self.struck.iter().map(|struck| palette::army(u32::from(!hot(struck)))).collect();
        let positions: Vec<Vec2> = self.position.iter().copied().map(Vec2::from).collect();
        picture.draw_discs(camera, &positions, &self.radius, &colours);
        picture
    }

    /// A number of all bits of all places and speeds: the FNV hash (Fowler, Noll, Vo 1991).
    fn hash(&self) -> u64 {
        let bits = self.position.iter().chain(&self.velocity).flatten().flat_map(|x| x.to_bits().to_le_bytes());
        bits.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
    }

    fn energy(&self) -> f64 {
        let one = |row: usize| {
            f64::from(self.mass(row)) * self.velocity[row].iter().map(|&v| f64::from(v).powi(2)).sum::<f64>() * 0.5
        };
        (0..self.position.len()).map(one).sum()
    }
}

/// What is left after all frames.
struct End {
    discs: Discs,
    /// Energy over that at the start.
    energy: f64,
    searching: Duration,
    tests: u64,
    bounces: usize,
}

fn run(options: &Options) -> Result<End, Box<dyn Error>> {
    let mut discs = Discs::new(options.discs, options.seed);
    let mut index = Index::new(options.index);
    let (mut pairs, mut contacts) = (Pairs::default(), Contacts::default());
    let energy = discs.energy();
    let (mut searching, mut tests, mut bounces) = (Duration::ZERO, 0, 0);
    let size = 480;
    let camera = Camera { origin: Vec2::ZERO, scale: size as f32 / discs.side };
    let mut film = options.gif.as_ref().map(|file| GifWriter::create(file, size, size)).transpose()?;
    for frame in 0..options.frames {
        discs.walk();
        let start = Instant::now();
        index.update(discs.bodies())?;
        tests += index.collect_pairs(discs.bodies(), &mut pairs);
        searching += start.elapsed();
        contacts.update(discs.bodies(), &pairs);
        bounces += contacts.begun().count();
        // In the order of the ids, so that every index gives the same bits.
        for (i, j) in contacts.now() {
            discs.collide(i as usize, j as usize);
        }
        if let Some(film) = &mut film {
            for (i, j) in contacts.begun() {
                (discs.struck[i as usize], discs.struck[j as usize]) = (Some(frame), Some(frame));
            }
            if frame % 3 == 0 {
                film.frame(&discs.picture(camera, size, frame), 5)?;
            }
        }
    }
    if let Some(film) = film {
        film.finish()?;
    }
    Ok(End { energy: discs.energy() / energy, discs, searching, tests, bounces })
}

fn main() -> ExitCode {
    let told = match options() {
        Ok(Some(options)) => run(&options).map(|end| print(&options, &end)),
        Ok(None) => {
            println!("{HELP}\n\nindices: {}", IndexKind::ALL.map(IndexKind::name).join(", "));
            Ok(())
        }
        Err(error) => Err(error),
    };
    match told {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn print(options: &Options, end: &End) {
    let each = |count: f64| count / f64::from(options.frames.max(1));
    let (n, tests) = (options.discs as f64, each(end.tests as f64));
    println!("{} discs, {} frames, index {}", options.discs, options.frames, options.index);
    println!("pairs found in    {:.3} ms a frame", each(end.searching.as_secs_f64() * 1e3));
    println!("tests             {tests:.0} a frame, {:.6} of N (N - 1)", tests / (n * (n - 1.0)));
    println!("bounces           {:.1} a frame", each(end.bounces as f64));
    println!("energy            {:.6} of what it was", end.energy);
    println!("hash              {:016x} of all places and speeds", end.discs.hash());
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_index_gives_the_same_bits() {
        let end = |index| run(&Options { discs: 300, index, frames: 90, ..Options::default() }).unwrap();
        let expected = end(IndexKind::Brute);
        assert!(expected.bounces > 100 && (expected.energy - 1.0).abs() < 1e-4, "{}", expected.energy);
        for index in IndexKind::ALL {
            let found = end(index);
            assert_eq!(found.energy.to_bits(), expected.energy.to_bits(), "{index}");
            assert_eq!((found.discs.hash(), found.bounces), (expected.discs.hash(), expected.bounces), "{index}");
        }
    }
}
