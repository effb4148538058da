//! The map as a graph of the `petgraph` crate, without a copy of its edges.

use super::{Cell, Cost, Direction, Ground, Link};
use petgraph::Directed;
use petgraph::Direction::{Incoming, Outgoing};
use petgraph::visit::{
    Data, EdgeRef, GraphBase, GraphProp, IntoEdgeReferences, IntoEdges, IntoEdgesDirected, IntoNeighbors,
    IntoNeighborsDirected, IntoNodeIdentifiers, NodeCompactIndexable, NodeCount, NodeIndexable, VisitMap, Visitable,
};
use std::sync::OnceLock;

/// A [`Ground`] as a graph: its nodes are the passable cells, its edges the legal steps and the open links, weighted with
/// their cost.
///
/// The algorithms of the `petgraph` crate run on `&GridGraph`. Every step is a directed edge, so two neighbours are
/// joined by two. Nodes are numbered without gaps in the order of the cells.
///
/// Making one costs nothing: the edges stay in the ground. The numbering costs O(cells) and three bits a cell when an
/// algorithm first asks for it.
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::{Grid, GridGraph, Ground, Lattice};
/// let ground = Ground::new(Arc::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?)), 0.4)?;
/// let (from, to) = (ground.lattice().cell(0, 0), ground.lattice().cell(9, 0));
/// let graph = GridGraph::new(&ground);
/// let route = petgraph::algo::astar(&graph, from, |cell| cell == to, |step| step.cost, |_| 0);
/// assert_eq!(route.map(|(cost, cells)| (cost, cells.len())), Some((9 * 2378, 10)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridGraph<'g> {
    ground: &'g Ground,
    numbers: OnceLock<Numbers>,
}

/// The numbers of the nodes.
#[derive(Clone, Debug)]
struct Numbers {
    /// A bit a cell, set where it is passable.
    passable: Box<[u64]>,
    /// Passable cells before each word of `passable`, and at last of all.
    before: Box<[u32]>,
}

impl Numbers {
    fn new(ground: &Ground) -> Self {
        let lattice = ground.lattice();
        let mut passable = vec![0_u64; lattice.len().div_ceil(64)].into_boxed_slice();
        for cell in lattice.cells().filter(|&cell| ground.is_passable(cell)) {
            passable[cell.index() / 64] |= 1 << (cell.index() % 64);
        }
        let mut before = vec![0; passable.len() + 1].into_boxed_slice();
        for (i, word) in passable.iter().enumerate() {
            before[i + 1] = before[i] + word.count_ones();
        }
        Self { passable, before }
    }
}

impl<'g> GridGraph<'g> {
    /// The graph of a ground.
    pub fn new(ground: &'g Ground) -> Self {
        Self { ground, numbers: OnceLock::new() }
    }

    /// The ground.
    pub fn ground(&self) -> &'g Ground {
        self.ground
    }

    fn numbers(&self) -> &Numbers {
        self.numbers.get_or_init(|| Numbers::new(self.ground))
    }
}

/// An edge: a legal step, or an open link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// Where it starts.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// Its cost.
    pub cost: Cost,
}

impl From<Link> for Step {
    fn from(link: Link) -> Self {
        Self { from: link.from, to: link.to, cost: link.cost.into() }
    }
}

impl EdgeRef for Step {
    type NodeId = Cell;
    type EdgeId = (Cell, Cell);
    type Weight = Cost;

    fn source(&self) -> Cell {
        self.from
    }

    fn target(&self) -> Cell {
        self.to
    }

    fn weight(&self) -> &Cost {
        &self.cost
    }

    fn id(&self) -> (Cell, Cell) {
        (self.from, self.to)
    }
}

/// The edges that start or end in a cell: the steps in the order of [`Direction`], then the links.
#[derive(Clone, Debug)]
pub struct IncidentSteps<'a> {
    ground: &'a Ground,
    cell: Cell,
    direction: petgraph::Direction,
    offsets: [i32; 8],
    mask: u8,
    /// How many of the links have been given.
    links: usize,
}

impl Iterator for IncidentSteps<'_> {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        let (ground, cell) = (self.ground, self.cell);
        if self.mask != 0 {
            let d = self.mask.trailing_zeros() as usize;
            self.mask &= self.mask - 1;
            let other = Cell(cell.0.wrapping_add_signed(self.offsets[d]));
            // Every step can be walked both ways at the same cost.
            let (from, to) = if self.direction == Outgoing { (cell, other) } else { (other, cell) };
            let cost = ground.step_cost(from, to, Direction::ALL[d]).into();
            return Some(Step { from, to, cost });
        }
        if ground.links().is_empty() {
            return None;
        }
        self.links += 1;
        let link = match self.direction {
            Outgoing => ground.links().from(cell).nth(self.links - 1),
            Incoming => ground.links().to(cell).nth(self.links - 1),
        };
        link.map(|(_, link)| link.into())
    }
}

/// The cells one edge from a cell.
#[derive(Clone, Debug)]
pub struct Neighbours<'a>(IncidentSteps<'a>);

impl Iterator for Neighbours<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let step = self.0.next()?;
        Some(if self.0.direction == Outgoing { step.to } else { step.from })
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

/// All edges, in the order of their sources.
#[derive(Clone, Debug)]
pub struct AllSteps<'a> {
    graph: &'a GridGraph<'a>,
    nodes: Nodes<'a>,
    steps: Option<IncidentSteps<'a>>,
}

impl Iterator for AllSteps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
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

impl<'a> IntoNeighbors for &'a GridGraph<'_> {
    type Neighbors = Neighbours<'a>;

    fn neighbors(self, cell: Cell) -> Neighbours<'a> {
        Neighbours(self.edges(cell))
    }
}

impl<'a> IntoNeighborsDirected for &'a GridGraph<'_> {
    type NeighborsDirected = Neighbours<'a>;

    fn neighbors_directed(self, cell: Cell, direction: petgraph::Direction) -> Neighbours<'a> {
        Neighbours(self.edges_directed(cell, direction))
    }
}

impl<'a> IntoEdges for &'a GridGraph<'_> {
    type Edges = IncidentSteps<'a>;

    fn edges(self, cell: Cell) -> IncidentSteps<'a> {
        self.edges_directed(cell, Outgoing)
    }
}

impl<'a> IntoEdgesDirected for &'a GridGraph<'_> {
    type EdgesDirected = IncidentSteps<'a>;

    fn edges_directed(self, cell: Cell, direction: petgraph::Direction) -> IncidentSteps<'a> {
        let ground = self.ground;
        IncidentSteps {
            ground,
            cell,
            direction,
            offsets: ground.lattice().offsets(),
            mask: ground.moves(cell),
            links: 0,
        }
    }
}

impl<'a> IntoEdgeReferences for &'a GridGraph<'_> {
    type EdgeRef = Step;
    type EdgeReferences = AllSteps<'a>;

    fn edge_references(self) -> AllSteps<'a> {
        AllSteps { graph: self, nodes: self.node_identifiers(), steps: None }
    }
}

impl<'a> IntoNodeIdentifiers for &'a GridGraph<'_> {
    type NodeIdentifiers = Nodes<'a>;

    fn node_identifiers(self) -> Nodes<'a> {
        // The base moves on by 64 with the first word.
        Nodes { words: &self.numbers().passable, word: 0, base: 0_u32.wrapping_sub(64) }
    }
}

impl NodeCount for GridGraph<'_> {
    fn node_count(&self) -> usize {
        let Numbers { passable, before } = self.numbers();
        before[passable.len()] as usize
    }
}

impl NodeIndexable for GridGraph<'_> {
    fn node_bound(&self) -> usize {
        self.node_count()
    }

    fn to_index(&self, cell: Cell) -> usize {
        let (word, bit) = (cell.index() / 64, cell.index() % 64);
        let Numbers { passable, before } = self.numbers();
        let below = passable[word] & ((1 << bit) - 1);
        (before[word] + below.count_ones()) as usize
    }

    fn from_index(&self, index: usize) -> Cell {
        let index = index as u32;
        let Numbers { passable, before } = self.numbers();
        let word = before.partition_point(|&before| before <= index) - 1;
        let mut bits = passable[word];
        for _ in 0..index - before[word] {
            bits &= bits - 1;
        }
        Cell(word as u32 * 64 + bits.trailing_zeros())
    }
}

impl NodeCompactIndexable for GridGraph<'_> {}

impl Visitable for GridGraph<'_> {
    type Map = Visited;

    fn visit_map(&self) -> Visited {
        Visited(vec![0; self.ground.lattice().len().div_ceil(64)])
    }

    fn reset_map(&self, map: &mut Visited) {
        map.0.clear();
        map.0.resize(self.ground.lattice().len().div_ceil(64), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DIAGONAL, Grid, Lattice, STRAIGHT};
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
            let costs = dijkstra(&graph, from, None, |step| step.cost);
            let (x, y) = ground.lattice().column_row(to);
            let estimate = |cell: Cell| {
                let (cx, cy) = ground.lattice().column_row(cell);
                let (dx, dy) = (u64::from(cx.abs_diff(x)), u64::from(cy.abs_diff(y)));
                dx.min(dy) * u64::from(DIAGONAL) + dx.abs_diff(dy) * u64::from(STRAIGHT)
            };
            let route = astar(&graph, from, |cell| cell == to, |step| step.cost, estimate);
            prop_assert_eq!(route.as_ref().map(|route| route.0), costs.get(&to).copied());
            prop_assert_eq!(route.is_some(), ground.region(from) == ground.region(to));
        }
    }

    #[test]
    fn edges_in_are_the_edges_out_turned_round() {
        use crate::{Corners, Link, Mobility, Steps, TerrainCosts};
        let lattice = Lattice::new(9, 7, 1.0).unwrap();
        let mut grid = Grid::open_plain(lattice);
        for (i, cell) in lattice.cells().enumerate() {
            grid.set_open(cell, i % 5 != 3);
            grid.set_terrain(cell, (i % 3) as u8);
        }
        let at = |x, y| lattice.cell(x, y);
        let links =
            [(at(0, 0), at(8, 6), 9), (at(0, 0), at(8, 6), 11), (at(0, 0), at(2, 0), 7), (at(2, 0), at(0, 0), 5)];
        let mobility = Mobility {
            steps: Steps::Eight(Corners::Always),
            terrain: Some(TerrainCosts::new([(0, Some(1)), (1, Some(4)), (2, Some(2))])),
            links: links.iter().map(|&(from, to, cost)| Link::new(from, to, cost)).collect(),
            ..Mobility::new(0.4)
        };
        let ground = Ground::build(Arc::new(grid), mobility).unwrap();
        let graph = GridGraph::new(&ground);
        let mut out: Vec<Step> = graph.edge_references().collect();
        let mut back: Vec<Step> = graph
            .node_identifiers()
            .flat_map(|cell| graph.edges_directed(cell, Incoming).collect::<Vec<_>>())
            .collect();
        assert_eq!(
            out.len(),
            ground.moves_layer().cells.iter().map(|moves| moves.count_ones() as usize).sum::<usize>() + 4
        );
        out.sort_unstable();
        back.sort_unstable();
        assert_eq!(out, back);
        let costs: Vec<Cost> = graph.edges(at(0, 0)).filter(|step| step.to == at(8, 6)).map(|step| step.cost).collect();
        assert_eq!(costs, [9, 11]);
        assert!(graph.neighbors_directed(at(8, 6), Incoming).any(|cell| cell == at(0, 0)));
    }

    #[test]
    fn what_is_visited_can_be_unvisited_again() {
        let ground = ground(9, 9, &[true; 81]);
        let mut map = GridGraph::new(&ground).visit_map();
        let (cell, other) = (ground.lattice().cell(3, 3), ground.lattice().cell(4, 3));
        assert_eq!((map.visit(cell), map.visit(cell), map.visit(other)), (true, false, true));
        assert_eq!((map.unvisit(cell), map.unvisit(cell)), (true, false));
        assert_eq!((map.is_visited(&cell), map.is_visited(&other)), (false, true));
    }

    #[test]
    fn nodes_are_where_their_weights_or_cells_are() {
        use crate::Positions;
        let mut towns = petgraph::Graph::<(glam::Vec2, &str), f64>::new();
        let york = towns.add_node((glam::Vec2::new(3.0, 4.0), "York"));
        assert_eq!(towns.position(york), Some(glam::Vec2::new(3.0, 4.0)));
        let ground = ground(3, 2, &[true, true, true, false, true, true]);
        let position = |x, y| (&GridGraph::new(&ground)).position(ground.lattice().cell(x, y));
        assert_eq!((position(2, 1), position(0, 1)), (Some(glam::DVec2::new(2.5, 1.5)), None));
        assert_eq!((&GridGraph::new(&ground)).position(Cell::NONE), None);
    }

    #[test]
    fn nothing_passable_is_a_graph_without_nodes() {
        let ground = ground(3, 3, &[false; 9]);
        let graph = GridGraph::new(&ground);
        assert_eq!((graph.node_count(), connected_components(&graph)), (0, 0));
    }
}
