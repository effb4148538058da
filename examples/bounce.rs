//! Discs bouncing in a box, elastically, with any spatial index: from a hundred to a million.
//!
//! ```sh
//! cargo run --release --example bounce -- --discs 100000 --index grid
//! cargo run --release --example bounce -- --discs 2000 --frames 300 --gif bounce.gif
//! ```
//!
//! Every frame the discs move, the index finds all pairs that overlap, and those that come nearer to each other bounce:
//! momentum and energy stay what they are, which the last line shows.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::error::Error;
use std::path::PathBuf;
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

fn options() -> Result<Option<Options>, Box<dyn Error>> {
    let mut options = Options { discs: 2000, index: IndexKind::default(), frames: 600, seed: 1, gif: None };
    let mut args = std::env::args().skip(1);
    while let Some(option) = args.next() {
        if option == "--help" || option == "-h" {
            return Ok(None);
        }
        let value = args.next().ok_or_else(|| format!("{option} wants a value; see --help"))?;
        let bad = || format!("{option} {value}: expected a number; see --help");
        match option.as_str() {
            "--discs" => options.discs = value.parse().map_err(|_| bad())?,
            "--frames" => options.frames = value.parse().map_err(|_| bad())?,
            "--seed" => options.seed = value.parse().map_err(|_| bad())?,
            "--index" => options.index = value.parse()?,
            "--gif" => options.gif = Some(value.into()),
            _ => return Err(format!("unknown option {option}; see --help").into()),
        }
    }
    if !(100..=1_000_000).contains(&options.discs) {
        return Err(format!("--discs {}: expected 100 to 1000000", options.discs).into());
    }
    if options.gif.is_some() && options.discs > 20_000 {
        return Err("--gif draws at most 20000 discs".into());
    }
    Ok(Some(options))
}

/// Columns, a row a disc. Lengths in metres, a frame is a sixtieth of a second.
struct Discs {
    position: Vec<[f32; 2]>,
    velocity: Vec<[f32; 2]>,
    radius: Vec<f32>,
    id: Vec<u32>,
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

    /// Those that touch somebody in the colour of the second army.
    fn picture(&self, camera: Camera, size: u32, contacts: &Contacts) -> Picture {
        let mut picture = Picture::new(size, size, palette::FLOOR);
        let mut colours = vec![palette::army(1); self.position.len()];
        for (i, j) in contacts.now() {
            (colours[i as usize], colours[j as usize]) = (palette::army(0), palette::army(0));
        }
        let positions: Vec<Vec2> = self.position.iter().copied().map(Vec2::from).collect();
        picture.draw_agents(camera, &positions, &vec![Vec2::ZERO; positions.len()], &self.radius, &colours);
        picture
    }

    fn energy(&self) -> f64 {
        let one = |row: usize| {
            f64::from(self.mass(row)) * self.velocity[row].iter().map(|&v| f64::from(v).powi(2)).sum::<f64>() * 0.5
        };
        (0..self.position.len()).map(one).sum()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(options) = options()? else {
        println!("{HELP}");
        return Ok(());
    };
    let mut discs = Discs::new(options.discs, options.seed);
    let mut index = Index::new(options.index);
    let (mut pairs, mut contacts) = (Pairs::default(), Contacts::default());
    let energy = discs.energy();
    let (mut searching, mut tests, mut hits) = (Duration::ZERO, 0, 0);
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
        hits += contacts.begun().count();
        // In the order of the ids, so that every index gives the same bits.
        for (i, j) in contacts.now() {
            discs.collide(i as usize, j as usize);
        }
        if let Some(film) = film.as_mut().filter(|_| frame % 3 == 0) {
            film.frame(&discs.picture(camera, size, &contacts), 5)?;
        }
    }
    if let Some(film) = film {
        film.finish()?;
    }
    let frames = f64::from(options.frames.max(1));
    let each = |count: f64| count / frames;
    println!("{} discs, {} frames, index {}", options.discs, options.frames, options.index);
    println!("pairs found in    {:.3} ms a frame", each(searching.as_secs_f64() * 1e3));
    println!("tests             {:.0} a frame, {:.6} of N (N - 1)", each(tests as f64), {
        let n = options.discs as f64;
        each(tests as f64) / (n * (n - 1.0))
    });
    println!("bounces           {:.1} a frame", each(hits as f64));
    println!("energy            {:.6} of what it was", discs.energy() / energy);
    Ok(())
}
