//! Deployment by the mouse: squads that are carried, turned, drawn up in another line, made larger or smaller.

use super::command::Command;
use super::tools::ToolContext;
use std::collections::BTreeSet;
use throng_grid::geom::{Vec2, direction};
use throng_grid::{Grid, walls};
use throng_sim::battle::Block;
use throng_sim::world::SquadId;

/// Distance of soldiers in a block or a line, over their radius.
const SPACING: f32 = 3.0;

/// The members of a squad: their rows in the frame.
fn rows<'a>(scene: &'a ToolContext<'_>, squad: u32) -> impl Iterator<Item = usize> + 'a {
    (0..scene.squad.len()).filter(move |&row| scene.squad[row] == squad)
}

/// Where a squad's members are (m), and the direction in which the first of them looks (degrees).
pub(super) fn standing(scene: &ToolContext<'_>, squad: u32) -> Option<(Vec<Vec2>, f32)> {
    let first = rows(scene, squad).next()?;
    let looks = scene.frame.heading.get(first).copied().unwrap_or(Vec2::X);
    let positions = rows(scene, squad).map(|row| scene.frame.position[row]).collect();
    Some((positions, libm::atan2f(looks.y, looks.x).to_degrees()))
}

/// The middle of some positions.
fn middle(positions: &[Vec2]) -> Vec2 {
    positions.iter().sum::<Vec2>() / positions.len().max(1) as f32
}

/// The squads, each so far from where it is (m).
pub(super) fn carried(scene: &ToolContext<'_>, squads: &BTreeSet<u32>, by: Vec2) -> Vec<(SquadId, Vec<Vec2>, f32)> {
    let standing = squads.iter().filter_map(|&squad| Some((squad, standing(scene, squad)?)));
    standing
        .map(|(squad, (positions, facing))| (SquadId(squad), positions.into_iter().map(|at| at + by).collect(), facing))
        .collect()
}

/// The squads, turned together around their middle until they look at a point (m).
pub(super) fn turned(scene: &ToolContext<'_>, squads: &BTreeSet<u32>, toward: Vec2) -> Vec<(SquadId, Vec<Vec2>, f32)> {
    let all = carried(scene, squads, Vec2::ZERO);
    let places: Vec<Vec2> = all.iter().flat_map(|(_, places, _)| places.iter().copied()).collect();
    let (centre, Some(first)) = (middle(&places), all.first().map(|&(.., facing)| facing)) else { return all };
    let look = toward - centre;
    let turn = libm::atan2f(look.y, look.x).to_degrees() - first;
    let by = direction(turn);
    let rotated = |at: Vec2| centre + by.rotate(at - centre);
    all.into_iter()
        .map(|(squad, places, facing)| (squad, places.into_iter().map(rotated).collect(), (facing + turn) % 360.0))
        .collect()
}

/// The places of soldiers of a radius (m) on a map: those that would be in a wall or off the map are moved to the nearest free
/// cells. Soldiers for which there is no room nearby are left out.
pub(super) fn fitted(grid: &Grid, places: &[Vec2], radius: f32) -> Vec<Vec2> {
    let lattice = grid.lattice();
    let is_clear = |at: Vec2| lattice.covers(at) && walls::is_clear(grid, at, radius);
    let tile = |at: Vec2| (at / (2.0 * radius).max(lattice.cell_size)).floor().as_ivec2().to_array();
    let mut taken: BTreeSet<[i32; 2]> = places.iter().filter(|&&at| is_clear(at)).map(|&at| tile(at)).collect();
    let mut free = |near: Vec2| {
        let from = near.clamp(Vec2::ZERO, lattice.size() - 0.5 * lattice.cell_size);
        let (column, row) = lattice.column_row(lattice.at(from));
        (0..=FARTHEST_CELLS).find_map(|ring| {
            let around = (-ring..=ring).flat_map(|y| (-ring..=ring).map(move |x| (x, y)));
            let edge = around.filter(|(x, y)| x.abs().max(y.abs()) == ring);
            let cells = edge.filter_map(|(x, y)| {
                let (x, y) = (column as i32 + x, row as i32 + y);
                let inside = x >= 0 && y >= 0 && x < lattice.width as i32 && y < lattice.height as i32;
                inside.then(|| lattice.centre(lattice.cell(x as u32, y as u32)))
            });
            cells.into_iter().find(|&at| is_clear(at) && taken.insert(tile(at)))
        })
    };
    places.iter().filter_map(|&at| if is_clear(at) { Some(at) } else { free(at) }).collect()
}

/// How far from its place a soldier may stand (cells).
const FARTHEST_CELLS: i32 = 24;

/// A deployment that fits on the map.
pub(super) fn deploy(scene: &ToolContext<'_>, squads: Vec<(SquadId, Vec<Vec2>, f32)>) -> Option<Command> {
    let grid = scene.frame.grid.as_deref()?;
    let fit = |(squad, places, facing): (SquadId, Vec<Vec2>, f32)| {
        let unit = scene.frame.squads.get(squad.0 as usize)?.unit;
        let radius = scene.radii.get(usize::from(unit)).copied()?;
        let places = fitted(grid, &places, radius);
        (!places.is_empty()).then_some((squad, places, facing))
    };
    let squads: Vec<_> = squads.into_iter().filter_map(fit).collect();
    (!squads.is_empty()).then_some(Command::Deploy(squads))
}

/// A squad of another number of soldiers, in a block around its middle.
pub(super) fn resized(scene: &ToolContext<'_>, squad: u32, count: usize) -> Option<Command> {
    let (positions, facing) = standing(scene, squad)?;
    let unit = scene.frame.squads.get(squad as usize)?.unit;
    let radius = scene.radii.get(usize::from(unit)).copied()?;
    let block = Block { facing, spacing: SPACING * radius, ..Block::new(middle(&positions), count) };
    deploy(scene, vec![(SquadId(squad), block.positions(), facing)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use throng_grid::Lattice;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn soldiers_are_put_beside_walls_and_stay_where_there_is_room(
            closed in prop::collection::vec((0..24_u32, 0..24_u32), 0..120), x in -4.0..28.0_f32, y in -4.0..28.0_f32,
        ) {
            let mut grid = Grid::open_plain(Lattice::new(24, 24, 1.0).unwrap());
            for (column, row) in closed {
                grid.set_open(grid.lattice().cell(column, row), false);
            }
            let places = Block { spacing: 1.0, ..Block::new(Vec2::new(x, y), 30) }.positions();
            let fitted = fitted(&grid, &places, 0.4);
            prop_assert!(fitted.iter().all(|&at| walls::is_clear(&grid, at, 0.4)));
            let stays = places.iter().filter(|&&at| grid.lattice().covers(at) && walls::is_clear(&grid, at, 0.4));
            prop_assert!(stays.into_iter().all(|at| fitted.contains(at)));
            let open = grid.lattice().cells().filter(|&cell| grid.is_open(cell)).count();
            prop_assert!(open < 200 || fitted.len() == places.len(), "{} of {}", fitted.len(), places.len());
        }
    }
}
