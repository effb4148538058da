//! A frame in whole numbers: the base of the guess of the next one.

use super::bytes::Fault;
use super::figures::Figures;
use super::flights::Shot;
use super::rows::{self, Row};
use super::walls::{self, Wall};
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

#[derive(Debug, Default)]
pub(super) struct Moment {
    pub tick: u64,
    /// The agents, by id.
    pub rows: Vec<Row>,
    /// In the order in which they were shot.
    pub shots: Vec<Shot>,
    /// By place.
    pub walls: Vec<Wall>,
    /// By army.
    pub figures: Vec<Figures>,
}

impl Moment {
    /// Becomes that of a frame. `order` is scratch.
    pub fn take(&mut self, frame: &Frame, order: &mut Vec<u64>) {
        // A new part of a frame does not compile until it is listed here as kept or not: of the rest, the writer and `moves`
        // have the map, `names` the names.
        let Frame {
            tick,
            grid,
            armies,
            shots,
            ramparts,
            fallen: _,
            asleep: _,
            verdict: _,
            id: _,
            person: _,
            position: _,
            heading: _,
            radius: _,
            army: _,
            health: _,
            action: _,
            unit: _,
            squad: _,
            units: _,
            looks: _,
            enemies: _,
            enlisted: _,
            colours: _,
            fires: _,
            links: _,
            kinds: _,
            time: _,
            stage_ms: _,
            tick_ms: _,
            // Not kept.
            squads: _,
            remaining_routes: _,
        } = frame;
        self.tick = *tick;
        rows::of_frame(frame, order, &mut self.rows);
        self.shots.clear();
        self.shots.extend(shots.iter().map(Shot::of));
        walls::of_ramparts(ramparts, grid.as_ref().map(|grid| grid.lattice()), &mut self.walls);
        self.figures.clear();
        self.figures.extend(armies.iter().map(Figures::of));
    }

    /// Empty columns.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.shots.clear();
        self.walls.clear();
        self.figures.clear();
    }

    /// Writes the columns of agents, shots and walls into `frame`, which has its map.
    pub fn show(&self, headings: &[Vec2; 256], frame: &mut Frame) -> Result<(), Fault> {
        // Parts that are not kept are empty, not those of another frame.
        frame.remaining_routes.clear();
        frame.squads.clear();
        rows::into_frame(&self.rows, headings, frame);
        frame.shots.clear();
        frame.shots.extend(self.shots.iter().map(Shot::flight));
        frame.ramparts.clear();
        let Some(grid) = &frame.grid else { return Ok(()) };
        walls::into_ramparts(&self.walls, grid.lattice(), &mut frame.ramparts)
    }
}
