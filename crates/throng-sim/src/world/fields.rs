//! Squads that walk by flow fields: one for all that have the same goal.

use super::World;
use super::parts::State;
use crate::battle::Errand;
use crate::crowd::{RouteId, Trip};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::{Cell, Ground};
use throng_plan::{FlowField, PlanError, PlannerChoice, Scratch};

/// The fields that squads walk by, by ground and goal.
#[derive(Debug, Default)]
pub(super) struct Fields {
    built: BTreeMap<(u16, Cell), Arc<FlowField>>,
    scratch: Scratch,
}

impl Fields {
    /// Builds the field of a ground and a goal, in the memory of one by which nobody walks any more.
    fn build(&mut self, grounds: &[Arc<Ground>], key: (u16, Cell)) -> Result<(), PlanError> {
        let unused = |(&key, field): (&(u16, Cell), &Arc<FlowField>)| (Arc::strong_count(field) == 1).then_some(key);
        let unused: Vec<(u16, Cell)> = self.built.iter().filter_map(unused).collect();
        let spare = unused.iter().filter_map(|key| Arc::into_inner(self.built.remove(key)?)).last();
        let (ground, goal) = (&grounds[usize::from(key.0)], [key.1]);
        let field = match spare {
            Some(mut field) => field.rebuild(ground, &goal, &mut self.scratch).map(|()| field),
            None => FlowField::new(ground, &goal, &mut self.scratch),
        };
        self.built.insert(key, Arc::new(field?));
        Ok(())
    }

    /// The ground and the goal of each, also of those that nobody walks by any more: whoever asks for one finds it.
    pub(super) fn keys(&self) -> Vec<(u16, Cell)> {
        self.built.keys().copied().collect()
    }

    /// The fields with these grounds and goals.
    ///
    /// # Errors
    /// Where one cannot be built.
    pub(super) fn of(grounds: &[Arc<Ground>], keys: &[(u16, Cell)]) -> Result<Self, PlanError> {
        let (mut built, mut scratch) = (BTreeMap::new(), Scratch::default());
        for &(ground, goal) in keys {
            let field = FlowField::new(&grounds[usize::from(ground)], &[goal], &mut scratch)?;
            built.insert((ground, goal), Arc::new(field));
        }
        Ok(Self { built, scratch })
    }

    /// The field of a ground and a goal, where there is one.
    pub(super) fn find(&self, key: (u16, Cell)) -> Option<Arc<FlowField>> {
        self.built.get(&key).cloned()
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.built.values().map(|field| field.bytes()).sum()
    }
}

impl World {
    /// True where a squad's planner is [`PlannerChoice::FlowField`].
    pub(super) fn walks_by_field(&self, s: usize) -> bool {
        self.derived.planners[usize::from(self.state.squads[s].planner)].0 == PlannerChoice::FlowField
    }

    /// Sends the squads that want to go somewhere by a field on their way. One new field a tick is built at most, the
    /// others wait for their turn.
    ///
    /// # Errors
    /// Where a field cannot be built.
    pub(super) fn ask_fields(&mut self) -> Result<(), PlanError> {
        let (mut may_build, mut failed) = (true, Ok(()));
        // Each tick another squad has the first turn.
        let count = self.state.squads.len();
        let first = self.state.tick.checked_rem(count as u64).unwrap_or(0) as usize;
        for s in (first..count).chain(0..first) {
            let Errand::Wanted { from, to } = self.state.squads[s].errand else { continue };
            if !self.walks_by_field(s) {
                continue;
            }
            let key = (self.state.squads[s].ground, to);
            if !self.derived.fields.built.contains_key(&key) {
                if !std::mem::take(&mut may_build) {
                    continue;
                }
                if let Err(error) = self.derived.fields.build(&self.derived.grounds, key) {
                    self.cannot_reach(s, to);
                    failed = failed.and(Err(error));
                }
            }
            let Some(field) = self.derived.fields.built.get(&key).cloned() else { continue };
            if field.cost(from).is_some() {
                self.flow(s, field, to);
            } else {
                self.cannot_reach(s, to);
            }
        }
        failed
    }

    /// Sets a squad on a field: all members at once, wherever they are.
    fn flow(&mut self, s: usize, field: Arc<FlowField>, to: Cell) {
        let squad = &mut self.state.squads[s];
        squad.field = Some(field);
        squad.errand = Errand::Walked { to };
        squad.patience.is_content();
        self.post_members(s, to);
        let State { squads, crowd, routes, desk, .. } = &mut self.state;
        for &id in &squads[s].members {
            if crowd.row(id).is_none() {
                continue;
            }
            self.scratch.waking.push(id.slot);
            let trip = &mut crowd.trip[id.slot as usize];
            let Trip { post, is_sent, has_come, .. } = *trip;
            let old = std::mem::replace(trip, Trip { is_sent, has_come, ..Trip::stay(post) });
            routes.release(old.route);
            desk.asking.remove(&id);
        }
        routes.release(squads[s].take_route(RouteId::NONE));
    }

    /// Mends the fields over these grounds after an edit of the map, or another count of the crowd. A squad whose goal is in a
    /// wall now has none.
    pub(super) fn mend_fields(&mut self, dirty: &[Cell], over: impl Fn(&Ground) -> bool) {
        let Fields { built, scratch } = &mut self.derived.fields;
        let grounds = &self.derived.grounds;
        built.retain(|&(ground, _), field| {
            let ground = &grounds[usize::from(ground)];
            !over(ground)
                || Arc::strong_count(field) > 1
                    && field.updated(ground, dirty, scratch).map(|mended| *field = Arc::new(mended)).is_ok()
        });
        for squad in self.state.squads.iter_mut().filter(|squad| squad.field.is_some()) {
            let Some([goal]) = squad.field.as_ref().map(|field| field.goals()) else { continue };
            squad.field = built.get(&(squad.ground, *goal)).cloned();
        }
    }
}
