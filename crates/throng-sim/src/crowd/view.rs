//! What the stages in which agents walk read of all agents.

use super::AgentRows;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Layer};
use throng_spatial::Near;

/// The columns of all agents and the map they walk on, as one stage of a tick reads them. Rows are indices into the columns.
///
/// Columns of results may be shorter: the rows behind their end are seen by the others, and do not move.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AgentView<'a> {
    /// Length of the tick (s).
    pub step: f32,
    /// The map.
    pub grid: &'a Grid,
    /// The distance of each cell of the map to the nearest wall (m).
    pub clearance: &'a Layer<f32>,
    /// Position of each agent (m).
    pub position: &'a [Vec2],
    /// How it moves (m/s).
    pub velocity: &'a [Vec2],
    /// The velocity at which it would move if it were alone (m/s).
    pub preferred_velocity: &'a [Vec2],
    /// Where it goes, before it was turned aside: unit vectors, 0 where it goes nowhere. Empty where no model asks for it.
    pub heading: &'a [Vec2],
    /// Its radius (m).
    pub radius: &'a [f32],
    /// Its greatest speed (m/s).
    pub top_speed: &'a [f32],
    /// Its weight: of two agents the lighter one gives way more.
    pub weight: &'a [f32],
    /// The share of its preferred velocity that it has done of late, 0 to 1.
    pub progress: &'a [f32],
    /// Its slot, which never changes while it lives.
    pub slot: &'a [u32],
    /// The rows of its neighbours, nearest first.
    pub near: &'a Near,
}

/// The columns of an [`AgentView`], in its units; all of one length.
#[derive(Clone, Copy, Debug, Default)]
#[expect(missing_docs, reason = "they are those of the view")]
pub struct AgentColumns<'a> {
    pub position: &'a [Vec2],
    pub velocity: &'a [Vec2],
    pub preferred_velocity: &'a [Vec2],
    pub radius: &'a [f32],
    pub top_speed: &'a [f32],
    pub weight: &'a [f32],
    pub progress: &'a [f32],
    pub slot: &'a [u32],
}

/// A column is longer or shorter than that of the positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the column {column} has {found} rows, expected {expected}, as the positions have; fill it up")]
#[non_exhaustive]
pub struct ColumnLengthError {
    /// Its name.
    pub column: &'static str,
    /// Its rows.
    pub found: usize,
    /// How many rows the positions have.
    pub expected: usize,
}

impl<'a> AgentView<'a> {
    /// A view of columns, on a map with its [clearance](throng_grid::clearance::clearance), for a tick of `step` seconds.
    ///
    /// # Errors
    /// [`ColumnLengthError`] for the first column that has another length than the positions.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice, clearance::clearance};
    /// use throng_sim::crowd::{AgentColumns, AgentView};
    /// use throng_spatial::Near;
    /// let grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
    /// let (layer, near, still) = (clearance(&grid), Near::default(), [Vec2::ZERO; 2]);
    /// let columns = AgentColumns { position: &still, velocity: &still, ..AgentColumns::default() };
    /// let error = AgentView::new(0.1, &grid, &layer, columns, &near).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the column preferred_velocity has 0 rows, expected 2, as the positions have; fill it up"
    /// );
    /// # Ok::<(), throng_grid::LatticeError>(())
    /// ```
    pub fn new(
        step: f32,
        grid: &'a Grid,
        clearance: &'a Layer<f32>,
        columns: AgentColumns<'a>,
        near: &'a Near,
    ) -> Result<Self, ColumnLengthError> {
        let AgentColumns { position, velocity, preferred_velocity, radius, top_speed, weight, progress, slot } =
            columns;
        let lengths = [
            ("velocity", velocity.len()),
            ("preferred_velocity", preferred_velocity.len()),
            ("radius", radius.len()),
            ("top_speed", top_speed.len()),
            ("weight", weight.len()),
            ("progress", progress.len()),
            ("slot", slot.len()),
        ];
        let expected = position.len();
        match lengths.into_iter().find(|&(_, found)| found != expected) {
            Some((column, found)) => Err(ColumnLengthError { column, found, expected }),
            None => Ok(Self::of(step, grid, clearance, columns, near)),
        }
    }

    /// The same with headings: unit vectors, 0 where an agent goes nowhere.
    ///
    /// # Errors
    /// [`ColumnLengthError`] where there are more or fewer than positions.
    pub fn with_headings(self, heading: &'a [Vec2]) -> Result<Self, ColumnLengthError> {
        let (found, expected) = (heading.len(), self.position.len());
        if found == expected {
            Ok(Self { heading, ..self })
        } else {
            Err(ColumnLengthError { column: "heading", found, expected })
        }
    }

    /// A view of columns that are known to be of one length.
    pub(crate) fn of(
        step: f32,
        grid: &'a Grid,
        clearance: &'a Layer<f32>,
        columns: AgentColumns<'a>,
        near: &'a Near,
    ) -> Self {
        let AgentColumns { position, velocity, preferred_velocity, radius, top_speed, weight, progress, slot } =
            columns;
        Self {
            step,
            grid,
            clearance,
            position,
            velocity,
            preferred_velocity,
            heading: &[],
            radius,
            top_speed,
            weight,
            progress,
            slot,
            near,
        }
    }
}

impl AgentRows {
    /// What a stage reads, and the column of the first `awake` agents to which it writes new velocities (m/s). `weight` takes the place
    /// of their own.
    pub(crate) fn split<'a>(
        &'a mut self,
        awake: usize,
        step: f32,
        grid: &'a Grid,
        weight: Option<&'a [f32]>,
        near: &'a Near,
    ) -> (AgentView<'a>, &'a mut [Vec2]) {
        let Self {
            position,
            velocity,
            preferred_velocity,
            new_velocity,
            radius,
            top_speed,
            weight: own,
            progress,
            slot,
            ..
        } = self;
        let weight = weight.unwrap_or(own);
        let columns =
            AgentColumns { position, velocity, preferred_velocity, radius, top_speed, weight, progress, slot };
        (AgentView::of(step, grid, grid.clearance(), columns, near), &mut new_velocity[..awake])
    }

    /// What a stage reads.
    pub(crate) fn view<'a>(&'a self, step: f32, grid: &'a Grid, near: &'a Near) -> AgentView<'a> {
        let Self { position, velocity, preferred_velocity, radius, top_speed, weight, progress, slot, .. } = self;
        let columns =
            AgentColumns { position, velocity, preferred_velocity, radius, top_speed, weight, progress, slot };
        AgentView::of(step, grid, grid.clearance(), columns, near)
    }

    /// What was written as new velocities is what agents prefer from now on.
    pub(crate) fn take_preferred_velocity(&mut self) {
        std::mem::swap(&mut self.preferred_velocity, &mut self.new_velocity);
    }
}
