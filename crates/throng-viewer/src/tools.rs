//! The tools of the left button in a battle: select squads, paint the map, add squads.

use super::brush::{self, Place};
use super::command::Command;
use super::event::Tool;
use std::collections::BTreeSet;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit, Grid, MapFormat, PLAIN, WATER};
use throng_sim::battle::Rampart;
use throng_sim::world::{ArmyId, Frame, SquadSpec, UnitId};

/// The way that paint is applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum BrushShape {
    #[default]
    Brush,
    Line,
    Rectangle,
    Fill,
}

/// The kind of ground to paint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Paint {
    #[default]
    Wall,
    /// A wall of this health (points) that can be broken.
    Gate(u32),
    /// Deep water: no agent enters it.
    Water,
    Open,
    Terrain(u8),
    /// (cm)
    Height(u16),
}

impl Paint {
    /// Puts it on cells that do not have it yet, where there are any.
    fn on(self, scene: &ToolContext<'_>, cells: impl IntoIterator<Item = Cell>) -> Option<Command> {
        let grid = scene.frame.grid.as_deref()?;
        let mut cells: Vec<Cell> = cells.into_iter().filter(|&cell| !self.is_on(scene, grid, cell)).collect();
        cells.sort_unstable();
        cells.dedup();
        if cells.is_empty() {
            return None;
        }
        let edits = |cell: Cell| match self {
            Self::Terrain(class) => [Some(Edit::Terrain(cell, class)), None],
            Self::Height(height) => [Some(Edit::Height(cell, height)), None],
            Self::Water => [Some(Edit::Close(cell)), Some(Edit::Terrain(cell, WATER))],
            // Former water becomes dry land: closed ground of its class would be water.
            Self::Open => [Some(Edit::Open(cell)), grid.is_water(cell).then_some(Edit::Terrain(cell, PLAIN))],
            Self::Wall | Self::Gate(_) => {
                let is_wet = grid.terrain(cell) == WATER;
                [Some(Edit::Close(cell)), is_wet.then_some(Edit::Terrain(cell, PLAIN))]
            }
        };
        let rampart = |cell: Cell| match self {
            Self::Gate(health) => {
                // It keeps its army.
                let keeper = scene.rampart(cell).and_then(|old| old.keeper);
                Some((cell, Some(Rampart { keeper, ..whole(health) })))
            }
            Self::Wall | Self::Water => Some((cell, None)),
            Self::Open | Self::Terrain(_) | Self::Height(_) => None,
        };
        Some(Command::EditMap {
            edits: cells.iter().flat_map(|&cell| edits(cell)).flatten().collect(),
            ramparts: cells.iter().filter_map(|&cell| rampart(cell)).collect(),
        })
    }

    /// True where a cell has it already.
    fn is_on(self, scene: &ToolContext<'_>, grid: &Grid, cell: Cell) -> bool {
        match self {
            Self::Wall => !grid.is_open(cell) && !grid.is_water(cell) && scene.rampart(cell).is_none(),
            Self::Gate(health) => {
                scene.rampart(cell).is_some_and(|gate| Rampart { keeper: None, ..gate } == whole(health))
            }
            Self::Water => grid.is_water(cell),
            Self::Open => grid.is_open(cell),
            Self::Terrain(class) => grid.terrain(cell) == class,
            Self::Height(steps) => grid.height(cell) == steps,
        }
    }
}

/// An undamaged gate of this health (points) without a keeper.
fn whole(health: u32) -> Rampart {
    let health = health as f32;
    Rampart { health, full: health, keeper: None }
}

/// The squad that the tool will add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NewSquad {
    pub army: u8,
    pub unit: u16,
    pub count: u32,
}

/// A drag of the left button, since it was pressed at a point (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ToolDrag {
    /// A box around the agents to be selected; `adds` to the selection.
    Box { from: Vec2, adds: bool },
    /// A brush, last over this place.
    Brush { last: Place },
    /// A line or rectangle from there.
    Shape { from: Vec2 },
    /// A new squad, from flank to flank.
    Squad { from: Vec2 },
}

/// The tools and what they have selected.
#[derive(Debug)]
pub(super) struct Tools {
    pub tool: Tool,
    pub stroke: BrushShape,
    pub paint: Paint,
    /// Width of the brush (cells).
    pub width: u32,
    pub new_squad: NewSquad,
    /// How the map is saved.
    pub format: MapFormat,
    /// Squads that are selected.
    pub squads: BTreeSet<u32>,
    /// The agent that is looked at.
    pub agent: Option<u32>,
    pub held: Option<ToolDrag>,
}

impl Default for Tools {
    fn default() -> Self {
        let new_squad = NewSquad { army: 0, unit: 0, count: 20 };
        Self {
            tool: Tool::Select,
            stroke: BrushShape::Brush,
            paint: Paint::Wall,
            width: 2,
            new_squad,
            format: MapFormat::Ascii,
            squads: BTreeSet::new(),
            agent: None,
            held: None,
        }
    }
}

/// The battle under the mouse.
pub(super) struct ToolContext<'a> {
    pub frame: &'a Frame,
    /// The squad of each row; empty where nothing can be directed.
    pub squad: &'a [u32],
    /// Radius of the kinds of soldiers (m).
    pub radii: &'a [f32],
    /// The breakable walls, in the order of the cells.
    pub ramparts: &'a [(Cell, Rampart)],
    /// The greatest distance of a click from an agent's body (m).
    pub reach: f32,
}

impl ToolContext<'_> {
    /// The row of the nearest agent whose body is within reach of a point (m).
    pub fn row_at(&self, point: Vec2) -> Option<usize> {
        let Frame { position, radius, .. } = self.frame;
        let gap = |row: usize| position[row].distance(point) - radius[row];
        let near = (0..position.len()).map(|row| (gap(row), row)).filter(|&(gap, _)| gap <= self.reach);
        near.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, row)| row)
    }

    /// The squad of the agent in a row.
    fn squad_of(&self, row: usize) -> Option<u32> {
        self.squad.get(row).copied().filter(|&squad| squad != u32::MAX)
    }

    /// The breakable wall in a cell.
    fn rampart(&self, cell: Cell) -> Option<Rampart> {
        let place = self.ramparts.binary_search_by_key(&cell, |&(cell, _)| cell).ok()?;
        Some(self.ramparts[place].1)
    }

    fn place(&self, point: Vec2) -> Option<Place> {
        let lattice = self.frame.grid.as_ref()?.lattice();
        lattice.covers(point).then(|| lattice.column_row(lattice.at(point)))
    }
}

impl Tools {
    /// Starts a drag at a point (m); returns a command to execute at once.
    pub fn press(&mut self, scene: &ToolContext<'_>, point: Vec2, adds: bool) -> Option<Command> {
        let grid = scene.frame.grid.as_deref()?;
        match self.tool {
            Tool::Select => {
                self.held = Some(ToolDrag::Box { from: point, adds });
                None
            }
            Tool::SpawnSquad => {
                self.held = Some(ToolDrag::Squad { from: point });
                None
            }
            Tool::Paint if self.stroke == BrushShape::Brush => {
                let last = scene.place(point)?;
                self.held = Some(ToolDrag::Brush { last });
                self.paint.on(scene, brush::dab(grid.lattice(), last, self.width))
            }
            Tool::Paint if self.stroke == BrushShape::Fill => {
                let (column, row) = scene.place(point)?;
                let from = grid.lattice().cell(column, row);
                let kind = |cell: Cell| {
                    let breaks = scene.rampart(cell).is_some();
                    (grid.is_open(cell), breaks, grid.terrain(cell), grid.height(cell))
                };
                let alike = |cell: Cell| kind(cell) == kind(from);
                self.paint.on(scene, brush::fill(grid, from, alike))
            }
            Tool::Paint => {
                self.held = Some(ToolDrag::Shape { from: point });
                None
            }
        }
    }

    /// Continues the drag to a point (m); returns a command to execute at once.
    pub fn drag(&mut self, scene: &ToolContext<'_>, point: Vec2) -> Option<Command> {
        let grid = scene.frame.grid.as_deref()?;
        let Some(ToolDrag::Brush { last }) = self.held else { return None };
        let to = scene.place(point)?;
        self.held = Some(ToolDrag::Brush { last: to });
        let (lattice, width) = (grid.lattice(), self.width);
        self.paint.on(scene, brush::line(last, to).flat_map(|place| brush::dab(lattice, place, width)))
    }

    /// Ends the drag at a point (m); returns its command.
    pub fn release(&mut self, scene: &ToolContext<'_>, point: Vec2) -> Option<Command> {
        let grid = scene.frame.grid.as_deref()?;
        match self.held.take()? {
            ToolDrag::Box { from, adds } => {
                self.select(scene, [from.min(point), from.max(point)], adds);
                None
            }
            ToolDrag::Brush { .. } => None,
            ToolDrag::Shape { from } => {
                let lattice = grid.lattice();
                let (one, other) = (scene.place(from)?, lattice.column_row(lattice.at(point)));
                if self.stroke == BrushShape::Rectangle {
                    return self.paint.on(scene, brush::rectangle(lattice, one, other));
                }
                let places = std::iter::once(one).chain(brush::line(one, other));
                self.paint.on(scene, places.flat_map(|place| brush::dab(lattice, place, self.width)))
            }
            ToolDrag::Squad { from } => self.spawn_squad(scene, from, point),
        }
    }

    /// Selects the squads of all agents in a box, or, if it is no larger than a click, the clicked agent and its squad.
    fn select(&mut self, scene: &ToolContext<'_>, [low, high]: [Vec2; 2], adds: bool) {
        if !adds {
            self.squads.clear();
            self.agent = None;
        }
        if (high - low).max_element() < 2.0 * scene.reach {
            let row = scene.row_at((low + high) * 0.5);
            self.agent = row.map(|row| scene.frame.id[row]).or(self.agent);
            if let Some(squad) = row.and_then(|row| scene.squad_of(row))
                && !self.squads.insert(squad)
                && adds
            {
                self.squads.remove(&squad);
            }
            return;
        }
        let inside = |at: Vec2| at.cmpge(low).all() && at.cmple(high).all();
        let rows = (0..scene.squad.len()).filter(|&row| inside(scene.frame.position[row]));
        self.squads.extend(rows.filter_map(|row| scene.squad_of(row)));
    }

    /// The places of the new squad (m), drawn from flank to flank, and the direction in which it faces: to the left of the line.
    pub fn ranks(&self, scene: &ToolContext<'_>, from: Vec2, to: Vec2) -> (Vec<Vec2>, Vec2) {
        let count = self.new_squad.count as usize;
        let radius = scene.radii.get(usize::from(self.new_squad.unit)).copied().unwrap_or(0.3);
        let spacing = 2.0 * radius * 1.5;
        let length = from.distance(to);
        let side = if length > spacing { (to - from) / length } else { Vec2::X };
        // A click makes a block. A hair more, so that the last stands on the flank itself.
        let files = if length > spacing { (length / spacing + 0.01) as usize + 1 } else { count.isqrt().max(1) };
        let front = Vec2::new(side.y, -side.x);
        let place = |i: usize| from + side * (spacing * (i % files) as f32) - front * (spacing * (i / files) as f32);
        ((0..count).map(place).collect(), front)
    }

    fn spawn_squad(&self, scene: &ToolContext<'_>, from: Vec2, to: Vec2) -> Option<Command> {
        let grid = scene.frame.grid.as_deref()?;
        let (places, front) = self.ranks(scene, from, to);
        let radius = scene.radii.get(usize::from(self.new_squad.unit)).copied()?;
        // Positions inside walls are left out.
        let positions: Vec<Vec2> =
            places.into_iter().filter(|&at| throng_grid::walls::is_clear(grid, at, radius)).collect();
        let NewSquad { army, unit, .. } = self.new_squad;
        let facing = libm::atan2f(front.y, front.x).to_degrees();
        let spec = SquadSpec { facing, ..SquadSpec::new(ArmyId(army), UnitId(unit), positions) };
        (!spec.positions.is_empty()).then_some(Command::SpawnSquad(spec))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use throng_grid::Lattice;

    fn frame() -> Frame {
        let position = vec![Vec2::new(2.0, 2.0), Vec2::new(3.0, 2.0), Vec2::new(8.0, 8.0)];
        Frame {
            grid: Some(Arc::new(Grid::open_plain(Lattice::new(10, 10, 1.0).unwrap()))),
            id: vec![7, 5, 6],
            radius: vec![0.3; 3],
            position,
            ..Frame::default()
        }
    }

    fn scene(frame: &Frame) -> ToolContext<'_> {
        ToolContext { frame, squad: &[0, 0, 4], radii: &[0.3], ramparts: &[], reach: 0.2 }
    }

    #[test]
    fn clicks_select_an_agent_and_boxes_select_squads() {
        let frame = frame();
        let (scene, mut tools) = (scene(&frame), Tools::default());
        let drag = |tools: &mut Tools, from: Vec2, to: Vec2, adds: bool| {
            assert_eq!(tools.press(&scene, from, adds), None);
            assert_eq!(tools.release(&scene, to), None);
        };
        drag(&mut tools, Vec2::new(3.1, 2.1), Vec2::new(3.1, 2.1), false);
        assert_eq!((tools.agent, tools.squads.iter().copied().collect::<Vec<_>>()), (Some(5), vec![0]));
        drag(&mut tools, Vec2::new(9.0, 9.0), Vec2::new(7.0, 7.0), true);
        assert_eq!(tools.squads.iter().copied().collect::<Vec<_>>(), [0, 4]);
        // Once more takes it out.
        drag(&mut tools, Vec2::new(8.0, 8.0), Vec2::new(8.0, 8.0), true);
        assert_eq!(tools.squads.iter().copied().collect::<Vec<_>>(), [0]);
        drag(&mut tools, Vec2::new(5.0, 5.0), Vec2::new(5.0, 5.0), false);
        assert_eq!((tools.agent, tools.squads.len()), (None, 0));
    }

    #[test]
    fn paint_changes_only_what_is_not_so_already() {
        let frame = frame();
        let scene = scene(&frame);
        let mut tools = Tools { tool: Tool::Paint, width: 1, ..Tools::default() };
        let cells = |command: Option<Command>| match command {
            Some(Command::EditMap { edits, .. }) => edits.len(),
            _ => 0,
        };
        assert_eq!(cells(tools.press(&scene, Vec2::new(1.5, 1.5), false)), 1);
        assert_eq!(cells(tools.drag(&scene, Vec2::new(4.5, 1.5))), 3);
        assert_eq!(cells(tools.release(&scene, Vec2::new(4.5, 1.5))), 0);
        tools.stroke = BrushShape::Rectangle;
        assert_eq!(cells(tools.press(&scene, Vec2::new(1.5, 1.5), false)), 0);
        assert_eq!(cells(tools.release(&scene, Vec2::new(3.5, 2.5))), 6);
        (tools.stroke, tools.paint) = (BrushShape::Fill, Paint::Open);
        assert_eq!(cells(tools.press(&scene, Vec2::new(1.5, 1.5), false)), 0);
        tools.paint = Paint::Terrain(3);
        assert_eq!(cells(tools.press(&scene, Vec2::new(1.5, 1.5), false)), 100);
        tools.paint = Paint::Water;
        assert_eq!(cells(tools.press(&scene, Vec2::new(1.5, 1.5), false)), 200, "closed, and water");
        (tools.stroke, tools.paint) = (BrushShape::Brush, Paint::Gate(300));
        let Some(Command::EditMap { edits, ramparts }) = tools.press(&scene, Vec2::new(1.5, 1.5), false) else {
            panic!()
        };
        assert_eq!((edits[0], ramparts[0]), (Edit::Close(edits[0].cell()), (edits[0].cell(), Some(whole(300)))));
    }

    #[test]
    fn walls_are_dry_and_gates_are_known_by_their_health() {
        let mut frame = frame();
        let mut grid = (**frame.grid.as_ref().unwrap()).clone();
        let lattice = grid.lattice();
        let (ford, wall) = (lattice.cell(1, 1), lattice.cell(5, 5));
        grid.set_terrain(ford, WATER);
        (4..7).for_each(|x| grid.set_open(lattice.cell(x, 5), false));
        frame.grid = Some(Arc::new(grid));
        let worn = Rampart { health: 50.0, keeper: Some(1), ..whole(300) };
        let kept = |health| Some(Rampart { keeper: Some(1), ..whole(health) });
        let gates = [(wall, worn)];
        let scene = ToolContext { ramparts: &gates, ..scene(&frame) };
        let mut tools = Tools { tool: Tool::Paint, width: 1, ..Tools::default() };
        let paints = |tools: &mut Tools, paint, stroke, cell| {
            (tools.paint, tools.stroke) = (paint, stroke);
            match tools.press(&scene, lattice.centre(cell), false) {
                Some(Command::EditMap { edits, ramparts }) => (edits, ramparts),
                _ => (Vec::new(), Vec::new()),
            }
        };
        // Closed ground of the class of water would be water.
        for paint in [Paint::Wall, Paint::Gate(300)] {
            let (edits, _) = paints(&mut tools, paint, BrushShape::Brush, ford);
            assert_eq!(edits, [Edit::Close(ford), Edit::Terrain(ford, PLAIN)]);
        }
        assert!(paints(&mut tools, Paint::Open, BrushShape::Brush, ford).0.is_empty(), "a ford is open");
        // A gate that has been struck, or of another health, is put right.
        assert_eq!(paints(&mut tools, Paint::Gate(300), BrushShape::Brush, wall).1, [(wall, kept(300))]);
        assert_eq!(paints(&mut tools, Paint::Gate(900), BrushShape::Brush, wall).1, [(wall, kept(900))]);
        let mended = [(wall, kept(300).unwrap())];
        let other = ToolContext { ramparts: &mended, ..scene };
        (tools.paint, tools.stroke) = (Paint::Gate(300), BrushShape::Brush);
        assert_eq!(tools.press(&other, lattice.centre(wall), false), None, "it is one, of any army");
        // Fill stops where a gate is.
        assert!(paints(&mut tools, Paint::Wall, BrushShape::Fill, lattice.cell(4, 5)).0.is_empty());
        assert_eq!(paints(&mut tools, Paint::Gate(20), BrushShape::Fill, wall).1.len(), 1);
        assert_eq!(paints(&mut tools, Paint::Gate(20), BrushShape::Fill, lattice.cell(6, 5)).1.len(), 1);
    }

    #[test]
    fn new_squads_stand_from_flank_to_flank_where_there_is_room() {
        let frame = frame();
        let scene = scene(&frame);
        let mut tools = Tools { tool: Tool::SpawnSquad, ..Tools::default() };
        tools.new_squad.count = 10;
        tools.press(&scene, Vec2::new(1.0, 5.0), false);
        let Some(Command::SpawnSquad(SquadSpec { positions, facing, .. })) = tools.release(&scene, Vec2::new(4.6, 5.0))
        else {
            panic!()
        };
        assert_eq!((positions.len(), facing), (10, -90.0));
        assert!(positions[4].distance(Vec2::new(4.6, 5.0)) < 1e-3 && positions[5].y > 5.5, "{positions:?}");
        tools.press(&scene, Vec2::new(9.0, 5.0), false);
        let Some(Command::SpawnSquad(SquadSpec { positions, .. })) = tools.release(&scene, Vec2::new(9.0, 5.0)) else {
            panic!()
        };
        assert!(positions.len() < 10);
    }
}
