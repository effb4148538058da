//! A planner of one's own in a world, and one that breaks its promise: `cargo run --release --example own_planner`.
//!
//! A planner says what it can, begins a search, expands so many cells a call, and writes the route. Here it floods the map, breadth
//! first; agents walk its routes, share them, and ask again where the map changes, as with any other planner.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use throng::battle::Unit;
use throng::geom::Vec2;
use throng::grid::{Cell, Edit, Grid, Ground, Lattice};
use throng::plan::{
    Capabilities, Guarantee, Outcome, Path, PlanError, Planner, PlannerChoice, Progress, Query, Scratch, SearchMemory,
    Status,
};
use throng::world::{Settings, World};

/// Breadth-first search; a liar gives a route through the walls instead.
#[derive(Debug)]
struct Flood {
    lies: bool,
}

/// The cell before each cell that was reached, and those that are to be expanded.
#[derive(Debug, Default)]
struct Reached {
    before: BTreeMap<Cell, Cell>,
    open: VecDeque<Cell>,
}

impl SearchMemory for Reached {
    fn bytes(&self) -> usize {
        self.before.len() * size_of::<(Cell, Cell)>() + self.open.capacity() * size_of::<Cell>()
    }
}

impl Planner for Flood {
    fn name(&self) -> &'static str {
        "flood"
    }

    fn capabilities(&self) -> Capabilities {
        // It cannot be paused: each search is one call of `advance`.
        Capabilities { guarantee: Guarantee::Unproven, can: &[] }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        scratch.begin(self, ground, query)?;
        let memory = scratch.memory::<Reached>();
        *memory = Reached { before: BTreeMap::from([(query.from, query.from)]), open: [query.from].into() };
        Ok(())
    }

    fn advance(&self, ground: &Ground, _: &Query, scratch: &mut Scratch, _: u64) -> Progress {
        let goal = scratch.goals().first().copied();
        let Reached { before, open } = scratch.memory();
        let mut expanded = 0;
        while let Some(cell) = open.pop_front().filter(|&cell| Some(cell) != goal) {
            expanded += 1;
            for (direction, offset) in ground.lattice().offsets().into_iter().enumerate() {
                let next = Cell(cell.0.wrapping_add_signed(offset));
                if ground.moves(cell) >> direction & 1 == 1 && !before.contains_key(&next) {
                    before.insert(next, cell);
                    open.push_back(next);
                }
            }
        }
        let is_found = goal.is_some_and(|goal| before.contains_key(&goal));
        scratch.count(expanded);
        let status = if is_found { Status::Found } else { Status::NoRoute };
        Progress::Done(Outcome { status, cost: 0, bound: f64::INFINITY, expanded })
    }

    fn path(&self, _: &Ground, query: &Query, scratch: &Scratch, path: &mut Path) {
        let (Some(memory), Some(&goal)) = (scratch.memory_of::<Reached>(), scratch.goals().first()) else { return };
        path.cells = vec![goal];
        while let Some(&before) = memory.before.get(&path.cells[path.cells.len() - 1])
            && path.cells[path.cells.len() - 1] != query.from
        {
            path.cells.push(if self.lies { query.from } else { before });
        }
        path.cells.reverse();
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for lies in [false, true] {
        let mut grid = Grid::open_plain(Lattice::new(60, 40, 1.0)?);
        (0..36).for_each(|y| grid.set_open(grid.lattice().cell(30, y), false));
        let mut world = World::new(grid, Settings::default())?;
        let (all, person) = (world.add_army("all")?, world.add_unit(Unit::pedestrian())?);
        let places: Vec<Vec2> = (0..40).map(|i| Vec2::new(4.5 + (i % 8) as f32, 8.5 + (i / 8) as f32)).collect();
        let flood = PlannerChoice::Custom(Arc::new(Flood { lies }));
        for id in world.spawn_walkers(all, person, &places, &[])? {
            world.walk_by(id, Vec2::new(50.5, 10.5), flood.clone())?;
        }
        let mut told = None;
        for tick in 0..2400 {
            if tick == 400 && !lies {
                // A second gap, on a shorter way.
                world.edit(&[
                    Edit::Open(world.grid().lattice().cell(30, 10)),
                    Edit::Open(world.grid().lattice().cell(30, 11)),
                ])?;
            }
            told = told.or(world.tick().err());
        }
        let beyond = world.positions().filter(|(_, at)| at.x > 31.0).count();
        println!("{}: {beyond} of 40 are beyond the wall", if lies { "a liar" } else { "flood" });
        if let Some(error) = told {
            println!("  {error}");
        }
    }
    Ok(())
}
