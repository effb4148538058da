//! Links of a scenario: those that its map draws, and those of its tables.

use super::schema::LINK;
use super::section::{Name, Section, distinct};
use super::{Scenario, ScenarioError};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Ground, Lattice, Links, MapLink};
use throng_plan::{Capability, PlannerChoice};
use throng_sim::world::{Breakable, LinkId, TimedLink};

/// The links of the map and of a file; those of the map come first.
pub(super) fn links(
    file: Section<'_>,
    grid: &Grid,
    of_map: &[MapLink],
    breakables: &[Breakable],
) -> Result<Vec<MapLink>, ScenarioError> {
    let tables = || file.tables("link", &LINK);
    distinct(file.source, "links", tables().filter_map(|table| table.name("name")))?;
    let stands = |at: Vec2| {
        let cell = grid.lattice().at(at);
        grid.is_open(cell) || breakables.iter().any(|breakable| breakable.cells.contains(&cell))
    };
    let walled = |link: &MapLink| {
        [("from", link.from), ("to", link.to)].into_iter().find(|&(_, at)| !stands(at)).map(|(key, at)| {
            let verb = if key == "from" { "starts" } else { "ends" };
            (
                key,
                format!(
                    "{verb} at ({}, {}), in a wall; a link joins two open cells, so move it or open the wall",
                    at.x, at.y
                ),
            )
        })
    };
    let mut links = of_map.to_vec();
    if let Some((link, (_, why))) = of_map.iter().find_map(|link| Some((link, walled(link)?))) {
        return file.wrong("map", format!("the link {:?} of the map {why}", link.name));
    }
    for table in tables() {
        let link = read(table, grid.lattice())?;
        if let Some((key, why)) = walled(&link) {
            return table.wrong(key, format!("the link {why}"));
        }
        if !link.name.is_empty() && of_map.iter().any(|other| other.name == link.name) {
            return table.wrong("name", format!("the map has a link of the name {:?} too; rename one", link.name));
        }
        links.push(link);
        let found = links.iter().map(ways).sum::<usize>();
        if found > Links::MAX {
            let message =
                format!("there are more than {} links, of which one both ways counts twice; remove some", Links::MAX);
            return Err(ScenarioError::Rule { at: table.at(), message });
        }
    }
    Ok(links)
}

/// A link from its table.
fn read(table: Section<'_>, lattice: Lattice) -> Result<MapLink, ScenarioError> {
    let (from, to) = (table.on_map("from", lattice)?, table.on_map("to", lattice)?);
    if lattice.at(from) == lattice.at(to) {
        let message = "the link ends in the cell in which it starts; from and to must lie in two cells";
        return table.wrong("to", message);
    }
    Ok(MapLink {
        name: table.text("name").unwrap_or_default().into(),
        both_ways: table.flag("both_ways").unwrap_or(false),
        is_open: table.flag("open").unwrap_or(true),
        ..MapLink::new(from, to, table.number("seconds"))
    })
}

/// How many links of a world a link is.
fn ways(link: &MapLink) -> usize {
    1 + usize::from(link.both_ways)
}

/// The links of the world of a scenario.
pub(super) fn timed(links: &[MapLink], lattice: Lattice) -> Vec<TimedLink> {
    let timed = links.iter().flat_map(|link| {
        let (from, to) = link.cells(lattice).unwrap_or((lattice.at(link.from), lattice.at(link.to)));
        let there = TimedLink { is_open: link.is_open, ..TimedLink::new(from, to, link.seconds) };
        [Some(there), link.both_ways.then(|| there.back())]
    });
    timed.flatten().collect()
}

/// The places among the links of the world of the link of a name.
///
/// # Errors
/// Where there is none.
pub(super) fn named(
    scenario: &Scenario,
    name: &Name<'_>,
    file: Section<'_>,
) -> Result<impl Iterator<Item = LinkId>, ScenarioError> {
    let known: Vec<&str> = scenario.links.iter().map(|link| link.name.as_str()).collect();
    let place = name.among(file.source, "link", &known)?;
    let first = scenario.links[..place].iter().map(ways).sum::<usize>();
    Ok((first..first + ways(&scenario.links[place])).map(|link| LinkId(link as u32)))
}

/// A planner that squads of a scenario with links cannot have is an error, at the key that names it.
pub(super) fn check_planner(
    file: Section<'_>,
    squad: Section<'_>,
    planner: &PlannerChoice,
) -> Result<(), ScenarioError> {
    if can_use(planner) {
        return Ok(());
    }
    let known = PlannerChoice::NAMES.iter().filter(|name| !name.contains("petgraph") && !name.contains("pathfinding"));
    let known: Vec<&str> = known.copied().filter(|name| name.parse().is_ok_and(|choice| can_use(&choice))).collect();
    let message =
        format!("the planner {planner} cannot use links; choose one of {}, or remove all links", known.join(", "));
    let table = if squad.has("planner") { squad } else { file };
    table.wrong("planner", message)
}

fn can_use(planner: &PlannerChoice) -> bool {
    let small =
        Lattice::new(3, 3, 1.0).ok().and_then(|lattice| Ground::new(Grid::open_plain(lattice).into(), 0.4).ok());
    let built = small.and_then(|ground| planner.build(&Arc::new(ground)).ok());
    built.is_none_or(|planner| planner.capabilities().can(Capability::Links))
}
