//! Blocks of cells row by row, on several threads.

use super::block_builder::BlockBuilder;
use super::blocks::{Blocks, SIDE};
use super::budget::Budget;
use super::hubs::HubLabels;
use super::subgoals::Subgoals;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use throng_grid::Lattice;

/// The labels of all cells; `None` where they would cost more than the budget. Each row of blocks is made by
/// itself, so that the result does not depend on the number of threads.
pub(super) fn blocks(
    lattice: Lattice,
    subgoals: &Subgoals<'_>,
    labels: &HubLabels,
    budget: Budget,
    threads: usize,
) -> Option<Blocks> {
    let (columns, rows) = (lattice.width.div_ceil(SIDE), lattice.height.div_ceil(SIDE));
    let (next_row, bytes) = (AtomicUsize::new(0), AtomicUsize::new(size_of::<(u32, u32)>()));
    let spent = AtomicU64::new(0);
    let work = || {
        let mut builder = BlockBuilder::new(lattice, subgoals, labels);
        let mut done = Vec::new();
        loop {
            let row = next_row.fetch_add(1, Ordering::Relaxed);
            if row >= rows as usize {
                return done;
            }
            let mut part = Blocks::default();
            for column in 0..columns {
                builder.add_block(column, row as u32, &mut part);
            }
            let (part_bytes, part_work) = (part.bytes(), builder.take_work());
            // More than the limit stays more, whichever row is counted first.
            if bytes.fetch_add(part_bytes, Ordering::Relaxed) + part_bytes > budget.bytes
                || spent.fetch_add(part_work, Ordering::Relaxed) + part_work > budget.work
            {
                next_row.store(rows as usize, Ordering::Relaxed);
                return done;
            }
            done.push((row, part));
        }
    };
    let mut parts: Vec<(usize, Blocks)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(rows as usize)).map(|_| scope.spawn(work)).collect();
        let mut parts = work();
        // A thread that could not end has left its rows out: the count below tells.
        for other in others {
            parts.extend(other.join().unwrap_or_default());
        }
        parts
    });
    if parts.len() < rows as usize {
        return None;
    }
    parts.sort_unstable_by_key(|&(row, _)| row);
    Some(Blocks::joined(columns, parts.into_iter().map(|(_, part)| part)))
}
