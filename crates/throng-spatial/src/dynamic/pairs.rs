//! Pairs of bodies that overlap.

use super::DynamicBuckets;
use super::corner_stitching::Units;
use crate::Bodies;
use crate::lists::NONE;
use crate::volume::distance_squared;
use std::ops::ControlFlow;

/// A body that looks for partners.
#[derive(Clone, Copy)]
struct Seeker {
    place: u32,
    window: Units,
}

/// So many bodies of a bucket look around together.
const SEEKER_BODIES: usize = 16;

impl DynamicBuckets {
    /// `pairs` of small bodies, with a look at rest only where a body rests.
    pub(super) fn pairs_of_small<const RESTING: bool>(
        &self,
        bodies: Bodies<2>,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
        tests: &mut u64,
    ) -> ControlFlow<()> {
        let (lists, limit) = (&self.lists, self.sizes.limit);
        let mut test = |one: u32, other: u32| {
            let (a, b) = (&lists.member[one as usize], &lists.member[other as usize]);
            let (i, j) = (lists.row[one as usize], lists.row[other as usize]);
            if b.radius > limit || RESTING && bodies.rests(i as usize) && bodies.rests(j as usize) {
                return ControlFlow::Continue(());
            }
            *tests += 1;
            let reach = a.radius + b.radius;
            if distance_squared(a.position, b.position) < reach * reach {
                visit(i.min(j), i.max(j))
            } else {
                ControlFlow::Continue(())
            }
        };
        let mut seekers = [Seeker { place: 0, window: Units { left: 0, right: 0, top: 0, bottom: 0 } }; SEEKER_BODIES];
        for number in 0..self.stitching.cell.len() as u32 {
            let cell = *self.stitching.at(number);
            let mut at = lists.head[number as usize];
            while at != NONE {
                let mut count = 0;
                while at != NONE && count < SEEKER_BODIES {
                    let member = &lists.member[at as usize];
                    if member.radius <= limit {
                        let window = self.window(member.position, member.position, member.radius + self.sizes.small);
                        seekers[count] = Seeker { place: at, window };
                        count += 1;
                        let mut other = member.next;
                        while other != NONE {
                            test(at, other)?;
                            other = lists.member[other as usize].next;
                        }
                    }
                    at = member.next;
                }
                let seekers = &seekers[..count];
                let Some(all) = seekers.iter().map(|seeker| seeker.window).reduce(Units::join) else { continue };
                // Each two buckets once, from the one that begins further up, or further left: above there is nothing.
                let [right, bottom] = cell.last();
                let below = Units { top: cell.y, ..all };
                if all.left >= cell.x && all.right <= right && all.bottom <= bottom {
                    continue;
                }
                let mut flow = ControlFlow::Continue(());
                self.stitching.meeting(number, &below, |other| {
                    let later = self.stitching.at(other);
                    if later.count > 0 && (later.y, later.x) > (cell.y, cell.x) {
                        for seeker in seekers.iter().filter(|seeker| later.meets(&seeker.window)) {
                            flow = lists.list(other).try_for_each(|candidate| test(seeker.place, candidate));
                            if flow.is_break() {
                                break;
                            }
                        }
                    }
                    flow.is_continue()
                });
                flow?;
            }
        }
        ControlFlow::Continue(())
    }

    /// `pairs` of large bodies with all others.
    pub(super) fn pairs_of_large(
        &self,
        bodies: Bodies<2>,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
        tests: &mut u64,
    ) -> ControlFlow<()> {
        if self.sizes.count == self.lists.len() {
            return ControlFlow::Continue(());
        }
        for (place, member) in self.lists.member.iter().enumerate() {
            if member.radius <= self.sizes.limit {
                continue;
            }
            let row = self.lists.row[place];
            let reach = member.radius + self.extent.widest;
            let window = self.window(member.position, member.position, reach);
            self.visit(self.bucket[place], &window, |other| {
                let candidate = &self.lists.member[other as usize];
                let known = candidate.radius > self.sizes.limit && other as usize <= place;
                let found = self.lists.row[other as usize];
                if known || bodies.rests(row as usize) && bodies.rests(found as usize) {
                    return ControlFlow::Continue(());
                }
                *tests += 1;
                let reach = member.radius + candidate.radius;
                if distance_squared(member.position, candidate.position) < reach * reach {
                    visit(row.min(found), row.max(found))
                } else {
                    ControlFlow::Continue(())
                }
            })?;
        }
        ControlFlow::Continue(())
    }
}
