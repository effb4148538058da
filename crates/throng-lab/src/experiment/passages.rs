//! Crowds between walls.

use super::scene::Group;
use super::{CrowdKind, CrowdScene, ExperimentError, Finish};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::Unit;

/// Side of a cell (m).
const CELL: f32 = 0.5;

/// Side of a cell where there is a door (m).
const DOOR_CELL: f32 = 0.2;

/// A map of `size` metres of cells without an open one, and rectangles (from, to; m) that are opened.
fn rooms(cell: f32, size: Vec2, open: &[(Vec2, Vec2)]) -> Result<Grid, ExperimentError> {
    let cells = (size / cell).round();
    let mut grid = Grid::closed(Lattice::new(cells.x as u32, cells.y as u32, cell)?);
    let lattice = grid.lattice();
    for cell in lattice.cells() {
        let at = lattice.centre(cell);
        if open.iter().any(|(from, to)| at.cmpgt(*from).all() && at.cmplt(*to).all()) {
            grid.set_open(cell, true);
        }
    }
    Ok(grid)
}

/// `count` places `spacing` metres apart in rows of `columns`, from `corner` on, each a little aside.
fn block(corner: Vec2, columns: usize, count: usize, spacing: Vec2, random: &mut Pcg32) -> Vec<Vec2> {
    let mut aside = || random.random_range(-0.05..=0.05);
    let place = |i: usize| corner + Vec2::new((i % columns) as f32, (i / columns) as f32) * spacing;
    (0..count).map(|i| place(i) + Vec2::new(aside(), aside())).collect()
}

/// A scene of squads; all members of a squad have the same finish.
fn squads(kind: CrowdKind, grid: Grid, unit: Unit, squads: Vec<(Vec<Vec2>, Vec2, Finish)>) -> CrowdScene {
    let (mut starts, mut finish, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    for (places, goal, line) in squads {
        finish.extend(places.iter().map(|_| line));
        starts.extend_from_slice(&places);
        groups.push(Group::Squad { starts: places, goal });
    }
    CrowdScene { kind, grid, unit, starts, finish, door: None, lanes: None, seconds: 150.0, groups }
}

/// Four groups on a square grid 10 m apart go to the opposite corners of a town of four blocks with streets of 20 m.
/// There, as here, agents have a radius of 2 m, and have arrived within 20 m of their own places.
pub(super) fn blocks(agents: usize, random: &mut Pcg32) -> Result<CrowdScene, ExperimentError> {
    let (half, side) = (150.0_f32, ((agents / 4) as f32).sqrt().ceil() as usize);
    let size = (2.0 * half) as u32 / 2;
    let mut grid = Grid::open_plain(Lattice::new(size, size, 2.0)?);
    let lattice = grid.lattice();
    for cell in lattice.cells() {
        let at = (lattice.centre(cell) - half).abs();
        grid.set_open(cell, !(at.cmpgt(Vec2::splat(10.0)).all() && at.cmplt(Vec2::splat(40.0)).all()));
    }
    let unit = Unit { name: "wide".into(), radius: 2.0, speed: 1.5, top_speed: 2.0, damage: 0.0, ..Unit::default() };
    let (mut starts, mut finish, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    for corner in [Vec2::new(1.0, 1.0), Vec2::new(-1.0, 1.0), Vec2::new(1.0, -1.0), Vec2::new(-1.0, -1.0)] {
        let place =
            |i: usize| Vec2::splat(half) + corner * (55.0 + 10.0 * Vec2::new((i / side) as f32, (i % side) as f32));
        let mut aside = || random.random_range(-0.05..=0.05);
        let places: Vec<Vec2> = (0..agents / 4).map(|i| place(i) + Vec2::new(aside(), aside())).collect();
        let middle = places.iter().sum::<Vec2>() / places.len() as f32;
        let goal = Vec2::splat(2.0 * half) - middle;
        finish.extend(places.iter().map(|&at| Finish::Near { goal: goal + (at - middle), within: 20.0 }));
        starts.extend_from_slice(&places);
        groups.push(Group::Squad { starts: places, goal });
    }
    let kind = CrowdKind::Blocks;
    Ok(CrowdScene { kind, grid, unit, starts, finish, door: None, lanes: None, seconds: 300.0, groups })
}

impl CrowdScene {
    /// The scene `door` with another door, and other walkers: a room of 20 m by 20 m, in whose right wall, 1 m thick, is a door
    /// so many metres wide, rounded to steps of 0.4 m.
    ///
    /// # Errors
    /// Where there are fewer than 8 agents, or more than the room holds.
    ///
    /// ```
    /// use throng_lab::experiment::CrowdScene;
    /// use throng_sim::battle::Unit;
    /// let scene = CrowdScene::bottleneck(Unit::default(), 1.2, 100, 1)?;
    /// assert_eq!((scene.len(), scene.door), (100, Some(1.2)));
    /// assert!(CrowdScene::bottleneck(Unit { radius: 3.0, ..Unit::default() }, 8.0, 100, 1).is_err());
    /// # Ok::<(), throng_lab::experiment::ExperimentError>(())
    /// ```
    pub fn bottleneck(unit: Unit, width: f32, agents: usize, seed: u64) -> Result<Self, ExperimentError> {
        let (middle, spacing) = (21.0, 2.5 * unit.radius + 0.05);
        let columns = (15.0 / spacing) as usize + 1;
        let most = columns * (((19.8 - 2.0 * unit.radius) / spacing) as usize + 1);
        if !(8..=most).contains(&agents) {
            return Err(ExperimentError::Agents { scene: CrowdKind::Door, found: agents, most });
        }
        // The door lies on both sides of a line between cells.
        let steps = (width / (2.0 * DOOR_CELL)).round().clamp(1.0, 50.0);
        let half = steps * DOOR_CELL;
        let open = [
            (Vec2::new(1.0, middle - 10.0), Vec2::new(21.0, middle + 10.0)),
            (Vec2::new(20.0, middle - half), Vec2::new(23.0, middle + half)),
            (Vec2::new(22.0, 1.0), Vec2::new(79.0, 41.0)),
        ];
        let grid = rooms(DOOR_CELL, Vec2::new(80.0, 42.0), &open)?;
        let depth = (agents.div_ceil(columns) - 1) as f32 * spacing;
        let corner = Vec2::new(3.0, middle - 0.5 * depth);
        let mut random = Pcg32::seed_from_u64(seed);
        let starts = block(corner, columns, agents, Vec2::splat(spacing), &mut random);
        let finish = Finish::Beyond { point: Vec2::new(22.0, middle), normal: Vec2::X };
        let mut scene = squads(CrowdKind::Door, grid, unit, vec![(starts, Vec2::new(60.0, middle), finish)]);
        scene.door = Some(2.0 * half);
        scene.seconds = 240.0;
        Ok(scene)
    }
}

/// A corridor of 60 m by 5 m; half start at either end and go to the other.
pub(super) fn corridor(agents: usize, random: &mut Pcg32) -> Result<CrowdScene, ExperimentError> {
    let (length, width) = (60.0, 5.0);
    let grid = rooms(CELL, Vec2::new(length + 2.0, width + 2.0), &[(Vec2::ONE, Vec2::new(length + 1.0, width + 1.0))])?;
    let half = agents / 2;
    let spacing = Vec2::new(0.75, 0.55);
    let places = block(Vec2::new(1.6, 1.5), half.div_ceil(8), half, spacing, random);
    // Along the corridor first, so that the rows lie across its whole width.
    let depth = spacing.x * half.div_ceil(8) as f32;
    let (mut starts, mut goals) = (places.clone(), Vec::new());
    let other: Vec<Vec2> = places.iter().map(|at| Vec2::new(length + 2.0 - at.x, width + 2.0 - at.y)).collect();
    let across = length - 1.2 - depth;
    goals.extend(places.iter().map(|at| *at + Vec2::new(across, 0.0)));
    goals.extend(other.iter().map(|at| *at - Vec2::new(across, 0.0)));
    starts.extend(other);
    // Lanes are looked for in the middle, where both walk.
    Ok(CrowdScene {
        kind: CrowdKind::Corridor,
        grid,
        unit: Unit::pedestrian(),
        finish: goals.iter().map(|&goal| Finish::Near { goal, within: 1.0 }).collect(),
        starts: starts.clone(),
        door: None,
        lanes: Some((1.0 + length / 3.0, 1.0 + length * 2.0 / 3.0)),
        seconds: 150.0,
        groups: vec![Group::Walkers { starts, goals }],
    })
}

/// A corridor of 4 m that turns by a right angle.
pub(super) fn corner(agents: usize, random: &mut Pcg32) -> Result<CrowdScene, ExperimentError> {
    let open = [
        (Vec2::new(1.0, 1.0), Vec2::new(45.0, 5.0)),
        (Vec2::new(41.0, 1.0), Vec2::new(45.0, 25.0)),
        (Vec2::new(25.0, 25.0), Vec2::new(61.0, 49.0)),
    ];
    let grid = rooms(CELL, Vec2::new(62.0, 50.0), &open)?;
    let starts = block(Vec2::new(2.0, 1.6), agents.div_ceil(6), agents, Vec2::new(0.55, 0.55), random);
    let finish = Finish::Beyond { point: Vec2::new(43.0, 20.0), normal: Vec2::Y };
    Ok(squads(CrowdKind::Corner, grid, Unit::pedestrian(), vec![(starts, Vec2::new(43.0, 38.0), finish)]))
}

/// Two streets of 10 m cross; four squads come from the four ends and go straight on.
pub(super) fn crossing(agents: usize, random: &mut Pcg32) -> Result<CrowdScene, ExperimentError> {
    let (size, width) = (90.0, 10.0);
    let (low, high) = ((size - width) * 0.5, (size + width) * 0.5);
    let open = [(Vec2::new(1.0, low), Vec2::new(size - 1.0, high)), (Vec2::new(low, 1.0), Vec2::new(high, size - 1.0))];
    let grid = rooms(CELL, Vec2::splat(size), &open)?;
    let count = agents / 4;
    let mut all = Vec::new();
    for direction in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
        let middle = Vec2::splat(size / 2.0);
        let places = block(Vec2::new(-35.0, -4.2), count.div_ceil(14), count, Vec2::new(0.7, 0.64), random);
        let places: Vec<Vec2> = places.into_iter().map(|at| middle + direction.rotate(at)).collect();
        let centre = places.iter().sum::<Vec2>() / count as f32;
        let goal = 2.0 * middle - centre;
        let finish = Finish::Beyond { point: middle + direction * 10.0, normal: direction };
        all.push((places, goal, finish));
    }
    Ok(squads(CrowdKind::Crossing, grid, Unit::pedestrian(), all))
}
