//! The ways from subgoals to their hubs.

use super::hubs::HubLabels;
use super::walk::{Terrain, turn};
use crate::jps::place::Place;

/// The trees of shortest ways that the searches from the hubs left: from every entry of a label the places on the way to
/// its hub.
///
/// The nodes of a tree follow each other depth first, the child with the most descendants right after its parent. So most
/// ways lie side by side in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chains {
    nodes: Vec<ChainNode>,
    /// For the label of each subgoal where its entries begin.
    first: Vec<u32>,
    /// The hubs of all labels.
    hubs: Vec<u16>,
    /// Their nodes.
    starts: Vec<u32>,
}

/// A subgoal on the way to a hub.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ChainNode {
    /// Its place, packed.
    place: u32,
    /// The node that follows, the hub's own is itself; and [`BACKWARDS`].
    next: u32,
}

/// Set where the way to the next node turns where the way back from there would.
const BACKWARDS: u32 = 1 << 31;

/// No node.
const NONE: u32 = u32::MAX;

impl Chains {
    /// O(entries of all labels, and the steps between their subgoals).
    pub(super) fn new(labels: &HubLabels, places: &[Place], terrain: Terrain<'_>) -> Self {
        let count = labels.labels.len();
        let mut first = vec![0_u32];
        first.extend(labels.labels.iter().scan(0, |end, label| {
            *end += label.len() as u32;
            Some(*end)
        }));
        let all = || labels.labels.iter().flatten();
        let hubs: Vec<u16> = all().map(|entry| entry.hub).collect();
        let subgoal_of = |entry: u32| first.partition_point(|&first| first <= entry) as u32 - 1;
        // The entries of each hub, in the order of subgoals.
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (entry, &hub) in (0..).zip(&hubs) {
            members[usize::from(hub)].push(entry);
        }
        let parents: Vec<u32> = all().map(|entry| first[usize::from(entry.next)] + u32::from(entry.place)).collect();
        let mut tree = HubTree { slot: vec![NONE; hubs.len()], ..HubTree::default() };
        let mut chains =
            Self { nodes: Vec::with_capacity(hubs.len()), starts: vec![NONE; hubs.len()], ..Self::default() };
        for members in &members {
            tree.order(members, &parents);
            for &entry in &tree.ordered {
                let node = chains.nodes.len() as u32;
                chains.starts[entry as usize] = node;
                let place = places[subgoal_of(entry) as usize];
                let parent = parents[entry as usize];
                let is_hub = parent == entry;
                let next = if is_hub { node } else { chains.starts[parent as usize] };
                let backwards =
                    !is_hub && !terrain.diagonal_first(place, Place::unpack(chains.nodes[next as usize].place));
                let next = next | if backwards { BACKWARDS } else { 0 };
                chains.nodes.push(ChainNode { place: place.pack(), next });
            }
        }
        Self { first, hubs, ..chains }
    }

    /// Adds the places from a subgoal to one of its hubs, both included, and those where the way turns.
    #[inline]
    pub(super) fn follow(&self, subgoal: u16, hub: u16, route: &mut Vec<Place>) {
        let [start, end] = [0, 1].map(|i| self.first[usize::from(subgoal) + i] as usize);
        let Ok(place) = self.hubs[start..end].binary_search(&hub) else { return };
        let mut number = self.starts[start + place];
        let mut node = self.nodes[number as usize];
        loop {
            let place = Place::unpack(node.place);
            route.push(place);
            let following = node.next & !BACKWARDS;
            if following == number {
                return;
            }
            let after = self.nodes[following as usize];
            let next = Place::unpack(after.place);
            let turn = if node.next & BACKWARDS != 0 { turn(next, place) } else { turn(place, next) };
            route.extend(turn);
            (number, node) = (following, after);
        }
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.first) + size_of_val(&*self.hubs) + size_of_val(&*self.starts)
    }

    /// Bytes for so many entries of labels.
    pub(super) const fn bytes_of(entries: usize) -> usize {
        entries * (size_of::<ChainNode>() + size_of::<u16>() + size_of::<u32>())
    }
}

/// The tree of one hub while its nodes are brought into order.
#[derive(Debug, Default)]
struct HubTree {
    /// The place of an entry among the members.
    slot: Vec<u32>,
    children: Vec<Vec<u32>>,
    size: Vec<u32>,
    stack: Vec<u32>,
    ordered: Vec<u32>,
}

impl HubTree {
    /// Orders the entries of a hub depth first, large subtrees first.
    fn order(&mut self, members: &[u32], parents: &[u32]) {
        let Self { slot, children, size, stack, ordered } = self;
        for (place, &entry) in (0..).zip(members) {
            slot[entry as usize] = place;
        }
        children.iter_mut().for_each(Vec::clear);
        children.resize_with(members.len().max(children.len()), Vec::new);
        size.clear();
        size.resize(members.len(), 1);
        stack.clear();
        for &entry in members {
            let parent = parents[entry as usize];
            if parent == entry {
                stack.push(entry);
            } else {
                children[slot[parent as usize] as usize].push(entry);
            }
        }
        let root = stack.clone();
        ordered.clear();
        ordered.extend_from_slice(&root);
        let mut next = 0;
        while let Some(&entry) = ordered.get(next) {
            ordered.extend_from_slice(&children[slot[entry as usize] as usize]);
            next += 1;
        }
        for &entry in ordered.iter().rev() {
            let parent = parents[entry as usize];
            if parent != entry {
                size[slot[parent as usize] as usize] += size[slot[entry as usize] as usize];
            }
        }
        ordered.clear();
        while let Some(entry) = stack.pop() {
            ordered.push(entry);
            let children = &mut children[slot[entry as usize] as usize];
            // The largest is taken first.
            children.sort_by_key(|&child| size[slot[child as usize] as usize]);
            stack.extend_from_slice(children);
        }
    }
}
