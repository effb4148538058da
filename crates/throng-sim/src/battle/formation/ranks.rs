//! The order of one squad: the places, and the member in each.

use super::assign::assign;
use super::close_up::close_up;
use super::layout::Layout;
use super::line::Line;
use super::room::{Rooms, Terrain};
use super::trail::Trail;
use super::{Formation, Shape};
use crate::crowd::{ARRIVAL_RADIUS, AgentId, Crowd};
use serde::{Deserialize, Serialize};
use throng_grid::geom::{Vec2, unit};
use throng_grid::{Grid, walls};

/// Turns begin and end so many half widths before and after a corner: the inner files close up by a third then, at most.
const TURN: f32 = 2.5;

/// The state of a squad in formation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stage {
    /// Waits for its way, or has not formed up yet.
    Waits,
    /// Stands.
    Stands,
    /// Marches, or stands at the end of its way.
    Marches,
    /// The squad has met the enemy: each member moves for itself.
    Fights {
        /// The last tick in which a member had an enemy in sight.
        seen: u64,
    },
}

/// The order that a squad keeps: a place for each member along the way of the squad.
///
/// ```
/// use throng_sim::battle::{Formation, Order, Shape, Unit};
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::world::{SquadSpec, Settings, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
/// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let positions: Vec<Vec2> = (0..9).map(|i| Vec2::new(6.5 + i as f32, 8.5)).collect();
/// let squad = world.spawn_squad(SquadSpec::new(red, soldier, &positions))?;
/// world.form(squad, Formation::new(Shape::Square, 1.0))?;
/// world.order(squad, Order::GoTo(Vec2::new(40.5, 30.5)))?;
/// for _ in 0..900 {
///     world.tick()?;
/// }
/// let ranks = world.squads()[0].ranks.as_deref().ok_or("it has none")?;
/// assert_eq!((ranks.places().count(), ranks.files()), (9, 3));
/// let astray = |(id, place): (_, Vec2)| world.crowd().row(id).map(|row| world.crowd().rows.position[row].distance(place));
/// assert!(ranks.places().filter_map(astray).all(|astray| astray < 0.3), "each member is in its place");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of the march, and any two go together")]
pub struct Ranks {
    pub(super) formation: Formation,
    /// The member in each place.
    pub(super) posted: Vec<AgentId>,
    /// So many abreast where the way is narrower than the formation.
    pub(super) files: Option<u32>,
    pub(super) stage: Stage,
    pub(super) trail: Trail,
    /// The line on which it was drawn up.
    pub(super) line: Option<Line>,
    /// How far its middle is along the trail (m).
    pub(super) at: f32,
    /// Shares of its speed that lagging members and slopes leave to its march, 0 to 1 and more.
    pub(super) haste: [f32; 2],
    /// How long it has waited for lagging members, and how long it will wait (s).
    pub(super) waited: [f32; 2],
    /// When places were given out last (ticks).
    pub(super) changed: u64,
    /// When it became thinner or broader last (ticks).
    pub(super) thinned: u64,
    /// Some member was not in its place at the last look.
    pub(super) astray: bool,
    /// It has another order or another way, and has not looked at it yet.
    pub(super) fresh: bool,
    #[serde(skip)]
    pub(super) full: Layout,
    #[serde(skip)]
    pub(super) layout: Layout,
    #[serde(skip)]
    pub(super) places: Vec<Vec2>,
    #[serde(skip)]
    pub(super) rooms: Rooms,
    /// The places have changed in this tick.
    #[serde(skip)]
    pub(super) moved: bool,
    /// Walls leave no room for some place.
    #[serde(skip)]
    pub(super) is_cramped: bool,
}

impl Ranks {
    /// The ranks of soldiers that face along a unit vector and take their places when they are told to go or to stay.
    pub(crate) fn new(formation: Formation, heading: Vec2) -> Self {
        Self {
            formation,
            posted: Vec::new(),
            files: None,
            stage: Stage::Waits,
            trail: Trail::stand(Vec2::ZERO, heading),
            line: None,
            at: 0.0,
            haste: [0.0, 1.0],
            waited: [0.0; 2],
            changed: 0,
            thinned: 0,
            astray: false,
            fresh: true,
            full: Layout::default(),
            layout: Layout::default(),
            places: Vec::new(),
            rooms: Rooms::default(),
            moved: false,
            is_cramped: false,
        }
    }

    /// Its formation.
    pub fn formation(&self) -> Formation {
        self.formation
    }

    /// How many are side by side now: fewer than in its formation, where its way is narrow.
    pub fn files(&self) -> usize {
        self.files.map_or_else(|| self.formation.abreast(self.posted.len()), |files| files as usize)
    }

    /// True while its members keep their places: not before they have formed up, nor while they fight.
    pub fn is_kept(&self) -> bool {
        matches!(self.stage, Stage::Stands | Stage::Marches)
    }

    /// True where it stands on the line of its order.
    pub fn is_drawn_up(&self) -> bool {
        self.line.is_some()
    }

    /// The point (m) around which it is.
    pub fn centre(&self) -> Vec2 {
        self.trail.point(self.at)
    }

    /// True where it has come to the end of its way.
    pub fn has_come(&self) -> bool {
        self.at >= self.trail.length()
    }

    /// The unit vector of where its front looks.
    pub fn heading(&self) -> Vec2 {
        self.trail.tangent(self.at, self.reach())
    }

    /// The unit vector in which a member in its place (m) looks: to the front, in a circle outwards.
    pub fn front(&self, place: Vec2) -> Vec2 {
        let out = place - self.centre();
        match self.formation.shape {
            Shape::Circle if out.length_squared() > 1e-6 => unit(out),
            _ => self.heading(),
        }
    }

    /// The place of each member (m), from the front to the rear.
    pub fn places(&self) -> impl Iterator<Item = (AgentId, Vec2)> {
        self.posted.iter().copied().zip(self.places.iter().copied())
    }

    /// It has another order or another way.
    pub(crate) fn turn(&mut self) {
        self.fresh = true;
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        let layout = |layout: &Layout| layout.places.capacity() * (size_of::<Vec2>() + size_of::<u32>());
        size_of::<Self>()
            + self.posted.capacity() * size_of::<AgentId>()
            + self.places.capacity() * size_of::<Vec2>()
            + layout(&self.full)
            + layout(&self.layout)
            + self.trail.bytes()
            + self.rooms.bytes()
    }

    /// Says what of it cannot be: it was read from a file.
    pub(crate) fn check(&self, radius: f32) -> Result<(), &'static str> {
        let Self { formation, trail, at, haste, waited, files, .. } = self;
        let numbers = [*at, haste[0], haste[1], waited[0], waited[1]];
        if !Formation::spacings(radius).contains(&formation.spacing) || files.or(formation.files) == Some(0) {
            return Err("a formation is too dense");
        }
        // A trail that long would take as much memory again, for the room beside it.
        let is_sound = |line: &Line| line.centre.is_finite() && line.front.is_sound();
        if !self.line.as_ref().is_none_or(is_sound)
            || !trail.is_sound()
            || !numbers.iter().all(|x| x.is_finite() && x.abs() < 1e7)
        {
            return Err("a formation is nowhere");
        }
        Ok(())
    }

    /// Makes what is not stored anew, after it was read from a file.
    pub(crate) fn restore(&mut self, grid: &Grid, radius: f32) {
        self.refresh(Terrain { grid, clearance: grid.clearance() }, radius);
    }

    /// How far to either side of a rank its way counts for where it looks (m).
    pub(super) fn reach(&self) -> f32 {
        TURN * 0.5 * self.layout.width() + 1.0
    }

    /// Makes what is not stored anew, after reading, or where the map or the number of members has changed.
    pub(super) fn refresh(&mut self, terrain: Terrain<'_>, radius: f32) {
        let count = self.posted.len();
        if self.full.places.len() != count {
            self.full = self.formation.layout(count);
        }
        let stale = self.layout.places.len() != count;
        if stale {
            self.lay_out();
        }
        let edited = self.rooms.reset(terrain, &self.trail, radius, false);
        if stale || edited || self.places.len() != count {
            self.lay(terrain, radius);
        }
    }

    fn lay_out(&mut self) {
        self.layout = match self.files {
            None => self.full.clone(),
            Some(files) => self.formation.thinned(self.posted.len(), files as usize),
        };
        self.rooms.make_room_for(0.5 * self.layout.width());
    }

    /// Takes `files` abreast behind the rank that is in front, and gives each member the place to which the ways are shortest.
    /// Returns how far the furthest has to go (m).
    pub(super) fn take_order(&mut self, terrain: Terrain<'_>, radius: f32, crowd: &Crowd, files: Option<u32>) -> f32 {
        self.posted.retain(|&id| crowd.row(id).is_some());
        let front = self.at + self.layout.front();
        let count = self.posted.len();
        if self.full.places.len() != count {
            self.full = self.formation.layout(count);
        }
        self.files = files;
        self.lay_out();
        if self.stage == Stage::Marches {
            self.at = (front - self.layout.front()).min(self.trail.length());
        }
        self.lay(terrain, radius);
        let from: Vec<Vec2> =
            self.posted.iter().filter_map(|&id| crowd.row(id)).map(|row| crowd.rows.position[row]).collect();
        let mut posted = vec![AgentId::NONE; count];
        let mut furthest = 0.0_f32;
        for ((&id, at), place) in self.posted.iter().zip(&from).zip(assign(&from, &self.places)) {
            posted[place as usize] = id;
            furthest = furthest.max(at.distance(self.places[place as usize]));
        }
        self.posted = posted;
        self.moved = true;
        furthest
    }

    /// Each member that has not arrived takes the place of the mate nearest to it, which goes to its place instead.
    pub(super) fn make_way(&mut self, crowd: &Crowd) {
        let at = |id: AgentId| crowd.row(id).map(|row| crowd.rows.position[row]);
        let positions: Vec<Option<Vec2>> = self.posted.iter().map(|&id| at(id)).collect();
        let is_out = |i: usize| positions[i].is_some_and(|at| at.distance(self.places[i]) > ARRIVAL_RADIUS);
        let out: Vec<usize> = (0..positions.len()).filter(|&i| is_out(i)).collect();
        let mut is_free: Vec<bool> = (0..positions.len()).map(|i| !is_out(i)).collect();
        for i in out {
            let Some(here) = positions[i] else { continue };
            let far = |j: usize| positions[j].map_or(f32::INFINITY, |at| at.distance_squared(here));
            let mates = (0..positions.len()).filter(|&j| is_free[j]);
            if let Some(mate) = mates.min_by(|&a, &b| far(a).total_cmp(&far(b))) {
                self.posted.swap(i, mate);
                is_free[mate] = false;
            }
        }
    }

    /// Closes up the ranks after deaths.
    pub(super) fn close_up(&mut self, terrain: Terrain<'_>, radius: f32, crowd: &Crowd) {
        if self.posted.iter().all(|&id| crowd.row(id).is_some()) {
            return;
        }
        close_up(&mut self.posted, &self.layout, |id| crowd.row(id).is_some());
        self.refresh(terrain, radius);
        // There is no rank behind another in a ring, nor does a wedge keep its ranks.
        if matches!(self.formation.shape, Shape::Circle | Shape::Wedge) && self.is_kept() {
            self.take_order(terrain, radius, crowd, self.files);
        }
        self.moved = true;
    }

    /// Writes the places: each rank beside its point of the trail, and no place in a wall or behind one.
    pub(super) fn lay(&mut self, terrain: Terrain<'_>, radius: f32) {
        if let Some(line) = self.line {
            self.places = line.places(terrain, &self.layout, self.formation.spacing, radius);
            return;
        }
        let (reach, length) = (self.reach(), self.trail.length());
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        self.is_cramped = false;
        let (mut rank, mut centre, mut right, mut open, mut shift) = (f32::NAN, Vec2::ZERO, Vec2::ZERO, 0.0, 0.0);
        for place in &self.layout.places {
            if place.y != rank {
                rank = place.y;
                let along = self.at + rank;
                centre = self.trail.point(along);
                let ahead = self.trail.tangent(along, reach);
                right = Vec2::new(-ahead.y, ahead.x);
                if !(0.0..=length).contains(&along) {
                    let clipped = terrain.clip(self.trail.point(along.clamp(0.0, length)), centre, radius);
                    self.is_cramped |= clipped != centre;
                    centre = clipped;
                }
                open = walls::free_radius(terrain.clearance, centre) - radius;
                shift = self.rooms.shift(terrain, &self.trail, along);
            }
            let x = place.x + shift;
            let at = centre + right * x;
            let place = if x.abs() < open { at } else { terrain.clip(centre, at, radius) };
            self.is_cramped |= place != at;
            places.push(place);
        }
        self.places = places;
    }
}
