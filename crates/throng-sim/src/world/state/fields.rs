//! The flow fields that squads walk by.

use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::{Cell, Ground};
use throng_plan::{FlowField, PlanError};

/// The fields that squads walk by, by ground and goal.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) built: BTreeMap<(u16, Cell), Arc<FlowField>>,
    pub(crate) scratch: throng_plan::Scratch,
}

impl Fields {
    /// Builds the field of a ground and a goal, in the memory of an unused one.
    pub(crate) fn build(&mut self, grounds: &[Arc<Ground>], key: (u16, Cell)) -> Result<(), PlanError> {
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

    /// The ground and the goal of each, of unused ones too: the next request finds those.
    pub(crate) fn keys(&self) -> Vec<(u16, Cell)> {
        self.built.keys().copied().collect()
    }

    /// The fields with these grounds and goals.
    ///
    /// # Errors
    /// Where one cannot be built.
    pub(crate) fn of(grounds: &[Arc<Ground>], keys: &[(u16, Cell)]) -> Result<Self, PlanError> {
        let (mut built, mut scratch) = (BTreeMap::new(), throng_plan::Scratch::default());
        for &(ground, goal) in keys {
            let field = FlowField::new(&grounds[usize::from(ground)], &[goal], &mut scratch)?;
            built.insert((ground, goal), Arc::new(field));
        }
        Ok(Self { built, scratch })
    }

    /// The field of a ground and a goal, where there is one.
    pub(crate) fn find(&self, key: (u16, Cell)) -> Option<Arc<FlowField>> {
        self.built.get(&key).cloned()
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.built.values().map(|field| field.bytes()).sum()
    }
}
