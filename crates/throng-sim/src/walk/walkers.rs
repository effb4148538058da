//! The agents that walk, and the stages over their columns.

use super::make_way::{self, Pressed};
use super::neighbours::Lookup;
use super::{Surroundings, avoid, integrate, neighbours, steer};
use crate::crowd::models::ModelFault;
use crate::crowd::models::Rows;
use crate::crowd::models::relaxation::settle;
use crate::crowd::sleepers::Strands;
use crate::crowd::stream::{Extent, Streams};
use crate::crowd::{AgentId, AgentRows, Avoidance, PIECE, bias, gap, headway, push};
use rayon::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::walls::slide;
use throng_spatial::{Index, Near};

/// The columns of agents that walk: those of a world, or those of a window of it.
pub(crate) struct Walkers<'a> {
    pub rows: &'a mut AgentRows,
    /// The first rows are awake.
    pub awake: usize,
    /// The row of each slot, `u32::MAX` where it has none here.
    pub row_of: &'a [u32],
    /// The index of those awake.
    pub index: &'a Index,
    pub scratch: &'a mut WalkScratch,
    /// Slots of agents that are to wake.
    pub woken: &'a mut Vec<u32>,
}

/// Data that one stage of a walk writes and a later one reads.
#[derive(Debug, Default)]
pub(crate) struct WalkScratch {
    /// The neighbours of each awake row.
    pub near: Near,
    /// True for each row that wants to move.
    pub wants: Vec<bool>,
    /// The weight of each row in this tick: agents near their goal give way.
    yield_weight: Vec<f32>,
    /// How far from every wall each awake row is at least (m), while it moves.
    wall_distance: Vec<f32>,
    /// The preferred velocities (m/s) before blocked agents were turned aside.
    straight: Vec<Vec2>,
    /// True for each row that turns where its progress fails, where some turn by rules.
    turns: Vec<bool>,
    /// Where each row goes, where a model asks for it: unit vectors.
    pub headings: Vec<Vec2>,
    /// The model of each awake row, where units have different ones.
    model_of: Vec<Avoidance>,
    /// The mean preferred velocities of the crowd, by place.
    streams: Streams,
    /// Unit of each awake row, where units differ in how they move.
    unit_of: Vec<u16>,
    /// The place of each row before the move (m), and its velocity (m/s), where a later stage asks for them.
    before: Vec<(Vec2, Vec2)>,
    strands: Strands,
    /// Agents that a driven body may touch.
    pressed: Vec<Pressed>,
}

impl Walkers<'_> {
    /// The row of an agent.
    fn row(&self, around: &Surroundings<'_>, id: AgentId) -> Option<usize> {
        let row = self.row_of[id.slot as usize];
        (row != u32::MAX && around.slots.generation[id.slot as usize] == id.generation).then_some(row as usize)
    }

    /// Writes preferred velocities, and which agents want to move. `extent` is that of the whole crowd, where these are a part of it.
    pub fn steer(&mut self, around: &Surroundings<'_>, extent: Option<Extent>) {
        let WalkScratch { wants, streams, pressed, headings, .. } = &mut *self.scratch;
        wants.clear();
        wants.resize(self.rows.len(), false);
        let none = Near::default();
        let mut aside = std::mem::take(&mut self.rows.aside);
        let (view, preferred) = self.rows.split(self.awake, around.step, around.grid, None, &none);
        let wants = &mut wants[..self.awake];
        steer::steer(around, &view, extent, streams, (headings, &mut aside[..self.awake]), preferred, wants);
        make_way::let_through(around, &view, (self.index, self.row_of), (preferred, wants));
        make_way::step_aside(around, &view, self.index, (preferred, wants), pressed);
        self.rows.take_preferred_velocity();
        self.rows.aside = aside;
    }

    /// Writes the lists of neighbours, where a stage will ask for them. Notes the sleepers that the `own` rows wake; returns how many
    /// of these have sleepers near.
    pub fn find(&mut self, around: &Surroundings<'_>, own: &(dyn Fn(usize) -> bool + Sync)) -> usize {
        self.look_up_units(around);
        let Some(reach) = around.reach else { return 0 };
        let WalkScratch { near, wants, unit_of, strands, .. } = &mut *self.scratch;
        let none = Near::default();
        let view = self.rows.view(around.step, around.grid, &none);
        let lookup =
            Lookup { reach, index: self.index, row_of: self.row_of, army: &self.rows.army, unit_of, wants, own };
        neighbours::find(around, &view, &lookup, self.rows.bodies(self.awake), near, self.woken, strands)
    }

    /// The unit of each awake row, where a stage of this tick will ask for it.
    pub fn look_up_units(&mut self, around: &Surroundings<'_>) {
        let (usage, unit_of) = (around.usage, &mut self.scratch.unit_of);
        unit_of.clear();
        if !usage.single() || usage.limited || usage.headway || usage.masked {
            let rows = self.rows.slot[..self.awake].par_iter().with_min_len(PIECE);
            rows.map(|&slot| around.slots.unit[slot as usize]).collect_into_vec(unit_of);
        }
    }

    /// Writes the new velocities, which avoid collisions; before that lets a stage of the caller's change the preferred ones, turns preferred velocities aside where an agent is stuck, and
    /// shortens them behind agents ahead.
    ///
    /// # Errors
    /// Where a model from outside breaks what it promises; all have a velocity all the same.
    pub fn avoid(&mut self, around: &Surroundings<'_>) -> Result<(), ModelFault> {
        let Surroundings { step, grid, avoidance, usage, units, .. } = *around;
        let WalkScratch { near, wants, yield_weight, straight, unit_of, model_of, headings, turns, .. } =
            &mut *self.scratch;
        let (rows, awake) = (&mut *self.rows, self.awake);
        let mut staged = Ok(());
        if let Some(stage) = around.stage {
            let (view, wished) = rows.split(awake, step, grid, None, near);
            staged = stage.avoid(&view, Rows::All, wished, "stage");
            let before = view.preferred_velocity[..awake].par_iter();
            wants[..awake].par_iter_mut().zip(&*wished).zip(before).with_min_len(PIECE).for_each(
                |((wants, new), old)| {
                    if new != old {
                        *wants = *new != Vec2::ZERO;
                    }
                },
            );
            rows.take_preferred_velocity();
        }
        avoid::models(around, unit_of, model_of);
        avoid::yield_weights(avoidance.settled, &rows.weight, wants, yield_weight);
        if !avoidance.bias.is_off() {
            // They are asked for as they were once all have moved.
            rows.preferred_velocity[..awake].par_iter().with_min_len(PIECE).copied().collect_into_vec(straight);
        }
        let by_rules = usage.uses(Avoidance::Gap);
        if avoidance.bias.turns() {
            let (mut view, turned) = rows.split(awake, step, grid, Some(yield_weight), near);
            if by_rules {
                // Before a door, people wait.
                view.heading = headings;
                let gaps = avoid::rows_of(around, Avoidance::Gap, model_of);
                let turns_aside =
                    |row: usize| !gaps.has(row) || view.progress[row] < 1.0 && gap::in_the_open(&view, row);
                let all = wants.par_iter().enumerate().with_min_len(PIECE);
                all.map(|(row, &wants)| wants && row < awake && turns_aside(row)).collect_into_vec(turns);
            }
            bias::bias(avoidance.bias, &view, if by_rules { turns } else { wants }, turned);
            rows.take_preferred_velocity();
        }
        if by_rules {
            let aside = std::mem::take(&mut rows.aside);
            let (mut view, turned) = rows.split(awake, step, grid, Some(yield_weight), near);
            view.heading = headings;
            gap::turn(avoidance.gap, &view, &aside, avoid::rows_of(around, Avoidance::Gap, model_of), turned);
            rows.take_preferred_velocity();
            rows.aside = aside;
        }
        // An agent that looks aside follows the agents that are before it there.
        if usage.headway {
            let (view, slowed) = rows.split(awake, step, grid, Some(yield_weight), near);
            // Gaps are a headway of their own.
            let gaps = avoid::rows_of(around, Avoidance::Gap, model_of);
            let by_gaps = |row| by_rules && gaps.has(row);
            let time = |row: usize| if by_gaps(row) { 0.0 } else { units[usize::from(unit_of[row])].headway };
            headway::headway(time, &view, slowed);
            rows.take_preferred_velocity();
        }
        let (mut view, new_velocity) = rows.split(awake, step, grid, Some(yield_weight), near);
        view.heading = headings;
        staged.and(avoid::avoid(around, &view, unit_of, model_of, new_velocity))
    }

    /// Moves all agents by the new velocities, sliding along walls, pushes overlaps apart, and counts their progress.
    pub fn integrate(&mut self, around: &Surroundings<'_>) {
        let Surroundings { step, grid, avoidance, usage, .. } = *around;
        let awake = ..self.awake;
        let by_push = usage.uses(Avoidance::Push) && avoidance.passes > 0;
        self.scratch.before.clear();
        if by_push {
            let both = self.rows.position[awake].par_iter().zip(&self.rows.velocity[awake]).with_min_len(PIECE);
            both.map(|(&at, &velocity)| (at, velocity)).collect_into_vec(&mut self.scratch.before);
        }
        for &id in &around.still {
            if let Some(row) = self.row(around, id) {
                self.rows.new_velocity[row] = Vec2::ZERO;
            }
        }
        let room = &mut self.scratch.wall_distance;
        room.resize(self.awake, 0.0);
        let AgentRows { position, velocity, new_velocity, radius, top_speed, .. } = &mut *self.rows;
        let moving =
            integrate::Moving { position: &mut position[awake], velocity: &mut velocity[awake], room: &mut *room };
        integrate::integrate(step, grid, &new_velocity[awake], &radius[awake], &top_speed[awake], moving);
        // The velocities have been walked: their memory is free.
        for _ in 0..avoidance.passes {
            let (view, pushed) = self.rows.split(self.awake, step, grid, None, &self.scratch.near);
            push::push(avoidance.cap, &view, pushed);
            let AgentRows { position, radius, new_velocity: pushed, .. } = &mut *self.rows;
            integrate::displace(grid, &pushed[awake], &radius[awake], &mut position[awake], room);
        }
        if by_push {
            self.settle(around);
        }
        for shove in around.shoves.values() {
            if let Some(row) = self.row(around, shove.id) {
                let (at, radius) = (self.rows.position[row], self.rows.radius[row]);
                self.rows.position[row] = slide(grid, grid.clearance(), at, shove.velocity * step, radius);
                self.rows.velocity[row] = (self.rows.position[row] - at) / step;
            }
        }
        for driven in around.driven.values() {
            if let Some(row) = self.row(around, driven.id) {
                (self.rows.position[row], self.rows.velocity[row]) = (driven.position, driven.velocity);
            }
        }
        let AgentRows { position, radius, .. } = &mut *self.rows;
        for &Pressed { by, slot } in &self.scratch.pressed {
            let (by, row) = (&around.driven[&by], self.row_of[slot as usize] as usize);
            position[row] = make_way::pushed_out(grid, (position[row], radius[row]), (by.position, by.radius));
        }
        if !avoidance.bias.is_off() {
            let AgentRows { velocity, progress, .. } = &mut *self.rows;
            let WalkScratch { wants, straight, .. } = &*self.scratch;
            bias::progress(avoidance.bias, step, wants, straight, velocity, &mut progress[awake]);
        }
    }

    /// Agents that move by `push` get the velocity that they really moved by.
    fn settle(&mut self, around: &Surroundings<'_>) {
        let Surroundings { usage, units, avoidance, .. } = *around;
        let WalkScratch { unit_of, before, .. } = &*self.scratch;
        let unit = |row: usize| &units[usize::from(unit_of[row])];
        let is_pushed = |row| usage.single() || unit(row).avoidance.unwrap_or(avoidance.kind) == Avoidance::Push;
        let most = |row| if usage.limited { unit(row).acceleration } else { f32::INFINITY };
        let AgentRows { position, velocity, preferred_velocity, top_speed, .. } = &mut *self.rows;
        let limit = |row| is_pushed(row).then(|| most(row));
        settle(around.step, before, position, preferred_velocity, top_speed, limit, &mut velocity[..self.awake]);
    }
}

impl WalkScratch {
    /// Bytes of memory, but for the lists of neighbours.
    pub fn bytes(&self) -> usize {
        self.wants.capacity()
            + (self.yield_weight.capacity() + self.wall_distance.capacity()) * size_of::<f32>()
            + self.straight.capacity() * size_of::<Vec2>()
            + self.model_of.capacity()
            + self.turns.capacity()
            + self.headings.capacity() * size_of::<Vec2>()
            + self.streams.bytes()
            + self.unit_of.capacity() * size_of::<u16>()
            + self.before.capacity() * size_of::<(Vec2, Vec2)>()
            + self.strands.bytes()
    }
}
