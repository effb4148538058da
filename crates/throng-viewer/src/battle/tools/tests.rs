use super::*;
use crate::shell::camera::Camera;
use proptest::prelude::*;
use std::sync::Arc;
use throng_grid::Lattice;
use throng_sim::battle::Look;
use throng_sim::world::{ArmyId, SquadId, UnitId};

fn frame() -> Frame {
    let position = vec![Vec2::new(2.0, 2.0), Vec2::new(3.0, 2.0), Vec2::new(8.0, 8.0)];
    Frame {
        grid: Some(Arc::new(Grid::open_plain(Lattice::new(10, 10, 1.0).unwrap()))),
        id: vec![7, 5, 6],
        person: vec![9, 15, 6],
        radius: vec![0.3; 3],
        position,
        ..Frame::default()
    }
}

fn scene(frame: &Frame) -> ToolContext<'_> {
    ToolContext {
        frame,
        squad: &[Some(SquadId(0)), Some(SquadId(0)), Some(SquadId(4))],
        radii: &[0.3],
        ramparts: &[],
        reach: 0.2,
        slant: 1.0,
    }
}

#[test]
fn clicks_select_an_agent_and_boxes_select_squads() {
    let frame = frame();
    let (scene, mut tools) = (scene(&frame), Tools::default());
    let drag = |tools: &mut Tools, from: Vec2, to: Vec2, adds: bool| {
        assert_eq!(tools.press(&scene, from, adds), None);
        assert_eq!(tools.release(&scene, to), None);
    };
    drag(&mut tools, Vec2::new(3.1, 2.1), Vec2::new(3.1, 2.1), false);
    assert_eq!((tools.agent, tools.squads.iter().copied().collect::<Vec<_>>()), (Some(15), vec![SquadId(0)]));
    drag(&mut tools, Vec2::new(9.0, 9.0), Vec2::new(7.0, 7.0), true);
    assert_eq!(tools.squads.iter().copied().collect::<Vec<_>>(), [0, 4].map(SquadId));
    // Once more takes it out.
    drag(&mut tools, Vec2::new(8.0, 8.0), Vec2::new(8.0, 8.0), true);
    assert_eq!(tools.squads.iter().copied().collect::<Vec<_>>(), [SquadId(0)]);
    drag(&mut tools, Vec2::new(5.0, 5.0), Vec2::new(5.0, 5.0), false);
    assert_eq!((tools.agent, tools.squads.len()), (None, 0));
}

proptest! {
    #[test]
    fn a_figure_is_selected_where_it_is_seen(
        places in prop::collection::vec((20.0_f32..480.0, 20.0_f32..280.0, 0_u16..3), 1..40), at: prop::sample::Index,
        factor in 1.0_f32..9.0, slant in prop::sample::select(vec![1.0_f32, 0.8]), corner in (0.0_f32..1280.0, 0.0_f32..720.0),
    ) {
        let frame = Frame {
            grid: Some(Arc::new(Grid::open_plain(Lattice::new(512, 300, 1.0).unwrap()))),
            id: (0..places.len() as u32).collect(),
            radius: vec![0.3; places.len()],
            position: places.iter().map(|&(x, y, _)| Vec2::new(x, y)).collect(),
            unit: places.iter().map(|place| UnitId(place.2)).collect(),
            looks: vec![Look::Swordsman, Look::Rider, Look::Giant],
            ..Frame::default()
        };
        let mut camera = Camera::new(Vec2::new(512.0, 300.0), Vec2::new(1280.0, 720.0), 0.0);
        camera.set_slant(slant);
        camera.zoom_at(Vec2::new(640.0, 360.0), factor);
        let squad: Vec<_> = frame.id.iter().map(|&id| Some(SquadId(id))).collect();
        let scene =
            ToolContext { frame: &frame, squad: &squad, radii: &[0.3], ramparts: &[], reach: 5.0 / camera.zoom, slant };
        // The middle of its body, in pixels.
        let row = at.index(places.len());
        let middle = |row: usize| {
            let rise = if slant < 1.0 { RISE * look::height(frame.looks[frame.unit[row].index()]) } else { 0.0 };
            camera.to_pixel(frame.position[row]) - Vec2::new(0.0, 0.5 * rise * camera.zoom)
        };
        let hit = scene.row_at(camera.to_world(middle(row))).unwrap();
        prop_assert!(hit == row || middle(hit).distance(middle(row)) < 2.5 * camera.zoom, "{hit} for {row}");
        if places.len() == 1 {
            prop_assert_eq!(hit, row);
        }
        // A rectangle drawn on the screen selects the figures that are seen in it.
        let (from, to) = (Vec2::from(corner), Vec2::new(640.0, 360.0));
        let mut tools = Tools::default();
        prop_assume!((to - from).abs().max_element() > 20.0);
        tools.press(&scene, camera.to_world(from), false);
        tools.release(&scene, camera.to_world(to));
        let (low, high) = (from.min(to), from.max(to));
        for row in 0..places.len() {
            let (inside, outside) = ((middle(row) - low).min(high - middle(row)).min_element(), tools.squads.contains(&SquadId(row as u32)));
            prop_assert!(inside.abs() < 0.1 || (inside > 0.0) == outside, "{row}: {inside}");
        }
    }
}

#[test]
fn paint_changes_only_what_is_not_so_already() {
    let frame = frame();
    let scene = scene(&frame);
    let mut tools = Tools { tool: Tool::Paint, width: 1, ..Tools::default() };
    let cells = |command: Option<Command>| match command {
        Some(Command::EditMap { edits, .. }) => edits.len(),
        _ => 0,
    };
    assert_eq!(cells(tools.press(&scene, Vec2::new(1.5, 1.5), false)), 1);
    assert_eq!(cells(tools.drag(&scene, Vec2::new(4.5, 1.5))), 3);
    assert_eq!(cells(tools.release(&scene, Vec2::new(4.5, 1.5))), 0);
    tools.stroke = BrushShape::Rectangle;
    assert_eq!(cells(tools.press(&scene, Vec2::new(1.5, 1.5), false)), 0);
    assert_eq!(cells(tools.release(&scene, Vec2::new(3.5, 2.5))), 6);
    (tools.stroke, tools.paint) = (BrushShape::Fill, Paint::Open);
    assert_eq!(cells(tools.press(&scene, Vec2::new(1.5, 1.5), false)), 0);
    tools.paint = Paint::Terrain(3);
    assert_eq!(cells(tools.press(&scene, Vec2::new(1.5, 1.5), false)), 100);
    tools.paint = Paint::Water;
    assert_eq!(cells(tools.press(&scene, Vec2::new(1.5, 1.5), false)), 200, "closed, and water");
    (tools.stroke, tools.paint) = (BrushShape::Brush, Paint::Gate(300));
    let Some(Command::EditMap { edits, ramparts }) = tools.press(&scene, Vec2::new(1.5, 1.5), false) else { panic!() };
    assert_eq!((edits[0], ramparts[0]), (Edit::Close(edits[0].cell()), (edits[0].cell(), Some(whole(300)))));
}

#[test]
fn walls_are_dry_and_gates_are_known_by_their_health() {
    let mut frame = frame();
    let mut grid = (**frame.grid.as_ref().unwrap()).clone();
    let lattice = grid.lattice();
    let (ford, wall) = (lattice.cell(1, 1), lattice.cell(5, 5));
    grid.set_terrain(ford, WATER);
    (4..7).for_each(|x| grid.set_open(lattice.cell(x, 5), false));
    frame.grid = Some(Arc::new(grid));
    let worn = Rampart { health: 50.0, keeper: Some(ArmyId(1)), ..whole(300) };
    let kept = |health| Some(Rampart { keeper: Some(ArmyId(1)), ..whole(health) });
    let gates = [(wall, worn)];
    let scene = ToolContext { ramparts: &gates, ..scene(&frame) };
    let mut tools = Tools { tool: Tool::Paint, width: 1, ..Tools::default() };
    let paints = |tools: &mut Tools, paint, stroke, cell| {
        (tools.paint, tools.stroke) = (paint, stroke);
        match tools.press(&scene, lattice.centre(cell), false) {
            Some(Command::EditMap { edits, ramparts }) => (edits, ramparts),
            _ => (Vec::new(), Vec::new()),
        }
    };
    // Closed ground of the class of water would be water.
    for paint in [Paint::Wall, Paint::Gate(300)] {
        let (edits, _) = paints(&mut tools, paint, BrushShape::Brush, ford);
        assert_eq!(edits, [Edit::Close(ford), Edit::Terrain(ford, PLAIN)]);
    }
    assert!(paints(&mut tools, Paint::Open, BrushShape::Brush, ford).0.is_empty(), "a ford is open");
    // A gate that has been struck, or of another health, is put right.
    assert_eq!(paints(&mut tools, Paint::Gate(300), BrushShape::Brush, wall).1, [(wall, kept(300))]);
    assert_eq!(paints(&mut tools, Paint::Gate(900), BrushShape::Brush, wall).1, [(wall, kept(900))]);
    let mended = [(wall, kept(300).unwrap())];
    let other = ToolContext { ramparts: &mended, ..scene };
    (tools.paint, tools.stroke) = (Paint::Gate(300), BrushShape::Brush);
    assert_eq!(tools.press(&other, lattice.centre(wall), false), None, "it is one, of any army");
    // Fill stops where a gate is.
    assert!(paints(&mut tools, Paint::Wall, BrushShape::Fill, lattice.cell(4, 5)).0.is_empty());
    assert_eq!(paints(&mut tools, Paint::Gate(20), BrushShape::Fill, wall).1.len(), 1);
    assert_eq!(paints(&mut tools, Paint::Gate(20), BrushShape::Fill, lattice.cell(6, 5)).1.len(), 1);
}

#[test]
fn new_squads_stand_from_flank_to_flank_where_there_is_room() {
    let frame = frame();
    let scene = scene(&frame);
    let mut tools = Tools { tool: Tool::SpawnSquad, ..Tools::default() };
    tools.new_squad.count = 10;
    tools.press(&scene, Vec2::new(1.0, 5.0), false);
    let Some(Command::SpawnSquad(SquadSpec { positions, facing, .. })) = tools.release(&scene, Vec2::new(4.6, 5.0))
    else {
        panic!()
    };
    assert_eq!((positions.len(), facing), (10, -90.0));
    assert!(positions[4].distance(Vec2::new(4.6, 5.0)) < 1e-3 && positions[5].y > 5.5, "{positions:?}");
    tools.press(&scene, Vec2::new(9.0, 5.0), false);
    let Some(Command::SpawnSquad(SquadSpec { positions, .. })) = tools.release(&scene, Vec2::new(9.0, 5.0)) else {
        panic!()
    };
    // Behind the last rank the map ends: the others stand beside it.
    assert_eq!(positions.len(), 10);
}
