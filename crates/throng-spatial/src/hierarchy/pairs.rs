//! All pairs: each node that keeps bodies against itself and against those after it.

use super::{Fit, Hierarchy, LEAF_FINDINGS, place, squared};
use crate::Bodies;
use crate::simd::Level;
use std::ops::{ControlFlow, Range};

impl<const D: usize, F: Fit<D>> Hierarchy<D, F> {
    pub fn pairs(&self, bodies: Bodies<D>, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let mut tests = 0;
        let _ = self.join(bodies, &mut tests, &mut visit);
        tests
    }

    fn join(
        &self,
        bodies: Bodies<D>,
        tests: &mut u64,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (at, node) in self.nodes.iter().enumerate() {
            if node.first == node.kept {
                continue;
            }
            for own in node.places() {
                self.meet(bodies, own, own + 1..node.kept as usize, node.widest, tests, visit)?;
            }
            let bounds = self.bounds(node.places());
            let mut next = at + 1;
            while let Some(other) = self.nodes.get(next) {
                if !other.fit.touches(&bounds) {
                    next = other.skip as usize;
                    continue;
                }
                if other.first < other.kept {
                    for own in node.places() {
                        if other.fit.reaches(self.position[own], self.radius[own]) {
                            self.meet(bodies, own, other.places(), other.widest, tests, visit)?;
                        }
                    }
                }
                next += 1;
            }
        }
        ControlFlow::Continue(())
    }

    /// Tests the body of one place against those of others, none wider than `widest`.
    #[inline]
    fn meet(
        &self,
        bodies: Bodies<D>,
        own: usize,
        others: Range<usize>,
        widest: f32,
        tests: &mut u64,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (row, radius) = (self.row[own], self.radius[own]);
        let rests = bodies.rests(row as usize);
        *tests += if rests {
            self.row[others.clone()].iter().filter(|&&other| !bodies.rests(other as usize)).count()
        } else {
            others.len()
        } as u64;
        let mut found = [0; LEAF_FINDINGS];
        let reach = radius + widest;
        let count = self.scan(Level::detect(), others, self.position[own], reach * reach, &mut found, 0);
        for &finding in &found[..count] {
            let other = self.row[place(finding)];
            let reach = radius + self.radius[place(finding)];
            if squared(finding) < reach * reach && !(rests && bodies.rests(other as usize)) {
                visit(row.min(other), row.max(other))?;
            }
        }
        ControlFlow::Continue(())
    }
}
