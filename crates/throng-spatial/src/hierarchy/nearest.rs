//! The nearest bodies: the nearer side of each cut first.

use super::{Fit, Hierarchy, LEAF_FINDINGS, place, squared};
use crate::simd::{self, Level};
use crate::{Bodies, NearRows};
use std::ops::{ControlFlow, Range};

/// Candidates for a list of neighbours that are kept at once.
const CANDIDATES: usize = 1024;

/// The greatest squared distance below that of `reach`, if any is.
fn first_limit(reach: f32) -> Option<f32> {
    (reach > 0.0).then(|| (reach * reach).next_down())
}

/// The most children of a node.
const CHILDREN: usize = 4;

impl<const D: usize, F: Fit<D>> Hierarchy<D, F> {
    /// Calls `look(places, limit)` with the nodes that may keep bodies whose squared distance is at most `limit`, near
    /// ones first; it returns the limit from then on.
    fn descend(&self, point: [f32; D], limit: f32, look: &mut impl FnMut(Range<usize>, f32) -> f32) {
        if self.nodes.first().is_some_and(|root| root.fit.gap(point) <= limit) {
            self.descend_from(0, point, limit, look);
        }
    }

    fn descend_from(
        &self,
        at: usize,
        point: [f32; D],
        mut limit: f32,
        look: &mut impl FnMut(Range<usize>, f32) -> f32,
    ) -> f32 {
        let node = &self.nodes[at];
        if node.first < node.kept {
            limit = look(node.places(), limit);
        }
        let mut children = [(f32::INFINITY, 0); CHILDREN];
        let (mut count, mut child) = (0, at + 1);
        while child < node.skip as usize {
            let gap = self.nodes[child].fit.gap(point);
            let mut to = count;
            while to > 0 && gap < children[to - 1].0 {
                children[to] = children[to - 1];
                to -= 1;
            }
            children[to] = (gap, child);
            count += 1;
            child = self.nodes[child].skip as usize;
        }
        for &(gap, child) in &children[..count] {
            if gap <= limit {
                limit = self.descend_from(child, point, limit, look);
            }
        }
        limit
    }

    pub fn nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        let level = Level::detect();
        // Squared distance, id, row.
        let mut best: Option<(f32, u32, u32)> = None;
        self.descend(point, first_limit(reach)?, &mut |places, mut limit| {
            let mut found = [0; LEAF_FINDINGS];
            let count = self.scan(level, places, point, limit.next_up(), &mut found, 0);
            for &finding in &found[..count] {
                let (row, squared) = (self.row[place(finding)], squared(finding));
                let candidate = (squared, bodies.id[row as usize], row);
                if squared <= limit && best.is_none_or(|best| candidate < best) && accept(row) {
                    best = Some(candidate);
                    limit = squared;
                }
            }
            limit
        });
        best.map(|(squared, _, row)| (row, squared))
    }

    pub fn k_nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        k: usize,
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
        found: &mut Vec<(u32, f32)>,
    ) {
        found.clear();
        let (Some(limit), true) = (first_limit(reach), k > 0) else { return };
        let level = Level::detect();
        let further = |a: (u32, f32), b: (u32, f32)| {
            a.1 > b.1 || (a.1 == b.1 && bodies.id[a.0 as usize] > bodies.id[b.0 as usize])
        };
        self.descend(point, limit, &mut |places, mut limit| {
            let mut near = [0; LEAF_FINDINGS];
            let count = self.scan(level, places, point, limit.next_up(), &mut near, 0);
            for &finding in &near[..count] {
                let candidate = (self.row[place(finding)], squared(finding));
                let full = found.len() == k;
                if candidate.1 > limit || (full && !further(found[0], candidate)) || !accept(candidate.0) {
                    continue;
                }
                if full {
                    found[0] = candidate;
                    sift_down(found, further);
                } else {
                    found.push(candidate);
                    sift_up(found, further);
                }
                if found.len() == k {
                    limit = found[0].1;
                }
            }
            limit
        });
        found.sort_unstable_by_key(|&(row, squared)| (squared.to_bits(), bodies.id[row as usize]));
    }

    pub fn neighbours(&self, bodies: Bodies<D>, first: usize, reach: f32, near: NearRows<'_>) {
        let NearRows { k, count, rows } = near;
        count.fill(0);
        let (Some(limit), true) = (first_limit(reach), k > 0) else { return };
        let mut found = [0; CANDIDATES];
        let mut guess = limit;
        for (i, (count, rows)) in count.iter_mut().zip(rows.chunks_mut(k)).enumerate() {
            let own = (first + i) as u32;
            let point = bodies.position[own as usize];
            // One more than k, since a body finds itself.
            let mut hits = self.around(bodies.id, point, guess.min(limit), k + 1, &mut found);
            if hits <= k && guess < limit {
                guess *= 2.0;
                hits = self.around(bodies.id, point, guess.min(limit), k + 1, &mut found);
            }
            if hits <= k && guess < limit {
                hits = self.candidates(bodies.id, point, limit, k + 1, &mut found);
            }
            let found = &mut found[..hits];
            self.sort(bodies.id, found);
            let others = found.iter().map(|&finding| self.row[place(finding)]).filter(|&row| row != own);
            for (place, row) in rows.iter_mut().zip(others) {
                *place = row;
                *count += 1;
            }
            // The next query will need about as much as this one.
            let needed = found.get(k).map_or(limit, |&finding| squared(finding) * 1.4);
            guess = (guess.min(needed * 4.0) + needed) * 0.5;
        }
    }

    /// As [`candidates`](Self::candidates), but in no order: faster where the limit is a good guess.
    fn around(&self, ids: &[u32], point: [f32; D], limit: f32, k: usize, found: &mut [u64; CANDIDATES]) -> usize {
        let (level, mut limit, mut count) = (Level::detect(), limit.next_up(), 0);
        let _ = F::walk(self, point, limit, &mut |places| {
            count = self.scan(level, places, point, limit, found, count);
            if count > CANDIDATES - LEAF_FINDINGS {
                limit = self.keep(ids, k, &mut found[..count]).next_up();
                count = k;
            }
            ControlFlow::Continue(())
        });
        count
    }

    /// Brings the `k` nearest to the front, of those equally far the ones with the smallest ids; the squared distance of
    /// the last of them.
    fn keep(&self, ids: &[u32], k: usize, found: &mut [u64]) -> f32 {
        let (_, last, _) = found.select_nth_unstable_by_key(k - 1, |&finding| self.key(ids, finding));
        squared(*last)
    }

    /// Finds the `k` nearest, or all that are at most as far as `limit`, and perhaps some more.
    fn candidates(&self, ids: &[u32], point: [f32; D], limit: f32, k: usize, found: &mut [u64; CANDIDATES]) -> usize {
        let level = Level::detect();
        let mut count = 0;
        let enough = (2 * k).min(CANDIDATES - LEAF_FINDINGS);
        self.descend(point, limit, &mut |places, mut limit| {
            count = self.scan(level, places, point, limit.next_up(), found, count);
            if count > enough {
                limit = self.keep(ids, k, &mut found[..count]);
                count = k;
            }
            limit
        });
        count
    }

    fn key(&self, ids: &[u32], finding: u64) -> (u64, u32) {
        (finding >> 32, ids[self.row[place(finding)] as usize])
    }

    /// Sorts by distance, then id.
    fn sort(&self, ids: &[u32], found: &mut [u64]) {
        simd::sort(Level::detect(), found);
        if found.windows(2).any(|pair| pair[0] >> 32 == pair[1] >> 32) {
            found.sort_unstable_by_key(|&finding| self.key(ids, finding));
        }
    }
}

/// Restores the order of a binary heap after its last element was added.
fn sift_up<T: Copy>(heap: &mut [T], above: impl Fn(T, T) -> bool) {
    let mut at = heap.len() - 1;
    while at > 0 {
        let parent = (at - 1) / 2;
        if !above(heap[at], heap[parent]) {
            return;
        }
        heap.swap(at, parent);
        at = parent;
    }
}

/// Restores the order of a binary heap after its first element was replaced.
fn sift_down<T: Copy>(heap: &mut [T], above: impl Fn(T, T) -> bool) {
    let mut at = 0;
    loop {
        let mut child = 2 * at + 1;
        if child >= heap.len() {
            return;
        }
        if child + 1 < heap.len() && above(heap[child + 1], heap[child]) {
            child += 1;
        }
        if !above(heap[child], heap[at]) {
            return;
        }
        heap.swap(at, child);
        at = child;
    }
}
