//! Saving what was changed: the map, and the scenario with it.

use super::inspect::InspectReply;
use super::simulation::Placed;
use crate::film::screenshot::free_name;
use crate::shell::opening::battles;
use std::ops::Range;
use std::path::{Path, PathBuf};
use throng_grid::{Cell, Grid, MapFormat, MapLoss};
use throng_scenario::{Edited, Scenario};
use throng_sim::battle::Rampart;
use throng_sim::world::{Breakable, Frame, SquadId, SquadSpec};
use throng_spatial::{IndexChoice, IndexSpec};

/// The endings of the files that are written under one name.
const ENDINGS: [&str; 5] = [".toml", "-heights.png", "-colours.toml", "-tiles.png", ""];

/// A path that is free: `NAME-TICK.toml` beside the scenario, where there is one, else a map in the current folder.
pub(super) fn path(scenario: Option<&Scenario>, tick: u64, format: MapFormat) -> PathBuf {
    let of_map = format!(".{}", format.ending());
    let mut endings = ENDINGS;
    endings[ENDINGS.len() - 1] = &of_map;
    let battles = battles();
    match scenario {
        // A new battle is kept where the user looks for it: beside its map, or here.
        Some(Scenario { file, map, .. }) if file.starts_with(&battles) => {
            let folder = if map.starts_with(&battles) { None } else { map.parent() };
            let stem = Path::new(file.file_stem().unwrap_or_default());
            free_name(&folder.map_or_else(|| stem.to_path_buf(), |folder| folder.join(stem)), tick, &endings)
        }
        Some(scenario) => free_name(&scenario.file.with_extension(""), tick, &endings),
        None => free_name(Path::new("throng"), tick, &endings).with_extension(format.ending()),
    }
}

/// Writes the map as it is, and where there is one the scenario with the squads that were spawned, under a path. The files, and a
/// text for the user, which names what is not in them, `unsaved` of the window too.
///
/// # Errors
/// Why nothing was written, in words for the user.
pub(super) fn save(
    scenario: Option<&Scenario>,
    frame: &Frame,
    (placed, reply): (&Placed, &InspectReply),
    unsaved: &[&'static str],
    format: MapFormat,
    path: &Path,
) -> Result<(Vec<PathBuf>, String), String> {
    let &Frame { grid: Some(ref grid), .. } = frame else { return Err("there is no map yet".to_owned()) };
    // Walls that broke in this tick are open from the next on.
    let mut opened = None;
    if !reply.opening.is_empty() {
        opened.insert(Grid::clone(grid)).edit(&reply.opening, &mut Vec::new());
    }
    let grid = opened.as_ref().unwrap_or(grid);
    let Some(scenario) = scenario else {
        let map = path.with_extension(format.ending());
        // Nothing beside a map says how it is to be read.
        let losses: Vec<String> = format.losses(grid, &[], &[]).iter().map(MapLoss::what).collect();
        if !losses.is_empty() {
            let what = losses.join(" and ");
            return Err(format!(
                "{}: without a scenario it cannot hold {what}; a .txt or .tmx map does",
                map.display()
            ));
        }
        format.save(grid, &[], &[], &map).map_err(|error| error.to_string())?;
        let left = match (placed.squads.is_empty(), frame.ramparts.is_empty()) {
            (true, true) => "",
            (false, true) => "; a map has no squads: added squads are not saved",
            (true, false) => "; a map has no gates: breakable walls are saved as plain walls",
            (false, false) => {
                "; a map has neither squads nor gates: added squads are not saved, breakable walls are saved as plain walls"
            }
        };
        let text = format!("saved {}{left}", map.display());
        return Ok((vec![map], text));
    };
    // Squads of triggers come between those of the file and those that were added.
    let own: usize = scenario.armies.iter().map(|army| army.squads.len()).sum();
    let others = scenario.squad_names.len().max(own);
    let squads: Vec<SquadSpec> =
        placed.squads.range(SquadId(others as u32)..).filter_map(|(_, squad)| squad.clone()).collect();
    let deployed: Vec<_> =
        placed.squads.range(..SquadId(own as u32)).map(|(&squad, spec)| (squad.index(), spec.clone())).collect();
    let path = path.with_extension("toml");
    let edited = Edited {
        squads: &squads,
        deployed: &deployed,
        armies: &reply.armies,
        breakables: &breakables(&reply.ramparts),
        index: placed.index.as_ref().and_then(built_in),
        avoidance: placed.avoidance,
        ..Edited::new(grid, format)
    };
    let map = scenario.save_edited(&edited, &path).map_err(|error| error.to_string())?;
    let lost = [&lost(frame, placed, reply, SquadId(own as u32)..SquadId(others as u32))[..], unsaved].concat();
    let lost = if lost.is_empty() { String::new() } else { format!("; not saved: {}", lost.join(", ")) };
    let saved = format!("saved {} and {}{lost}", path.display(), map.display());
    // The battle has moved on: added squads, or new walls, may be where others start.
    let text = match Scenario::load(&path) {
        Err(error) => format!("{saved}; to be played it needs a change: {error}"),
        Ok((_, warnings)) => match &warnings[..] {
            [] => saved,
            [only] => format!("{saved}; {only}"),
            [first, others @ ..] => format!("{saved}; {first}; and {} more", others.len()),
        },
    };
    Ok((vec![path, map], text))
}

/// An index that a scenario can name.
fn built_in(index: &IndexChoice) -> Option<IndexSpec> {
    if let IndexChoice::BuiltIn(spec) = index { Some(*spec) } else { None }
}

/// What a scenario does not hold, in words for the user; `waves` are the squads that its triggers bring.
fn lost(frame: &Frame, placed: &Placed, reply: &InspectReply, waves: Range<SquadId>) -> Vec<&'static str> {
    let is_worn = reply.ramparts.iter().any(|(_, wall)| wall.health < wall.full);
    let told = [
        (frame.tick > 0, "what has happened since the start"),
        (placed.has_later_orders, "later orders"),
        (is_worn, "damage to walls"),
        (placed.squads.range(waves).next().is_some(), "changes of squads that triggers bring"),
        (placed.index.as_ref().is_some_and(|index| built_in(index).is_none()), "the index, which is no built-in one"),
    ];
    told.into_iter().filter(|(is_lost, _)| *is_lost).map(|(_, what)| what).collect()
}

/// Walls of one health and one keeper together. Damage is not saved: the battle begins anew.
fn breakables(ramparts: &[(Cell, Rampart)]) -> Vec<Breakable> {
    let mut all: Vec<Breakable> = Vec::new();
    for &(cell, Rampart { full, keeper, .. }) in ramparts {
        match all.iter_mut().find(|known| (known.health, known.keeper) == (full, keeper)) {
            Some(known) => known.cells.push(cell),
            None => all.push(Breakable { cells: vec![cell], health: full, keeper }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use throng_grid::Edit;
    use throng_grid::geom::Vec2;
    use throng_sim::battle::Order;
    use throng_sim::world::{ArmyId, UnitId};

    /// Said of any battle that has gone on.
    const SINCE: &str = "; not saved: what has happened since the start";

    fn camp() -> (tempfile::TempDir, Scenario) {
        let folder = tempfile::tempdir().unwrap();
        let map = "type octile\nheight 9\nwidth 30\nmap\n".to_owned() + &(".".repeat(30) + "\n").repeat(9);
        std::fs::write(folder.path().join("camp.map"), map).unwrap();
        let file = folder.path().join("camp.toml");
        let squad = "[[army.squad]]\ncount = 4\nposition = [15, 4]\n";
        std::fs::write(&file, format!("map = \"camp.map\"\n[[army]]\nname = \"red\"\n{squad}")).unwrap();
        let (scenario, _) = Scenario::load(&file).unwrap();
        (folder, scenario)
    }

    fn spawned(positions: &[Vec2]) -> SquadSpec {
        SquadSpec { facing: -90.0, order: Order::Attack, ..SquadSpec::new(ArmyId(0), UnitId(0), positions) }
    }

    fn frame(grid: &Arc<Grid>) -> Frame {
        Frame { tick: 7, grid: Some(Arc::clone(grid)), ..Frame::default() }
    }

    #[test]
    fn what_was_broken_in_this_tick_is_saved_open() {
        let (_folder, scenario) = camp();
        let mut grid = (*scenario.grid).clone();
        let (gate, wall) = (grid.lattice().cell(20, 4), grid.lattice().cell(21, 4));
        for cell in [gate, wall] {
            grid.set_open(cell, false);
            grid.set_terrain(cell, 3);
        }
        let reply = InspectReply { opening: vec![Edit::Open(gate), Edit::Terrain(gate, 0)], ..InspectReply::default() };
        let (files, _) = save(
            Some(&scenario),
            &frame(&Arc::new(grid)),
            (&Placed::default(), &reply),
            &[],
            MapFormat::Ascii,
            &path(Some(&scenario), 7, MapFormat::Ascii),
        )
        .unwrap();
        let (again, _) = Scenario::load(&files[0]).unwrap();
        assert!(again.grid.is_open(gate) && again.grid.terrain(gate) == 0 && !again.grid.is_open(wall));
    }

    #[test]
    fn files_of_before_stay_and_what_will_be_put_right_is_said() {
        let (folder, scenario) = camp();
        std::fs::write(folder.path().join("camp-7-heights.png"), "mine").unwrap();
        let said = |spawned: &[SquadSpec], format| {
            let placed = Placed {
                squads: (1..).map(SquadId).zip(spawned.iter().cloned().map(Some)).collect(),
                ..Placed::default()
            };
            let said = {
                let path = path(Some(&scenario), 7, format);
                save(Some(&scenario), &frame(&scenario.grid), (&placed, &InspectReply::default()), &[], format, &path)
                    .unwrap()
                    .1
            };
            said.replace(&format!("{}/", folder.path().display()), "")
        };
        assert_eq!(said(&[], MapFormat::MovingAi), format!("saved camp-7-2.toml and camp-7-2.map{SINCE}"));
        let came = spawned(&[Vec2::new(3.0, 3.0), Vec2::new(4.25, 3.0)]);
        assert_eq!(
            said(std::slice::from_ref(&came), MapFormat::Png),
            format!("saved camp-7-3.toml and camp-7-3.png{SINCE}")
        );
        let (again, _) = Scenario::load(folder.path().join("camp-7-3.toml")).unwrap();
        assert_eq!(again.armies[0].squads[1..], [came]);
        let start = scenario.armies[0].squads[0].positions[0];
        let said = said(&[spawned(&[start])], MapFormat::Tiled);
        let expected = format!(
            "saved camp-7-4.toml and camp-7-4.tmx{SINCE}; camp-7-4.toml:10:11: 1 of 1 soldiers cannot stand at their places"
        );
        assert!(said.starts_with(&expected), "{said}");
        let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        let mine: Vec<PathBuf> = files.filter(|file| std::fs::read(file).unwrap() == b"mine").collect();
        assert_eq!(mine, [folder.path().join("camp-7-heights.png")]);
    }

    #[test]
    fn a_map_alone_is_refused_where_something_would_be_lost() {
        let (_folder, scenario) = camp();
        let mut grid = (*scenario.grid).clone();
        grid.set_height(grid.lattice().cell(1, 1), 300);
        grid.set_terrain(grid.lattice().cell(1, 1), 4);
        let path = path(None, 7, MapFormat::Png);
        let refused = save(
            None,
            &frame(&Arc::new(grid)),
            (&Placed::default(), &InspectReply::default()),
            &[],
            MapFormat::Png,
            &path,
        )
        .unwrap_err();
        let told =
            "without a scenario it cannot hold terrain of class 4 and heights, up to 3 m; a .txt or .tmx map does";
        assert_eq!(refused, format!("throng-7.png: {told}"));
    }
}
