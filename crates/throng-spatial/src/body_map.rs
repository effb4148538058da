//! Bodies that are kept with their index: for those who want no columns.

use super::{Bodies, Index, IndexKind, SpatialError, SpatialIndex};
use std::ops::ControlFlow;

/// A body of a [`BodyMap`]. It is never another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(u32);

/// Balls in the plane, each with a value, and the index that finds them: the way to begin.
///
/// The index follows at the next question after a change, at the cost of an [update](SpatialIndex::update): make all changes of a step,
/// then ask. Where many bodies ask at once, [`SpatialIndex::neighbours`] over columns is some ten times as fast.
///
/// ```
/// use throng_spatial::{BodyMap, IndexKind};
/// let mut trees = BodyMap::new(IndexKind::Grid);
/// let oak = trees.insert([2.0, 3.0], 0.5, "oak")?;
/// let elm = trees.insert([9.0, 3.0], 0.5, "elm")?;
/// let near: Vec<&str> = trees.within([1.0, 3.0], 4.0)?.map(|body| *body.value).collect();
/// assert_eq!(near, ["oak"]);
/// trees.move_to(elm, [1.5, 3.0])?;
/// let first = trees.nearest([1.0, 3.0])?.next().map(|body| (body.id, body.distance));
/// assert_eq!(first, Some((elm, 0.5)));
/// assert_eq!((trees.remove(oak), trees.remove(oak), trees.len()), (Some("oak"), None, 1));
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Debug)]
pub struct BodyMap<T> {
    index: Index,
    /// The index has not been told of the last changes.
    is_stale: bool,
    position: Vec<[f32; 2]>,
    radius: Vec<f32>,
    id: Vec<u32>,
    value: Vec<T>,
    /// The row of each body that was ever there, `u32::MAX` where it has gone.
    row_of: Vec<u32>,
}

/// A body that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Found<'a, T> {
    /// Which.
    pub id: BodyId,
    /// Its value.
    pub value: &'a T,
    /// Its centre (m).
    pub position: [f32; 2],
    /// From the point that was asked about to its centre (m).
    pub distance: f32,
}

impl<T> BodyMap<T> {
    /// Empty, with an index of a kind.
    pub fn new(kind: IndexKind) -> Self {
        Self::with_index(Index::new(kind))
    }

    /// Empty, with an index.
    pub fn with_index(index: Index) -> Self {
        let (position, radius, id, value, row_of) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { index, is_stale: true, position, radius, id, value, row_of }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// True where there are none.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Adds a body: its centre (m), its radius (m) and its value. O(1).
    ///
    /// # Errors
    /// Where a number is none, a radius is negative, or one is greater than [`Bodies::MAX_EXTENT_M`].
    pub fn insert(&mut self, position: [f32; 2], radius: f32, value: T) -> Result<BodyId, SpatialError> {
        let id = self.row_of.len() as u32;
        Bodies::new(&[position], &[radius], &[id]).check()?;
        self.row_of.push(self.id.len() as u32);
        self.position.push(position);
        self.radius.push(radius);
        self.id.push(id);
        self.value.push(value);
        self.is_stale = true;
        Ok(BodyId(id))
    }

    /// Puts a body elsewhere (m); false where it has gone. O(1).
    ///
    /// # Errors
    /// As [`insert`](Self::insert); then it stays where it is.
    pub fn move_to(&mut self, body: BodyId, position: [f32; 2]) -> Result<bool, SpatialError> {
        let Some(row) = self.row(body) else { return Ok(false) };
        Bodies::new(&[position], &[self.radius[row]], &[body.0]).check()?;
        self.position[row] = position;
        self.is_stale = true;
        Ok(true)
    }

    /// Takes a body out; `None` where it has gone. O(1).
    pub fn remove(&mut self, body: BodyId) -> Option<T> {
        let row = self.row(body)?;
        self.row_of[body.0 as usize] = u32::MAX;
        self.position.swap_remove(row);
        self.radius.swap_remove(row);
        self.id.swap_remove(row);
        let value = self.value.swap_remove(row);
        if let Some(&moved) = self.id.get(row) {
            self.row_of[moved as usize] = row as u32;
        }
        self.is_stale = true;
        Some(value)
    }

    /// The value of a body; `None` where it has gone. O(1).
    pub fn value(&self, body: BodyId) -> Option<&T> {
        self.row(body).map(|row| &self.value[row])
    }

    /// The value of a body, to change it.
    pub fn value_mut(&mut self, body: BodyId) -> Option<&mut T> {
        self.row(body).map(|row| &mut self.value[row])
    }

    /// The centre of a body (m); `None` where it has gone. O(1).
    pub fn position(&self, body: BodyId) -> Option<[f32; 2]> {
        self.row(body).map(|row| self.position[row])
    }

    /// All bodies, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (BodyId, [f32; 2], &T)> {
        self.id
            .iter()
            .zip(&self.position)
            .zip(&self.value)
            .map(|((&id, &position), value)| (BodyId(id), position, value))
    }

    /// The bodies whose centres are nearer than `reach` (m) to a point, the nearest first; of equals the first that came.
    ///
    /// # Errors
    /// Where an index from outside refuses the bodies.
    pub fn within(&mut self, point: [f32; 2], reach: f32) -> Result<impl Iterator<Item = Found<'_, T>>, SpatialError> {
        self.refresh()?;
        let rows = self.sorted(point, reach, |_| true);
        Ok(rows.into_iter().map(|(squared, row)| self.found(row, squared)))
    }

    /// All bodies, the nearest to a point first; of equals the first that came. It looks only as far as it is asked to go on.
    ///
    /// # Errors
    /// As [`within`](Self::within).
    pub fn nearest(&mut self, point: [f32; 2]) -> Result<impl Iterator<Item = Found<'_, T>>, SpatialError> {
        self.refresh()?;
        let map: &Self = self;
        let (mut reach, mut before, mut given) = (map.index.spacing().max(f32::MIN_POSITIVE), 0.0, 0);
        let mut batch = Vec::new().into_iter();
        Ok(std::iter::from_fn(move || {
            loop {
                if let Some((squared, row)) = batch.next() {
                    given += 1;
                    return Some(map.found(row, squared));
                }
                if given == map.len() {
                    return None;
                }
                // Those nearer have been given.
                batch = map.sorted(point, reach, |squared| squared >= before * before).into_iter();
                (before, reach) = (reach, 4.0 * reach);
            }
        }))
    }

    /// Rows nearer than `reach` (m) with their squared distances, the nearest first.
    fn sorted(&self, point: [f32; 2], reach: f32, takes: impl Fn(f32) -> bool) -> Vec<(f32, u32)> {
        let mut rows = Vec::new();
        let _ = self.index.within(self.bodies(), point, reach, |row, squared| {
            if takes(squared) {
                rows.push((squared, row));
            }
            ControlFlow::Continue(())
        });
        rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(self.id[a.1 as usize].cmp(&self.id[b.1 as usize])));
        rows
    }

    fn found(&self, row: u32, squared: f32) -> Found<'_, T> {
        let row = row as usize;
        let (id, position, value) = (BodyId(self.id[row]), self.position[row], &self.value[row]);
        Found { id, value, position, distance: squared.sqrt() }
    }

    fn row(&self, body: BodyId) -> Option<usize> {
        self.row_of.get(body.0 as usize).filter(|&&row| row != u32::MAX).map(|&row| row as usize)
    }

    fn bodies(&self) -> Bodies<'_, 2> {
        Bodies::new(&self.position, &self.radius, &self.id)
    }

    /// Tells the index of the changes.
    fn refresh(&mut self) -> Result<(), SpatialError> {
        if self.is_stale {
            self.index.update(Bodies::new(&self.position, &self.radius, &self.id))?;
            self.is_stale = false;
        }
        Ok(())
    }
}

impl<T> Default for BodyMap<T> {
    /// Empty, with a grid.
    fn default() -> Self {
        Self::new(IndexKind::Grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The bodies by distance, then by when they came.
    fn by_distance(known: &[(BodyId, [f32; 2], u32)], point: [f32; 2]) -> Vec<(BodyId, u32)> {
        let squared = |at: [f32; 2]| {
            let [x, y] = [at[0] - point[0], at[1] - point[1]];
            x * x + y * y
        };
        let mut known: Vec<_> = known.iter().map(|&(id, at, value)| (squared(at), id, value)).collect();
        known.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        known.into_iter().map(|(_, id, value)| (id, value)).collect()
    }

    proptest! {
        #[test]
        fn what_is_found_is_what_is_there(
            steps in prop::collection::vec((0_u8..6, (0_u8..40, 0_u8..40), any::<prop::sample::Index>()), 1..60),
            kind in prop::sample::select(IndexKind::ALL.to_vec()),
        ) {
            let mut map = BodyMap::new(kind);
            let mut known: Vec<(BodyId, [f32; 2], u32)> = Vec::new();
            let mut gone: Option<BodyId> = None;
            for (value, (what, (x, y), which)) in (0..).zip(steps) {
                let at = [f32::from(x) * 0.5, f32::from(y) * 0.5];
                let one = (!known.is_empty()).then(|| which.index(known.len()));
                match (what, one) {
                    (0..3, _) => known.push((map.insert(at, 0.4, value).unwrap(), at, value)),
                    (3, Some(one)) => {
                        prop_assert!(map.move_to(known[one].0, at).unwrap());
                        known[one].1 = at;
                    }
                    (4, Some(one)) => {
                        let (id, _, value) = known.remove(one);
                        prop_assert_eq!(map.remove(id), Some(value));
                        gone = Some(id);
                    }
                    _ => {}
                }
                let expected = by_distance(&known, at);
                let nearest: Vec<_> = map.nearest(at).unwrap().map(|body| (body.id, *body.value)).collect();
                prop_assert_eq!(&nearest, &expected);
                let near: Vec<_> = map.within(at, 3.0).unwrap().map(|body| (body.id, *body.value)).collect();
                prop_assert!(near == expected[..near.len()] && map.nearest(at).unwrap().nth(near.len()).is_none_or(|next| next.distance >= 3.0));
            }
            prop_assert_eq!(map.len(), known.len());
            for &(id, at, value) in &known {
                prop_assert_eq!((map.position(id), map.value(id)), (Some(at), Some(&value)));
            }
            if let Some(gone) = gone {
                prop_assert!(map.value(gone).is_none() && map.remove(gone).is_none() && !map.move_to(gone, [0.0; 2]).unwrap());
            }
        }
    }

    #[test]
    fn bodies_that_are_nowhere_are_refused_and_change_nothing() {
        let mut map = BodyMap::default();
        let first = map.insert([1.0, 1.0], 0.5, ()).unwrap();
        for wrong in [[f32::NAN, 0.0], [0.0, f32::INFINITY]] {
            assert!(map.insert(wrong, 0.5, ()).is_err() && map.move_to(first, wrong).is_err());
        }
        assert!(map.insert([0.0; 2], -1.0, ()).is_err());
        assert_eq!((map.len(), map.position(first)), (1, Some([1.0, 1.0])));
        assert_eq!(map.nearest([0.0; 2]).unwrap().count(), 1);
    }
}
