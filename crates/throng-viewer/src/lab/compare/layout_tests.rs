//! The words of the panes, of their panel and of the bar at every size of the window.

use super::captions::{self, Captions};
use super::cell_facts::{CellFacts, CellRequest, CellState};
use super::cell_tip;
use super::costs::{self, Costs};
use super::keys::HELP;
use super::layout::Layout;
use super::pane_result::PaneResult;
use super::panel::{self, ComparisonFacts};
use super::playback::Playback;
use super::rerun::Improvement;
use super::searcher::{Found, Tables};
use super::walker::Walker;
use super::{action::CompareAction, comparison_view};
use crate::draw::int_rect::IntRect;
use crate::draw::overlay::{self, Overlay};
use crate::shell::camera::Camera;
use crate::shell::layout_check;
use crate::shell::panel_output::PanelOutput;
use std::sync::Arc;
use std::time::Duration;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Ground, Lattice, Steps};
use throng_plan::{Outcome, PlannerChoice, Rank, Status};

/// A result with long words and great numbers.
fn result(pane: usize) -> PaneResult {
    let status = if pane == 2 { Status::NoRoute } else { Status::Found };
    let outcome = Outcome { status, cost: 1, bound: 1.53, expanded: 12_345_678 };
    let better = Improvement { at: 1_234_567, bound: 2.53, length: 12_345.6, route: Vec::new(), ahead: Vec::new() };
    let (time, first) = (Duration::from_micros(123_456), Some(Duration::from_micros(23_456)));
    let found = Found {
        outcome,
        memory: Some(134_000_000),
        time,
        first,
        tables: Some(Tables { time, bytes: 67_000_000, repaired: true }),
        length: 12_345.6 + pane as f64,
        route: Vec::new(),
        improvements: if pane == 4 { vec![better; 5] } else { Vec::new() },
        end: 12_345_678,
        clusters: Vec::new(),
        trace: None,
    };
    let result = if pane == 5 {
        Err("this planner cannot count what terrain costs: choose another one".to_owned())
    } else {
        Ok(Box::new(found))
    };
    PaneResult { task: 1, result: Some(result), time, first, look: None }
}

fn lay_out(size: [f32; 2], count: usize, side: bool, ui: &mut egui::Ui, output: &mut PanelOutput<CompareAction>) {
    let names =
        ["hpa:16,3", "weighted-astar:1,2.5", "pathfinding-dijkstra", "bidirectional", "ara:5,3,2,1.5,1", "astar"];
    let planners: Vec<PlannerChoice> = names[..count].iter().map(|name| name.parse().unwrap()).collect();
    let names: Vec<String> = planners.iter().map(ToString::to_string).collect();
    let results: Vec<PaneResult> = (0..count).map(result).collect();
    let base = Ground::new(Arc::new(Grid::open_plain(Lattice::new(9, 9, 1.0).unwrap())), 0.4).unwrap();
    let costs = Costs { terrain: Some(costs::table(base.grid(), base.mobility())), ..Costs::default() };
    let walker = Walker::new(Cell(3));
    let playback = Playback::default();
    let facts = ComparisonFacts {
        title: "a map with a long name.map",
        planners: &planners,
        known: &planners,
        results: &results,
        steps: Steps::default(),
        costs: &costs,
        base: &base,
        most: 6,
        optimum: Some(12_345.6),
        problem: Some((1234, 12_345, Some(12_345.67))),
        playback: &playback,
        last: 12_345_678,
        film: Some(100),
        walker: Some(&walker),
        in_tab: true,
    };
    let (window, map) = (Vec2::from(size), Vec2::splat(64.0));
    let layout = Layout::new(count, window, 1.0, map, comparison_view::covered(side, 1.0));
    let camera = Camera::new(map, layout.size(), 0.0);
    let captions = Captions {
        layout: &layout,
        camera: &camera,
        scale: 1.0,
        title: facts.title,
        names: &names,
        results: &results,
        task: 1,
        optimum: facts.optimum,
        trip: Some((Vec2::splat(8.0), Vec2::splat(56.0))),
        links: &[[Vec2::splat(4.0), Vec2::splat(30.0)]],
        walk: &[],
        pointed: None,
    };
    if side {
        panel::lay_out(ui, &facts, output);
    }
    captions::lay_out(ui, &captions);
    let overlay = Overlay { keys: &HELP, help: false, notice: None, trouble: None };
    overlay::lay_out(ui, ui.available_rect_before_wrap(), &overlay, output);
}

#[test]
fn all_words_can_be_read_at_every_size() {
    for size in layout_check::SIZES {
        for (count, side) in [(6, true), (6, false), (4, true), (1, true)] {
            let troubles = layout_check::troubles(size, |ui, output| lay_out(size, count, side, ui, output));
            assert!(troubles.is_empty(), "{count} panes, panel {side}:\n{}", troubles.join("\n"));
        }
    }
}

#[test]
fn all_controls_have_a_hint() {
    let size = [1920.0, 1080.0];
    let without = layout_check::without_hint(size, |ui, output| lay_out(size, 6, true, ui, output));
    assert_eq!(without, [""; 0]);
}

#[test]
fn tooltips_of_cells_and_captions_fit_into_every_window() {
    let lattice = Lattice::new(64, 64, 1.0).unwrap();
    let request = CellRequest { task: 1, pane: 1, cell: lattice.cell(63, 63), at: None };
    let facts = CellFacts {
        request,
        state: CellState::Expanded,
        g: Some(23_456_789),
        rank: Some(Rank { h: 12_345_678, f: 35_802_467.5 }),
        parent: Some(lattice.cell(62, 62)),
        way: vec![Vec2::splat(1.0), Vec2::splat(60.0)],
        order: Some(1_234_567),
        class: 200,
        weight: 20,
        crowd: 2.5,
    };
    for size in layout_check::SIZES {
        // Where the pointer is at the corner of the window, the tooltip has to make way.
        for pointer in [Vec2::ZERO, Vec2::from(size) - 1.0] {
            let troubles = layout_check::troubles::<()>(size, |ui, _| {
                let camera = Camera::new(lattice.size(), Vec2::from(size), 0.0);
                let map = IntRect::whole(size[0] as u32, size[1] as u32);
                cell_tip::lay_out(ui, &facts, lattice, &camera, map, pointer, 1.0);
            });
            assert!(troubles.is_empty(), "{}", troubles.join("\n"));
        }
    }
}
