//! Deployment by the mouse: squads that are carried, turned, drawn up in another line, made larger or smaller.

use super::command::Command;
use super::room::Room;
use super::tools::ToolContext;
use std::collections::BTreeSet;
use throng_grid::geom::{Vec2, direction};
use throng_sim::battle::Block;
use throng_sim::world::SquadId;

/// Distance of soldiers in a block or a line, over their radius.
const SPACING_RADII: f32 = 3.0;

/// The members of a squad: their rows in the frame.
fn rows<'a>(scene: &'a ToolContext<'_>, squad: SquadId) -> impl Iterator<Item = usize> + 'a {
    (0..scene.squad.len()).filter(move |&row| scene.squad[row] == Some(squad))
}

/// Where a squad's members are (m), and the direction in which the first of them looks (degrees).
pub(super) fn standing(scene: &ToolContext<'_>, squad: SquadId) -> Option<(Vec<Vec2>, f32)> {
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
pub(super) fn carried(scene: &ToolContext<'_>, squads: &BTreeSet<SquadId>, by: Vec2) -> Vec<(SquadId, Vec<Vec2>, f32)> {
    let standing = squads.iter().filter_map(|&squad| Some((squad, standing(scene, squad)?)));
    standing
        .map(|(squad, (positions, facing))| (squad, positions.into_iter().map(|at| at + by).collect(), facing))
        .collect()
}

/// The squads, turned together around their middle until they look at a point (m).
pub(super) fn turned(
    scene: &ToolContext<'_>,
    squads: &BTreeSet<SquadId>,
    toward: Vec2,
) -> Vec<(SquadId, Vec<Vec2>, f32)> {
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

/// A deployment in which each soldier stands at its place, or as near to it as it can.
///
/// # Errors
/// Where there is no room for all of them, in words for the user: then none is moved.
pub(super) fn deploy(
    scene: &ToolContext<'_>,
    squads: Vec<(SquadId, Vec<Vec2>, f32)>,
) -> Result<Option<Command>, String> {
    let Some(grid) = scene.frame.grid.as_deref() else { return Ok(None) };
    let moved: BTreeSet<SquadId> = squads.iter().map(|&(squad, ..)| squad).collect();
    let mut room = Room::new(grid, others(scene, &moved));
    let mut fitted = Vec::with_capacity(squads.len());
    for (squad, places, facing) in squads {
        let Some(of) = scene.frame.squads.get(squad.index()) else { continue };
        let Some(&radius) = scene.radii.get(of.unit.index()) else { continue };
        fitted.push((squad, room.fit(&places, radius)?, facing));
    }
    Ok((!fitted.is_empty()).then_some(Command::Deploy(fitted)))
}

/// The bodies of all but some squads: places and radii (m).
pub(super) fn others<'a>(
    scene: &'a ToolContext<'_>,
    but: &'a BTreeSet<SquadId>,
) -> impl Iterator<Item = (Vec2, f32)> + 'a {
    let frame = scene.frame;
    let is_other = |&row: &usize| scene.squad.get(row).copied().flatten().is_none_or(|squad| !but.contains(&squad));
    (0..frame.position.len())
        .filter(is_other)
        .map(|row| (frame.position[row], frame.radius.get(row).copied().unwrap_or(0.3)))
}

/// A squad of another number of soldiers, in a block around its middle.
///
/// # Errors
/// As [`deploy`].
pub(super) fn resized(scene: &ToolContext<'_>, squad: SquadId, count: usize) -> Result<Option<Command>, String> {
    let Some((positions, facing)) = standing(scene, squad) else { return Ok(None) };
    let unit = scene.frame.squads.get(squad.index()).map_or(0, |squad| squad.unit.index());
    let radius = scene.radii.get(unit).copied().unwrap_or(0.3);
    let block = Block { facing, spacing: SPACING_RADII * radius, ..Block::new(middle(&positions), count) };
    deploy(scene, vec![(squad, block.positions(), facing)])
}
