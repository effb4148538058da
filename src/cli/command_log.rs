//! `throng replay` of a log of commands: they are done again, and the places compared.

use super::numbers::default_threads;
use super::output::{check_file, check_not_read, grouped, result, say, tell};
use super::stop::Stop;
use super::{CliError, Ended};
use serde::Serialize;
use std::path::Path;
use throng::world::{CommandReplay, Replayed, Resume, WorldError, seconds};

/// What was done again.
#[derive(Default, Serialize)]
struct Done {
    commands: usize,
    /// Commands and ticks that ended with an error.
    errors: usize,
    ticks: u64,
    /// How often the places were the same.
    compared: usize,
    agents: usize,
    tick: u64,
    position_hash: String,
    /// The program that wrote it was killed.
    cut: bool,
}

/// Does the commands of a log again, up to a time (s), and lists them where that is asked for.
pub(super) fn replay(file: &Path, until: Option<f32>, lists: bool, snapshot: Option<&Path>) -> Result<Ended, CliError> {
    if let Some(snapshot) = snapshot {
        check_file(snapshot, "--snapshot")?;
        check_not_read(snapshot, "--snapshot", &[file])?;
    }
    let mut replay = CommandReplay::open(file, Resume { threads: default_threads(), ..Resume::default() })?;
    let (begin, step) = (replay.world().ticks(), replay.world().settings().step);
    let last = until.map_or(u64::MAX, |until| (f64::from(until) / f64::from(step)).round() as u64);
    let stop = Stop::watch("what is done again");
    let mut done = Done::default();
    let warn = |what: &str, tick: u64, error: &WorldError| tell("warning", &format!("tick {tick}: {what}: {error}"));
    loop {
        let tick = replay.world().ticks();
        if stop.is_asked() || tick >= last {
            break;
        }
        match replay.advance()? {
            Some(Replayed::Command(command, taken)) => {
                done.commands += 1;
                if lists {
                    say(&format!("  tick {tick:>6}  {command:?}"));
                }
                if let Err(error) = taken {
                    done.errors += 1;
                    warn("refused, as it was", tick, &error);
                }
            }
            Some(Replayed::Tick(went)) => {
                if let Err(error) = went {
                    done.errors += 1;
                    warn("the tick", tick, &error);
                }
            }
            Some(_) => done.compared += 1,
            None => break,
        }
    }
    let world = replay.world();
    (done.ticks, done.tick, done.agents) = (world.ticks() - begin, world.ticks(), world.agents());
    (done.position_hash, done.cut) = (format!("{:016x}", world.position_hash()), replay.is_cut());
    let Done { commands, ticks, tick, .. } = done;
    say(&format!(
        "{}: {} commands in {} ticks ({:.1} s), from tick {begin} to {tick}",
        file.display(),
        grouped(commands as u64),
        grouped(ticks),
        seconds(ticks, step)
    ));
    let compared = match done.compared {
        0 => "the log compares no places".to_owned(),
        1 => "where they were the one time that the log compares".to_owned(),
        times => format!("where they were all {times} times that the log compares"),
    };
    say(&format!("  {} agents, {compared}; hash {}", grouped(done.agents as u64), done.position_hash));
    if done.cut {
        tell(
            "warning",
            &format!("{}: the last entry is cut: its program was killed, or the copy is not whole", file.display()),
        );
    }
    if let Some(path) = snapshot {
        world.save(path)?;
        say(&format!("wrote {}", path.display()));
    }
    result(&done);
    Ok(stop.ended())
}
