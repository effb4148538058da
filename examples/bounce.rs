//! Discs bouncing in a box, elastically, with any spatial index: from a hundred to a million.
//!
//! ```sh
//! cargo run --release --example bounce -- --discs 100000 --index grid
//! cargo run --release --example bounce -- --discs 2000 --frames 300 --gif bounce.gif
//! ```
//!
//! Every frame the discs move, the index finds all pairs that overlap, and pairs that come nearer to each other bounce:
//! momentum and energy stay the same, which a line shows. The last line is the same for every index.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use throng::geom::Vec2;
use throng::record::{Camera, GifWriter, Picture, palette};
use throng::spatial::{Contacts, Discs, Index, IndexKind, Pairs, SpatialIndex};

const HELP: &str = "\
Discs bouncing in a box.

  --discs N      how many, from 100 to 1000000 [2000]
  --index NAME   which index finds the pairs [grid]
  --frames N     how many frames [600]
  --seed S       where they start [1]
  --gif FILE     draw them (at most 20000)";

struct Options {
    discs: u32,
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

/// The discs, in another colour where they have just bounced.
fn picture(discs: &Discs, struck: &[Option<u32>], camera: Camera, size: u32, frame: u32) -> Picture {
    let mut picture = Picture::new(size, size, palette::FLOOR);
    let hot = |&struck: &Option<u32>| struck.is_some_and(|struck| frame - struck < 6);
    let colours: Vec<u8> = struck.iter().map(|struck| palette::army(u32::from(!hot(struck)))).collect();
    let positions: Vec<Vec2> = discs.position.iter().copied().map(Vec2::from).collect();
    picture.draw_discs(camera, &positions, &discs.radius, &colours);
    picture
}

/// A number of all bits of all places and speeds: the FNV hash (Fowler, Noll, Vo 1991).
fn hash(discs: &Discs) -> u64 {
    let bits = discs.position.iter().chain(&discs.velocity).flatten().flat_map(|x| x.to_bits().to_le_bytes());
    bits.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// The state after all frames.
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
    // The frame of the last bounce.
    let mut struck = vec![None; options.discs as usize];
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
        discs.bounce(&contacts);
        if let Some(film) = &mut film {
            for (i, j) in contacts.begun() {
                (struck[i as usize], struck[j as usize]) = (Some(frame), Some(frame));
            }
            if frame % 3 == 0 {
                film.frame(&picture(&discs, &struck, camera, size, frame), 5)?;
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
    let (n, tests) = (f64::from(options.discs), each(end.tests as f64));
    println!("{} discs, {} frames, index {}", options.discs, options.frames, options.index);
    println!("pairs found in    {:.3} ms a frame", each(end.searching.as_secs_f64() * 1e3));
    println!("tests             {tests:.0} a frame, {:.6} of N (N - 1)", tests / (n * (n - 1.0)));
    println!("bounces           {:.1} a frame", each(end.bounces as f64));
    println!("energy            {:.6} of what it was", end.energy);
    println!("hash              {:016x} of all places and speeds", hash(&end.discs));
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
            assert_eq!((hash(&found.discs), found.bounces), (hash(&expected.discs), expected.bounces), "{index}");
        }
    }
}
