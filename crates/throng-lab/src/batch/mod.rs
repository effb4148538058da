//! The same scenario many times: seeds and numbers vary, everything else stays.
//!
//! A [`Batch`] is a scenario with the numbers that are varied ([`Vary`]) and the seeds ([`Seeds`]): a grid of points, and on
//! each point a run for every seed. [`Batch::work`] does them on several threads, each world on one; a [`Table`] takes
//! their [`Row`]s in order, whichever is done first, and continues where it was left; [`Score`]s sum them up.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use throng_lab::batch::{Batch, Score, Seeds, Shard, Table};
//! use throng_scenario::Template;
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("a.map"), format!("type octile\nheight 4\nwidth 12\nmap\n{}", "............\n".repeat(4)))?;
//! # let path = folder.path().join("duel.toml");
//! std::fs::write(&path, r#"
//!     map = "a.map"
//!     [[army]]
//!     name = "red"
//!     squad = [{ count = 2, position = [2, 2] }]
//!     [[army]]
//!     name = "blue"
//!     squad = [{ count = 1, position = [9, 2], order = "attack" }]
//! "#)?;
//! let varies = vec!["army.blue.soldier.count=1,3".parse()?];
//! let (batch, _) = Batch::new(Template::load(&path)?, varies, Seeds::Range(1, 4).list(None)?, None)?;
//! let mut table = Table::in_memory(&batch, batch.runs(Shard::default()));
//! let todo = table.todo();
//! batch.work(&todo, 2, &AtomicBool::new(false), |place, row| table.add(place, row), || ())?;
//! let scores = Score::of(&batch, table.rows());
//! assert_eq!(scores.iter().map(|score| score.runs).collect::<Vec<_>>(), [4, 4]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decimal;
mod error;
mod fnv;
mod identity;
mod key;
mod plan;
mod row;
mod score;
mod seeds;
mod shard;
mod share;
mod table;
#[cfg(test)]
mod tests;
mod vary;
mod wilson;
mod work;

pub use decimal::Decimal;
pub use error::BatchError;
pub use plan::{Batch, Run};
pub use row::{ArmyResult, Row};
pub use score::Score;
pub use seeds::Seeds;
pub use shard::Shard;
pub use table::Table;
pub use vary::Vary;
pub use wilson::wilson;
