//! The tools of the left button in a battle: select squads, paint the map, add squads.

use super::command::Command;
use super::deploying;
use super::measuring::{MAX_AREAS, NumberedArea};
use super::room::Room;
use crate::shell::brush::{self, ColumnRow};
use crate::shell::event::Tool;
use std::collections::BTreeSet;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit, Grid, MapFormat, PLAIN, WATER};
use throng_record::MeasurementArea;
use throng_scene::sprite::look;
use throng_scene::view::RISE;
use throng_sim::battle::Rampart;
use throng_sim::world::{ArmyId, Frame, SquadId, SquadSpec, UnitId};

/// An area to be measured has sides of this length at least (m).
const MIN_AREA_SIDE_M: f32 = 0.5;

/// The way that paint is applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BrushShape {
    #[default]
    Brush,
    Line,
    Rectangle,
    Fill,
}

/// The kind of ground to paint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Paint {
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
pub(crate) struct NewSquad {
    pub army: ArmyId,
    pub unit: UnitId,
    pub count: u32,
}

/// A drag of the left button, since it was pressed at a point (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ToolDrag {
    /// A box around the agents to be selected; `adds` to the selection.
    Box { from: Vec2, adds: bool },
    /// A brush, last over this place.
    Brush { last: ColumnRow },
    /// A line or rectangle from there.
    Shape { from: Vec2 },
    /// A new squad, from flank to flank.
    Squad { from: Vec2 },
    /// An area to be measured.
    Area { from: Vec2 },
    /// The selected squads go along, or turn to look there.
    Deploy { from: Vec2, turns: bool },
}

/// The tools and what they have selected.
#[derive(Debug)]
pub(crate) struct Tools {
    pub tool: Tool,
    pub stroke: BrushShape,
    pub paint: Paint,
    /// Width of the brush (cells).
    pub width: u32,
    pub new_squad: NewSquad,
    /// How the map is saved.
    pub format: MapFormat,
    /// Squads that are selected.
    pub squads: BTreeSet<SquadId>,
    /// The agent that is looked at, by its number, which no other agent ever has.
    pub agent: Option<u32>,
    pub held: Option<ToolDrag>,
    /// The areas that are measured, at most [`MAX_AREAS`].
    pub areas: Vec<NumberedArea>,
    /// What is dragged turns (alt).
    pub turns: bool,
    /// Why the last deployment was not done, until it is told.
    pub refusal: Option<String>,
}

impl Default for Tools {
    fn default() -> Self {
        let new_squad = NewSquad { army: ArmyId(0), unit: UnitId(0), count: 20 };
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
            areas: Vec::new(),
            turns: false,
            refusal: None,
        }
    }
}

/// The battle under the mouse.
pub(crate) struct ToolContext<'a> {
    pub frame: &'a Frame,
    /// The squad of each row.
    pub squad: &'a [Option<SquadId>],
    /// Radius of the kinds of soldiers (m).
    pub radii: &'a [f32],
    /// The breakable walls, in the order of the cells.
    pub ramparts: &'a [(Cell, Rampart)],
    /// The greatest distance of a click from an agent's body (m).
    pub reach: f32,
    /// As [`Camera::slant`](crate::shell::camera::Camera::slant): where it is below 1, figures stand up from the ground.
    pub slant: f32,
}

impl ToolContext<'_> {
    /// The foot and the head of the agent in a row as they are seen: metres to the right and down on the screen.
    pub fn figure(&self, row: usize) -> [Vec2; 2] {
        let foot = self.frame.position[row] * Vec2::new(1.0, self.slant);
        if self.slant < 1.0 {
            let look = self.frame.unit.get(row).and_then(|unit| self.frame.looks.get(unit.index()));
            let height = look::height(look.copied().unwrap_or_default());
            [foot, foot - Vec2::new(0.0, RISE * height)]
        } else {
            [foot, foot]
        }
    }

    /// The row of the nearest agent whose body, as it is seen, is within reach of a point (m).
    pub fn row_at(&self, point: Vec2) -> Option<usize> {
        let point = point * Vec2::new(1.0, self.slant);
        let gaps = (0..self.frame.position.len()).map(|row| {
            let [foot, head] = self.figure(row);
            let up = head - foot;
            let share = ((point - foot).dot(up) / up.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            let distance = point.distance(foot + up * share);
            (distance - self.frame.radius[row], distance, row)
        });
        // From above bodies do not overlap; at a slant the figure counts whose middle is nearest.
        let rank = |&(gap, distance, _): &(f32, f32, usize)| if self.slant < 1.0 { distance } else { gap };
        let near = gaps.filter(|&(gap, ..)| gap <= self.reach);
        near.min_by(|one, other| rank(one).total_cmp(&rank(other))).map(|(.., row)| row)
    }

    /// The squad of the agent in a row.
    pub fn squad_of(&self, row: usize) -> Option<SquadId> {
        self.squad.get(row).copied().flatten()
    }

    /// The breakable wall in a cell.
    fn rampart(&self, cell: Cell) -> Option<Rampart> {
        let place = self.ramparts.binary_search_by_key(&cell, |&(cell, _)| cell).ok()?;
        Some(self.ramparts[place].1)
    }

    fn place(&self, point: Vec2) -> Option<ColumnRow> {
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
            Tool::Measure => {
                self.held = Some(ToolDrag::Area { from: point });
                None
            }
            Tool::SpawnSquad => {
                let squad = scene.row_at(point).and_then(|row| scene.squad_of(row));
                if let Some(squad) = squad
                    && !self.squads.contains(&squad)
                {
                    self.squads = BTreeSet::from([squad]);
                }
                self.held = Some(match squad {
                    Some(_) => ToolDrag::Deploy { from: point, turns: self.turns },
                    None => ToolDrag::Squad { from: point },
                });
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
            ToolDrag::Area { from } => {
                self.measure(scene, [from, point]);
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
            ToolDrag::Squad { from } => {
                let squad = self.spawn_squad(scene, from, point);
                self.unless_refused(squad)
            }
            // A click selects.
            ToolDrag::Deploy { from, .. } if from.distance(point) < 2.0 * scene.reach => None,
            drag @ ToolDrag::Deploy { .. } => {
                let squads = deploying::deploy(scene, self.deployment(scene, drag, point));
                self.unless_refused(squads)
            }
        }
    }

    /// Adds the area between two corners (m), as far as it is on the map; a click adds none.
    fn measure(&mut self, scene: &ToolContext<'_>, corners: [Vec2; 2]) {
        let Some(size) = scene.frame.grid.as_ref().map(|grid| grid.lattice().size()) else { return };
        let [one, other] = corners.map(|corner| corner.clamp(Vec2::ZERO, size));
        let (centre, sides) = (one.midpoint(other), (one - other).abs());
        let is_free = |&number: &u8| self.areas.iter().all(|area| area.number != number);
        if sides.min_element() >= MIN_AREA_SIDE_M
            && let Some(number) = (1..=MAX_AREAS as u8).find(is_free)
        {
            let area = MeasurementArea { centre, width: sides.x, height: sides.y };
            self.areas.push(NumberedArea { number, area });
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
            self.agent = row.map(|row| scene.frame.person_of(row)).or(self.agent);
            if let Some(squad) = row.and_then(|row| scene.squad_of(row))
                && !self.squads.insert(squad)
                && adds
            {
                self.squads.remove(&squad);
            }
            return;
        }
        let [low, high] = [low, high].map(|corner| corner * Vec2::new(1.0, scene.slant));
        let inside = |[foot, head]: [Vec2; 2]| {
            let middle = foot.midpoint(head);
            middle.cmpge(low).all() && middle.cmple(high).all()
        };
        let rows = (0..scene.squad.len()).filter(|&row| inside(scene.figure(row)));
        self.squads.extend(rows.filter_map(|row| scene.squad_of(row)));
    }

    /// The places of the new squad (m), drawn from flank to flank, and the direction in which it faces: to the left of the line.
    pub fn ranks(&self, scene: &ToolContext<'_>, from: Vec2, to: Vec2) -> (Vec<Vec2>, Vec2) {
        let count = self.new_squad.count as usize;
        let radius = scene.radii.get(self.new_squad.unit.index()).copied().unwrap_or(0.3);
        let spacing = 2.0 * radius * 1.5;
        let length = from.distance(to);
        let side = if length > spacing { (to - from) / length } else { Vec2::X };
        // A click makes a block. A hair more, so that the last stands on the flank itself.
        let files = if length > spacing { (length / spacing + 0.01) as usize + 1 } else { count.isqrt().max(1) };
        let front = Vec2::new(side.y, -side.x);
        let place = |i: usize| from + side * (spacing * (i % files) as f32) - front * (spacing * (i / files) as f32);
        ((0..count).map(place).collect(), front)
    }

    /// Where the selected squads stand while they are dragged to a point (m).
    pub fn deployment(&self, scene: &ToolContext<'_>, drag: ToolDrag, point: Vec2) -> Vec<(SquadId, Vec<Vec2>, f32)> {
        match drag {
            ToolDrag::Deploy { turns: true, .. } => deploying::turned(scene, &self.squads, point),
            ToolDrag::Deploy { from, .. } => deploying::carried(scene, &self.squads, point - from),
            _ => Vec::new(),
        }
    }

    /// The command; where it was refused, the reason is kept to be told.
    pub fn unless_refused(&mut self, command: Result<Option<Command>, String>) -> Option<Command> {
        command.unwrap_or_else(|reason| {
            self.refusal = Some(reason);
            None
        })
    }

    fn spawn_squad(&self, scene: &ToolContext<'_>, from: Vec2, to: Vec2) -> Result<Option<Command>, String> {
        let Some(grid) = scene.frame.grid.as_deref() else { return Ok(None) };
        let (places, front) = self.ranks(scene, from, to);
        let Some(&radius) = scene.radii.get(self.new_squad.unit.index()) else { return Ok(None) };
        let positions = Room::new(grid, deploying::others(scene, &BTreeSet::new())).fit(&places, radius)?;
        let NewSquad { army, unit, .. } = self.new_squad;
        let facing = libm::atan2f(front.y, front.x).to_degrees();
        let spec = SquadSpec { facing, ..SquadSpec::new(army, unit, positions) };
        Ok((!spec.positions.is_empty()).then_some(Command::SpawnSquad(spec)))
    }
}

#[cfg(test)]
mod tests;
