//! Pairs of bodies that overlap.

use super::{HashGrid, Member, Window};
use crate::spatial::Bodies;
use crate::volume::distance_squared;
use std::ops::{ControlFlow, Range};

impl<const D: usize> HashGrid<D> {
    /// Tests one member with those at some places, but for large ones up to `known`.
    #[inline]
    fn test<const RESTING: bool>(
        &self,
        bodies: Bodies<D>,
        one: &Member<D>,
        places: Range<usize>,
        known: usize,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
        tests: &mut u64,
    ) -> ControlFlow<()> {
        let rests = RESTING && bodies.rests(one.row as usize);
        for other in places {
            let candidate = &self.member[other];
            let left_out = candidate.radius > self.sizes.limit && other <= known;
            if left_out || RESTING && rests && bodies.rests(candidate.row as usize) {
                continue;
            }
            *tests += 1;
            let reach = one.radius + candidate.radius;
            if distance_squared(one.position, candidate.position) < reach * reach {
                visit(one.row.min(candidate.row), one.row.max(candidate.row))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// `pairs` of small bodies, with a look at who rests only where anyone does: each cell with the
    /// later ones near it.
    #[inline]
    pub(super) fn pairs_of_small<const RESTING: bool>(
        &self,
        bodies: Bodies<D>,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
        tests: &mut u64,
    ) -> ControlFlow<()> {
        for number in 0..self.block.len() {
            let origin = self.block[number].map(|x| x << Self::SHIFT);
            let mut first = self.start[number * Self::CELLS] as usize;
            for local in 0..Self::CELLS {
                let own = first..self.start[number * Self::CELLS + local + 1] as usize;
                if own.is_empty() {
                    continue;
                }
                first = own.end;
                let at: [i32; D] =
                    std::array::from_fn(|axis| (local >> (Self::SHIFT as usize * axis)) as i32 & Self::MASK);
                let window = Window {
                    low: std::array::from_fn(|axis| origin[axis] + at[axis] - self.apart),
                    high: std::array::from_fn(|axis| origin[axis] + at[axis] + self.apart),
                };
                let mut meet = |places: Range<usize>| {
                    own.clone().filter(|&one| self.member[one].radius <= self.sizes.limit).try_for_each(|one| {
                        let later = places.start.max(one + 1)..places.end;
                        self.test::<RESTING>(bodies, &self.member[one], later, usize::MAX, visit, tests)
                    })
                };
                // In this block all rows before are done; in others nothing is.
                let mut here = window;
                here.low[D - 1] = origin[D - 1] + at[D - 1];
                self.stretches(number, &here, &mut meet)?;
                if at.iter().any(|&x| x < self.apart || x + self.apart > Self::MASK) {
                    self.blocks(&window, number + 1, |number| self.stretches(number, &window, &mut meet))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// `pairs` of large bodies with all others: each with all small ones and the later large ones.
    pub(super) fn pairs_of_large(
        &self,
        bodies: Bodies<D>,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
        tests: &mut u64,
    ) -> ControlFlow<()> {
        if self.sizes.count == self.member.len() {
            return ControlFlow::Continue(());
        }
        for (place, member) in self.member.iter().enumerate().filter(|(_, member)| member.radius > self.sizes.limit) {
            let window = self.window(member.position, member.position, member.radius + self.extent.widest);
            self.blocks(&window, 0, |number| {
                self.stretches(number, &window, |places| self.test::<true>(bodies, member, places, place, visit, tests))
            })?;
        }
        ControlFlow::Continue(())
    }
}
