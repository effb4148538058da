//! Walls that can be broken: those of which more or less is left than in the frame before.

use super::bytes::{Bytes, Fault, put};
use throng_grid::{Cell, Lattice};

/// A cell that can be broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wall {
    /// Its place, row by row from the top left.
    pub place: u32,
    /// 255ths of its full health, rounded, but at least 1.
    pub health: u8,
}

/// The walls of a frame in the order of their places, each once.
pub(super) fn of_ramparts(ramparts: &[(Cell, f32)], lattice: Option<Lattice>, walls: &mut Vec<Wall>) {
    walls.clear();
    let Some(lattice) = lattice else { return };
    walls.extend(ramparts.iter().filter(|(cell, _)| lattice.contains(*cell)).map(|&(cell, share)| {
        let (x, y) = lattice.column_row(cell);
        Wall { place: y * lattice.width + x, health: ((share * 255.0).round() as u8).max(1) }
    }));
    walls.sort_by_key(|wall| wall.place);
    walls.dedup_by_key(|wall| wall.place);
}

/// Writes them into `ramparts`.
pub(super) fn into_ramparts(walls: &[Wall], lattice: Lattice, ramparts: &mut Vec<(Cell, f32)>) -> Result<(), Fault> {
    for &Wall { place, health } in walls {
        let (x, y) = (place % lattice.width, place / lattice.width);
        if y >= lattice.height {
            return Err(format!("cell {place} can be broken, the map has {}", lattice.width * lattice.height));
        }
        ramparts.push((lattice.cell(x, y), f32::from(health) / 255.0));
    }
    Ok(())
}

/// Writes the walls `now` after those `before`: nothing where they are the same.
pub(super) fn write(now: &[Wall], before: &[Wall], out: &mut Vec<u8>) {
    out.clear();
    let mut next = 0;
    let mut change = |Wall { place, health }: Wall| {
        put(out, u64::from(place - next));
        out.push(health);
        next = place + 1;
    };
    let mut old = before.iter().peekable();
    for wall in now {
        while let Some(gone) = old.next_if(|old| old.place < wall.place) {
            change(Wall { health: 0, ..*gone });
        }
        if old.next_if(|old| old.place == wall.place) != Some(wall) {
            change(*wall);
        }
    }
    old.for_each(|gone| change(Wall { health: 0, ..*gone }));
}

/// Makes the walls of the frame before those of this one.
///
/// After a fault they are of no use.
pub(super) fn read(column: &[u8], walls: &mut Vec<Wall>) -> Result<(), Fault> {
    if column.is_empty() {
        return Ok(());
    }
    let mut bytes = Bytes(column);
    let mut next = 0_u64;
    let mut old = std::mem::take(walls).into_iter().peekable();
    while !bytes.0.is_empty() {
        let place = next.saturating_add(bytes.number()?);
        // No map has that many cells.
        let place = u32::try_from(place).map_err(|_| format!("cell {place} can be broken"))?;
        let health = bytes.byte()?;
        while let Some(same) = old.next_if(|old| old.place < place) {
            walls.push(same);
        }
        old.next_if(|old| old.place == place);
        if health > 0 {
            walls.push(Wall { place, health });
        }
        next = u64::from(place) + 1;
    }
    walls.extend(old);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn walls_come_back(frames in prop::collection::vec(prop::collection::btree_map(0..40_u32, 1..=255_u8, 0..30), 1..9)) {
            let walls = |of: &BTreeMap<u32, u8>| of.iter().map(|(&place, &health)| Wall { place, health }).collect::<Vec<_>>();
            let (mut before, mut back, mut column) = (Vec::new(), Vec::new(), Vec::new());
            for frame in frames {
                let now = walls(&frame);
                write(&now, &before, &mut column);
                read(&column, &mut back).unwrap();
                prop_assert_eq!(&back, &now);
                write(&now, &now, &mut column);
                prop_assert!(column.is_empty());
                before = now;
            }
        }
    }

    #[test]
    fn what_cannot_be_is_said() {
        let mut column = Vec::new();
        put(&mut column, 1 << 32);
        column.push(7);
        assert_eq!(read(&column, &mut Vec::new()).unwrap_err(), "cell 4294967296 can be broken");
        assert_eq!(read(&[4], &mut Vec::new()).unwrap_err(), "1 bytes should follow, found 0");
        let (lattice, mut ramparts) = (Lattice::new(4, 3, 1.0).unwrap(), Vec::new());
        let at = |place| [Wall { place, health: 51 }];
        let fault = into_ramparts(&at(12), lattice, &mut ramparts).unwrap_err();
        assert_eq!(fault, "cell 12 can be broken, the map has 12");
        into_ramparts(&at(11), lattice, &mut ramparts).unwrap();
        assert_eq!(ramparts, [(lattice.cell(3, 2), 0.2)]);
    }
}
