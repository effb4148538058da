//! Fires that are seen and touch nothing.

use super::state::fire::Fire;
use super::{Command, World, WorldError};

impl World {
    /// Adds a fire. It changes no result: it is in every [`Frame::fires`](super::Frame::fires), burning or not.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Fire, Frame, Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?), Settings::default())?;
    /// let fire = Fire { until: 60.0, ..Fire::new(Vec2::new(4.0, 4.0), 2.0) };
    /// world.add_fire(fire)?;
    /// let mut frame = Frame::default();
    /// world.frame(&mut frame);
    /// assert_eq!(frame.fires, [fire]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where it is off the map, its size is out of [`Fire::SIZE`], it ends before it begins, or there are [`Fire::MAX`] already.
    pub fn add_fire(&mut self, fire: Fire) -> Result<(), WorldError> {
        self.log(|| Command::AddFire { fire });
        self.check_fire(&fire)?;
        if self.state.fires.len() >= Fire::MAX {
            return Err(WorldError::TooMany { what: "fires", limit: Fire::MAX });
        }
        self.state.fires.push(fire);
        Ok(())
    }

    pub(super) fn check_fire(&self, fire: &Fire) -> Result<(), WorldError> {
        let setting = |field, expected, found: f32| WorldError::Setting { field, expected, found: found.into() };
        if !(Fire::SIZE.0..=Fire::SIZE.1).contains(&fire.size) {
            return Err(setting("the size of a fire", "between 0.5 and 30 (m)", fire.size));
        }
        if !(fire.from >= 0.0 && fire.from.is_finite()) {
            return Err(setting("the beginning of a fire", "at least 0 (s)", fire.from));
        }
        if fire.until.is_nan() || fire.until < fire.from {
            return Err(setting("the end of a fire", "not before its beginning (s)", fire.until));
        }
        let off = [fire.position.x, fire.position.y]
            .into_iter()
            .zip([self.grid.lattice().size().x, self.grid.lattice().size().y]);
        match off.into_iter().find(|&(axis, most)| !(0.0..=most).contains(&axis)) {
            Some((axis, _)) => Err(setting("the position of a fire", "on the map (m)", axis)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Settings;
    use throng_grid::geom::Vec2;
    use throng_grid::{Grid, Lattice};

    #[test]
    fn fires_that_cannot_be_are_refused_in_words() {
        let mut world = World::new(Grid::open_plain(Lattice::new(8, 4, 1.0).unwrap()), Settings::default()).unwrap();
        let fire = Fire::new(Vec2::new(4.0, 2.0), 2.0);
        for (wrong, message) in [
            (Fire { size: 0.1, ..fire }, "the size of a fire must be between 0.5 and 30 (m), found 0.1"),
            (Fire { from: -1.0, ..fire }, "the beginning of a fire must be at least 0 (s), found -1"),
            (Fire { from: 5.0, until: 4.0, ..fire }, "the end of a fire must be not before its beginning (s), found 4"),
            (Fire { position: Vec2::new(4.0, 5.0), ..fire }, "the position of a fire must be on the map (m), found 5"),
        ] {
            let found = world.add_fire(wrong).unwrap_err().to_string();
            assert!(found.starts_with(message), "{found}");
        }
        (0..Fire::MAX).for_each(|_| world.add_fire(fire).unwrap());
        assert_eq!(world.add_fire(fire).unwrap_err().to_string(), "a world may have at most 1000 fires");
    }
}
