//! The nodes of jump point search.

use crate::jps::place::Place;
use crate::successors::START;

/// The label of a jump point in a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The cell, packed.
    place: u32,
    /// Cost of the best way found so far.
    pub(crate) g: u32,
    /// The node before on that way: first diagonal, then straight steps lead from there to here.
    pub(crate) parent: u32,
    /// Directions of arrival at that cost that are still to be expanded, a bit each; [`START`] is one.
    pub(crate) open: u16,
    /// Directions that have been expanded.
    pub(crate) closed: u16,
}

impl Node {
    #[inline]
    pub(crate) fn place(&self) -> Place {
        Place::unpack(self.place)
    }

    /// True for the node in which the search began.
    pub(crate) fn is_start(&self) -> bool {
        self.open | self.closed == 1 << START
    }
}

/// The nodes side by side in the order in which they were found, and an index by their cells: open addressing, at most half
/// full. A search starts with a small index, which lies in the cache, so that only long ones spread out.
#[derive(Debug)]
pub(crate) struct Nodes {
    /// Numbers of nodes; 0 is none. There are `2^(32 - shift)`.
    slots: Vec<u32>,
    shift: u32,
    /// The first belongs to no cell.
    list: Vec<Node>,
}

impl Default for Nodes {
    fn default() -> Self {
        Self { slots: Vec::new(), shift: Self::SHIFT, list: Vec::new() }
    }
}

impl Nodes {
    /// 2^10 slots to begin with.
    const SHIFT: u32 = 22;

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>() + self.list.capacity() * size_of::<Node>()
    }

    /// Forgets all nodes.
    pub(crate) fn restart(&mut self) {
        self.list.clear();
        self.list.push(Node { place: u32::MAX, g: 0, parent: 0, open: 0, closed: 0 });
        self.shift = Self::SHIFT;
        self.make_room(0);
    }

    /// Notes a way to a place that comes from the node `parent` by direction `d` and costs `g`. Returns the number of its
    /// node where that has to be queued.
    #[inline]
    pub(crate) fn reach(&mut self, place: Place, g: u32, parent: u32, d: usize) -> Option<u32> {
        let place = place.pack();
        let open = 1 << d;
        let (slot, id) = self.find(place);
        if id == 0 {
            let id = self.list.len() as u32;
            self.list.push(Node { place, g, parent, open, closed: 0 });
            self.slots[slot] = id;
            if self.list.len() > self.slots.len() / 2 {
                self.make_room(2);
            }
            return Some(id);
        }
        let node = &mut self.list[id as usize];
        if g < node.g {
            *node = Node { place, g, parent, open, closed: 0 };
            return Some(id);
        }
        if g > node.g || open & node.closed != 0 {
            return None;
        }
        // One expansion serves all directions of arrival at the same cost.
        let queued = node.open != 0;
        node.open |= open;
        (!queued).then_some(id)
    }

    /// Notes that the search ends in a place, to which the node `parent` leads at the cost `g`.
    pub(crate) fn end(&mut self, place: Place, g: u32, parent: u32) {
        self.reach(place, g, parent, 0);
        let id = self.find(place.pack()).1;
        let node = &mut self.list[id as usize];
        (node.g, node.parent, node.open) = (g, parent, 0);
    }

    /// The node of a place.
    pub(crate) fn get(&self, place: Place) -> Option<&Node> {
        let id = if self.slots.is_empty() { 0 } else { self.find(place.pack()).1 };
        (id > 0).then(|| &self.list[id as usize])
    }

    #[inline]
    fn slot(&self, place: u32) -> usize {
        (place.wrapping_mul(0x9e37_79b1) >> self.shift) as usize
    }

    /// The slot for a place, and the number in it.
    #[inline]
    fn find(&self, place: u32) -> (usize, u32) {
        let mut slot = self.slot(place);
        loop {
            let id = self.slots[slot];
            if id == 0 || self.list[id as usize].place == place {
                return (slot, id);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Makes an index with `2^bits` times as many slots.
    #[cold]
    fn make_room(&mut self, bits: u32) {
        self.shift -= bits;
        self.slots.clear();
        self.slots.resize(1 << (32 - self.shift), 0);
        for (id, node) in self.list.iter().enumerate().skip(1) {
            let mut slot = self.slot(node.place);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = id as u32;
        }
    }
}

impl std::ops::Index<u32> for Nodes {
    type Output = Node;

    #[inline]
    fn index(&self, id: u32) -> &Node {
        &self.list[id as usize]
    }
}

impl std::ops::IndexMut<u32> for Nodes {
    #[inline]
    fn index_mut(&mut self, id: u32) -> &mut Node {
        &mut self.list[id as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_sixteen_bytes() {
        assert_eq!(size_of::<Node>(), 16);
    }

    #[test]
    fn better_ways_replace_and_equal_ones_join() {
        let mut nodes = Nodes::default();
        nodes.restart();
        let place = Place { x: 5, y: 6 };
        assert_eq!(nodes.reach(place, 10, 3, 0), Some(1));
        assert_eq!(nodes.reach(place, 11, 4, 1), None);
        assert_eq!(nodes.reach(place, 10, 4, 1), None);
        assert_eq!((nodes[1].open, nodes[1].parent), (0b11, 3));
        (nodes[1].open, nodes[1].closed) = (0, 0b11);
        assert_eq!(nodes.reach(place, 10, 4, 1), None, "followed already");
        assert_eq!(nodes.reach(place, 10, 4, 2), Some(1), "one more direction");
        assert_eq!(nodes.reach(place, 9, 4, 3), Some(1));
        assert_eq!((nodes[1].open, nodes[1].closed, nodes[1].parent), (0b1000, 0, 4));
    }

    #[test]
    fn places_keep_their_numbers_while_the_index_grows() {
        let mut nodes = Nodes::default();
        assert!(nodes.get(Place { x: 3, y: 4 }).is_none());
        for _ in 0..3 {
            nodes.restart();
            assert!(nodes.get(Place { x: 1, y: 1 }).is_none());
            for i in 1..5000 {
                let place = Place { x: i % 70, y: i / 70 };
                assert_eq!(nodes.reach(place, i, 0, 1), Some(i));
                let known = Place { x: i / 2 % 70, y: i / 2 / 70 };
                let node = nodes.get(known).map(|node| (node.g, node.place()));
                assert_eq!(node, (i > 1).then_some((i / 2, known)));
            }
        }
    }
}
