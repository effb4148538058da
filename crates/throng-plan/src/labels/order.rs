//! The order of hubs: the subgoal through which most shortest ways lead comes first.

use super::label_entry::LabelEntry;
use super::pruned_search::PrunedSearch;
use super::subgoals::SubgoalGraph;

/// Trees sampled before the first hub is chosen; as many times all subgoals are kept in trees.
const TREES: usize = 64;

/// Trees that may be grown for each hub after that.
const TREES_A_HUB: usize = 4;

/// A rank's part that is the score.
const SCORE: u64 = 64;

/// A choice of hubs by sampled trees of shortest ways.
///
/// D. Delling, A. Goldberg, T. Pajor, R. Werneck: Robust distance queries on massive networks. ESA 2014 (RXL). A subgoal's
/// score is the number of sampled ways through it that no hub covers yet: its descendants in the trees. A chosen hub is
/// cut out of all trees with what hangs on it. New trees are grown as the old ones shrink; they leave out the ways that the
/// labels know already.
#[derive(Debug)]
pub(super) struct HubOrder {
    /// Roots in a random order, the same in every run.
    roots: Vec<u32>,
    next_root: usize,
    trees: Vec<Tree>,
    /// The trees of a subgoal, and its nodes there.
    nodes: Vec<Vec<(u32, u32)>>,
    /// The score of a subgoal, then its neighbours, up to 62, and one; 0 once it is chosen.
    rank: Vec<u64>,
    /// Nodes of all trees.
    alive: usize,
    /// Trees in a row that were hardly more than their root.
    barren: usize,
    /// The node of a subgoal in the tree that grows.
    node: Vec<u32>,
}

/// A tree of shortest ways; nodes are in the order of their costs.
#[derive(Debug, Default)]
struct Tree {
    subgoals: Vec<u32>,
    parents: Vec<u32>,
    /// Descendants of a node, itself included; 0 once it is cut.
    descendants: Vec<u32>,
    /// The children of node i are those from `first_child[i]` to `first_child[i + 1]`.
    first_child: Vec<u32>,
    children: Vec<u32>,
}

impl HubOrder {
    pub(super) fn new(graph: &SubgoalGraph) -> Self {
        let count = graph.len();
        let mut roots: Vec<u32> = (0..count as u32).collect();
        shuffle(&mut roots);
        Self {
            roots,
            next_root: 0,
            trees: Vec::new(),
            nodes: vec![Vec::new(); count],
            rank: (0..count as u32).map(|subgoal| graph.edges(subgoal).len().min(62) as u64 + 1).collect(),
            alive: 0,
            barren: 0,
            node: vec![0; count],
        }
    }

    /// Grows trees where there are too few.
    pub(super) fn grow(&mut self, graph: &SubgoalGraph, labels: &mut [Vec<LabelEntry>], search: &mut PrunedSearch) {
        let count = graph.len();
        let tries = if self.trees.is_empty() { TREES } else { TREES_A_HUB };
        for _ in 0..tries {
            if self.alive >= TREES * count || self.barren >= TREES + count / 8 {
                return;
            }
            let root = self.roots[self.next_root % count];
            self.next_root += 1;
            if self.rank[root as usize] == 0 {
                continue;
            }
            let mut tree = Tree::default();
            search.run(graph, labels, root, |subgoal, _, parent, _| {
                let node = tree.subgoals.len() as u32;
                self.node[subgoal as usize] = node;
                tree.subgoals.push(subgoal);
                tree.parents.push(self.node[parent as usize]);
            });
            tree.link();
            search.add_work(tree.subgoals.len() as u64 * Tree::WORK_OF_NODE);
            self.barren = if tree.subgoals.len() <= 2 { self.barren + 1 } else { 0 };
            self.alive += tree.subgoals.len();
            let number = self.trees.len() as u32;
            for ((node, &subgoal), &descendants) in (0..).zip(&tree.subgoals).zip(&tree.descendants) {
                self.rank[subgoal as usize] += u64::from(descendants) * SCORE;
                self.nodes[subgoal as usize].push((number, node));
            }
            self.trees.push(tree);
        }
    }

    /// Takes the subgoal with the highest score, of equal ones that with the most neighbours, of these the first.
    ///
    /// O(subgoals + nodes cut).
    pub(super) fn take_best(&mut self) -> u32 {
        let most = self.rank.iter().copied().max().unwrap_or_default();
        let best = self.rank.iter().position(|&rank| rank == most).unwrap_or_default();
        for (tree, node) in std::mem::take(&mut self.nodes[best]) {
            self.alive -= self.trees[tree as usize].cut(node, &mut self.rank);
        }
        self.rank[best] = 0;
        best as u32
    }
}

impl Tree {
    /// The work to add a node and to cut it out.
    const WORK_OF_NODE: u64 = 16;

    /// Counts children and descendants.
    fn link(&mut self) {
        let len = self.subgoals.len();
        self.descendants = vec![1; len];
        self.first_child = vec![0; len + 1];
        self.children = vec![0; len.saturating_sub(1)];
        for &parent in self.parents.iter().skip(1) {
            self.first_child[parent as usize + 1] += 1;
        }
        for i in 0..len {
            self.first_child[i + 1] += self.first_child[i];
        }
        let mut free = self.first_child.clone();
        for (node, &parent) in self.parents.iter().enumerate().skip(1) {
            let slot = &mut free[parent as usize];
            self.children[*slot as usize] = node as u32;
            *slot += 1;
        }
        for node in (1..len).rev() {
            self.descendants[self.parents[node] as usize] += self.descendants[node];
        }
    }

    /// Cuts a node with its descendants; returns how many.
    fn cut(&mut self, node: u32, rank: &mut [u64]) -> usize {
        let cut = self.descendants.get(node as usize).copied().unwrap_or(0);
        if cut == 0 {
            return 0;
        }
        let mut above = node;
        while above != 0 {
            above = self.parents[above as usize];
            self.descendants[above as usize] -= cut;
            rank[self.subgoals[above as usize] as usize] -= u64::from(cut) * SCORE;
        }
        let mut left = vec![node];
        while let Some(node) = left.pop() {
            let descendants = std::mem::take(&mut self.descendants[node as usize]);
            if descendants > 0 {
                rank[self.subgoals[node as usize] as usize] -= u64::from(descendants) * SCORE;
                let [first, end] = [0, 1].map(|i| self.first_child[node as usize + i] as usize);
                left.extend_from_slice(&self.children[first..end]);
            }
        }
        if self.descendants[0] == 0 {
            *self = Self::default();
        }
        cut as usize
    }
}

/// Shuffles with a fixed seed.
fn shuffle(values: &mut [u32]) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for i in (1..values.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        values.swap(i, (state % (i as u64 + 1)) as usize);
    }
}
