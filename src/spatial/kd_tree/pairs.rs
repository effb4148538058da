//! All pairs: each leaf against itself and against those after it.

use super::{KdTree, ROOM, place, squared};
use crate::simd::Level;
use crate::spatial::Bodies;
use std::ops::{ControlFlow, Range};

impl<const D: usize> KdTree<D> {
    pub(super) fn join(&self, bodies: Bodies<D>, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let mut tests = 0;
        for (at, leaf) in self.nodes.iter().enumerate() {
            if !self.is_leaf(at) {
                continue;
            }
            for own in leaf.places() {
                let others = own + 1..leaf.last as usize;
                if self.meet(bodies, own, others, leaf.widest, &mut tests, &mut visit).is_break() {
                    return tests;
                }
            }
            let mut other = at + 1;
            while let Some(node) = self.nodes.get(other) {
                if !leaf.near(node) {
                    other = node.skip as usize;
                    continue;
                }
                if self.is_leaf(other) {
                    for own in leaf.places() {
                        let reach = self.radius[own] + node.widest;
                        if node.gap(self.position[own]) < reach * reach
                            && self.meet(bodies, own, node.places(), node.widest, &mut tests, &mut visit).is_break()
                        {
                            return tests;
                        }
                    }
                }
                other += 1;
            }
        }
        tests
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
        let mut found = [0; ROOM];
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
