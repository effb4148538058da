//! The map as a graph of the `petgraph` crate, without a copy of its edges.

use super::{Cell, Cost, DIAGONAL, Direction, Ground, STRAIGHT};
use petgraph::Directed;
use petgraph::visit::{
    Data, GraphBase, GraphProp, IntoEdgeReferences, IntoEdges, IntoNeighbors, IntoNodeIdentifiers,
    NodeCompactIndexable, NodeCount, NodeIndexable, VisitMap, Visitable,
};

const STRAIGHT_STEP: Cost = STRAIGHT as Cost;
const DIAGONAL_STEP: Cost = DIAGONAL as Cost;

/// A [`Ground`] as a graph: its nodes are the passable cells, its edges the legal steps, weighted with their cost.
///
/// The algorithms of the `petgraph` crate run on `&GridGraph`. Every step is a directed edge, so two neighbours are
/// joined by two. Nodes are numbered without gaps in the order of the cells.
///
/// Making one costs O(cells) and three bits a cell, for the numbering; the edges stay in the ground.
///
/// ```
/// use std::sync::Arc;
/// use throng::grid::{Grid, GridGraph, Ground, Lattice};
/// let ground = Ground::new(Arc::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?)), 0.4)?;
/// let (from, to) = (ground.lattice().cell(0, 0), ground.lattice().cell(9, 0));
/// let graph = GridGraph::new(&ground);
/// let route = petgraph::algo::astar(&graph, from, |cell| cell == to, |(_, _, &cost)| cost, |_| 0);
/// assert_eq!(route.map(|(cost, cells)| (cost, cells.len())), Some((9 * 2378, 10)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridGraph<'g> {
    ground: &'g Ground,
    /// A bit a cell, set where it is passable.
    passable: Box<[u64]>,
    /// Passable cells before each word of `passable`, and at last of all.
    before: Box<[u32]>,
}

impl<'g> GridGraph<'g> {
    /// The graph of a ground.
    pub fn new(ground: &'g Ground) -> Self {
        let lattice = ground.lattice();
        let mut passable = vec![0_u64; lattice.len().div_ceil(64)].into_boxed_slice();
        for cell in lattice.cells().filter(|&cell| ground.is_passable(cell)) {
            passable[cell.index() / 64] |= 1 << (cell.index() % 64);
        }
        let mut before = vec![0; passable.len() + 1].into_boxed_slice();
        for (i, word) in passable.iter().enumerate() {
            before[i + 1] = before[i] + word.count_ones();
        }
        Self { ground, passable, before }
    }

    /// The ground.
    pub fn ground(&self) -> &'g Ground {
        self.ground
    }
}

/// The legal steps from a cell: source, target and cost of each.
#[derive(Clone, Debug)]
pub struct Steps {
    from: Cell,
    mask: u8,
    offsets: [i32; 8],
}

impl Iterator for Steps {
    type Item = (Cell, Cell, &'static Cost);

    fn next(&mut self) -> Option<Self::Item> {
        if self.mask == 0 {
            return None;
        }
        let d = self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        let cost = if Direction::ALL[d].is_diagonal() { &DIAGONAL_STEP } else { &STRAIGHT_STEP };
        Some((self.from, Cell(self.from.0.wrapping_add_signed(self.offsets[d])), cost))
    }
}

/// The cells one legal step from a cell.
#[derive(Clone, Debug)]
pub struct Neighbours(Steps);

impl Iterator for Neighbours {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        self.0.next().map(|(_, to, _)| to)
    }
}

/// The passable cells, in order.
#[derive(Clone, Debug)]
pub struct Nodes<'a> {
    words: &'a [u64],
    word: u64,
    base: u32,
}

impl Iterator for Nodes<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        while self.word == 0 {
            let (&first, rest) = self.words.split_first()?;
            (self.word, self.words, self.base) = (first, rest, self.base.wrapping_add(64));
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(Cell(self.base + bit))
    }
}

/// All legal steps, in the order of their sources.
#[derive(Clone, Debug)]
pub struct AllSteps<'a> {
    graph: &'a GridGraph<'a>,
    nodes: Nodes<'a>,
    steps: Option<Steps>,
}

impl Iterator for AllSteps<'_> {
    type Item = (Cell, Cell, &'static Cost);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(step) = self.steps.as_mut().and_then(Iterator::next) {
                return Some(step);
            }
            self.steps = Some(self.graph.edges(self.nodes.next()?));
        }
    }
}

/// Which nodes an algorithm of `petgraph` has seen: a bit a cell.
#[derive(Clone, Debug, Default)]
pub struct Visited(Vec<u64>);

impl VisitMap<Cell> for Visited {
    fn visit(&mut self, cell: Cell) -> bool {
        let first = !self.is_visited(&cell);
        self.0[cell.index() / 64] |= 1 << (cell.index() % 64);
        first
    }

    fn is_visited(&self, cell: &Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 == 1
    }

    fn unvisit(&mut self, cell: Cell) -> bool {
        let seen = self.is_visited(&cell);
        self.0[cell.index() / 64] &= !(1 << (cell.index() % 64));
        seen
    }
}

impl GraphBase for GridGraph<'_> {
    type EdgeId = (Cell, Cell);
    type NodeId = Cell;
}

impl Data for GridGraph<'_> {
    type NodeWeight = ();
    type EdgeWeight = Cost;
}

impl GraphProp for GridGraph<'_> {
    type EdgeType = Directed;
}

impl IntoNeighbors for &GridGraph<'_> {
    type Neighbors = Neighbours;

    fn neighbors(self, cell: Cell) -> Neighbours {
        Neighbours(self.edges(cell))
    }
}

impl IntoEdges for &GridGraph<'_> {
    type Edges = Steps;

    fn edges(self, cell: Cell) -> Steps {
        Steps { from: cell, mask: self.ground.moves(cell), offsets: self.ground.lattice().offsets() }
    }
}

impl<'a> IntoEdgeReferences for &'a GridGraph<'_> {
    type EdgeRef = (Cell, Cell, &'static Cost);
    type EdgeReferences = AllSteps<'a>;

    fn edge_references(self) -> AllSteps<'a> {
        AllSteps { graph: self, nodes: self.node_identifiers(), steps: None }
    }
}

impl<'a> IntoNodeIdentifiers for &'a GridGraph<'_> {
    type NodeIdentifiers = Nodes<'a>;

    fn node_identifiers(self) -> Nodes<'a> {
        // The base moves on by 64 with the first word.
        Nodes { words: &self.passable, word: 0, base: 0_u32.wrapping_sub(64) }
    }
}

impl NodeCount for GridGraph<'_> {
    fn node_count(&self) -> usize {
        self.before[self.passable.len()] as usize
    }
}

impl NodeIndexable for GridGraph<'_> {
    fn node_bound(&self) -> usize {
        self.node_count()
    }

    fn to_index(&self, cell: Cell) -> usize {
        let (word, bit) = (cell.index() / 64, cell.index() % 64);
        let below = self.passable[word] & ((1 << bit) - 1);
        (self.before[word] + below.count_ones()) as usize
    }

    fn from_index(&self, index: usize) -> Cell {
        let index = index as u32;
        let word = self.before.partition_point(|&before| before <= index) - 1;
        let mut bits = self.passable[word];
        for _ in 0..index - self.before[word] {
            bits &= bits - 1;
        }
        Cell(word as u32 * 64 + bits.trailing_zeros())
    }
}

impl NodeCompactIndexable for GridGraph<'_> {}

impl Visitable for GridGraph<'_> {
    type Map = Visited;

    fn visit_map(&self) -> Visited {
        Visited(vec![0; self.passable.len()])
    }

    fn reset_map(&self, map: &mut Visited) {
        map.0.clear();
        map.0.resize(self.passable.len(), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, Lattice};
    use petgraph::algo::{astar, connected_components, dijkstra};
    use proptest::prelude::*;
    use std::sync::Arc;

    fn ground(width: u32, height: u32, open: &[bool]) -> Ground {
        let lattice = Lattice::new(width, height, 1.0).unwrap();
        let mut grid = Grid::closed(lattice);
        for (cell, &open) in lattice.cells().zip(open) {
            grid.set_open(cell, open);
        }
        Ground::new(Arc::new(grid), 0.4).unwrap()
    }

    proptest! {
        #[test]
        fn algorithms_of_petgraph_agree(
            (width, height, open) in (1..20_u32, 1..20_u32).prop_flat_map(|(width, height)| {
                let cells = (width * height) as usize;
                (Just(width), Just(height), proptest::collection::vec(prop::bool::weighted(0.7), cells))
            }),
        ) {
            let ground = ground(width, height, &open);
            let graph = GridGraph::new(&ground);
            prop_assert_eq!(connected_components(&graph), ground.region_count() as usize);
            let nodes: Vec<Cell> = graph.node_identifiers().collect();
            let expected: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
            prop_assert_eq!(&nodes, &expected);
            for (i, &cell) in nodes.iter().enumerate() {
                prop_assert_eq!((graph.to_index(cell), graph.from_index(i)), (i, cell));
            }
            let steps: u32 = nodes.iter().map(|&cell| ground.moves(cell).count_ones()).sum();
            prop_assert_eq!(graph.edge_references().count(), steps as usize);
            let (Some(&from), Some(&to)) = (nodes.first(), nodes.last()) else { return Ok(()) };
            let costs = dijkstra(&graph, from, None, |(_, _, &cost)| cost);
            let (x, y) = ground.lattice().column_row(to);
            let estimate = |cell: Cell| {
                let (cx, cy) = ground.lattice().column_row(cell);
                let (dx, dy) = (u64::from(cx.abs_diff(x)), u64::from(cy.abs_diff(y)));
                dx.min(dy) * DIAGONAL_STEP + dx.abs_diff(dy) * STRAIGHT_STEP
            };
            let route = astar(&graph, from, |cell| cell == to, |(_, _, &cost)| cost, estimate);
            prop_assert_eq!(route.as_ref().map(|route| route.0), costs.get(&to).copied());
            prop_assert_eq!(route.is_some(), ground.region(from) == ground.region(to));
        }
    }

    #[test]
    fn nothing_passable_is_a_graph_without_nodes() {
        let ground = ground(3, 3, &[false; 9]);
        let graph = GridGraph::new(&ground);
        assert_eq!((graph.node_count(), connected_components(&graph)), (0, 0));
    }
}
