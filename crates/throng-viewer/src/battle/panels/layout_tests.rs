//! The time line, the balance and the result at all sizes of windows.

use super::{BattleFacts, Panels};
use crate::Theme;
use crate::battle::action::BattleAction;
use crate::battle::chronicle::{Chronicle, Happening};
use crate::battle::groups::ControlGroups;
use crate::battle::inspect::InspectReply;
use crate::battle::measuring::{Measurements, Meters, NumberedArea};
use crate::battle::squad_table::SquadTable;
use crate::battle::tick_history::TickHistory;
use crate::battle::tools::{Paint, Tools};
use crate::draw::banners::BannerBoard;
use crate::shell::event::{Page, Tool};
use crate::shell::layout_check::{SIZES, troubles, without_hint};
use crate::shell::panel_output::PanelOutput;
use crate::shell::speed::Speed;
use throng_grid::geom::Vec2;
use throng_plan::PlannerChoice;
use throng_record::MeasurementArea;
use throng_sim::battle::SquadStats;
use throng_sim::crowd::Avoidance;
use throng_sim::world::{ArmyCount, ArmyId, Frame, SquadCount, SquadId, UnitId, Verdict};
use throng_spatial::IndexKind;

/// A battle of three armies that is over.
fn frame(tick: u64) -> Frame {
    let army = |name: &str, alive, routed, dead| ArmyCount {
        name: name.into(),
        alive,
        routed,
        dead,
        coming: 12,
        kills: 9,
        ..ArmyCount::default()
    };
    let lost = (tick / 2) as u32;
    let armies = vec![
        army("the raiders of the north", 12_000 - lost, lost / 3, lost - lost / 3),
        army("blue", 800, 41_000, 150_000),
        army("neutral", 3, 0, 40),
    ];
    let squad = |number: u8| {
        let tally = SquadStats { spawned: 4000, losses: 120, routed: 7, kills: 88, ..SquadStats::default() };
        SquadCount { army: ArmyId(number % 3), unit: UnitId((number % 7).into()), tally, ..SquadCount::default() }
    };
    let units = ["sword", "halberdier", "crossbow", "knight", "giant", "ram", "leader"].map(String::from).to_vec();
    let (squads, verdict) = ((0..30).map(squad).collect(), Some(Verdict::Winner(ArmyId(0))));
    Frame { tick, time: tick as f64 * 0.05, armies, squads, units, verdict, ..Frame::default() }
}

/// What panels know of a battle that is paused.
fn facts<'a>(
    frame: &'a Frame,
    reply: &'a InspectReply,
    history: &'a TickHistory,
    chronicle: &'a Chronicle,
    live: bool,
) -> BattleFacts<'a> {
    BattleFacts {
        title: "a battle of which the name is long",
        frame,
        theme: Theme::Plan,
        history,
        reply,
        speed: Speed::REAL,
        paused: true,
        ticks_per_second: 1234.0,
        frames_per_second: 60.0,
        live,
        span: Some([0, 2000]),
        target: None,
        chronicle,
        measured: &[],
        film: None,
        directs: false,
    }
}

/// Lays out the time, the balance and the result.
fn lay(ui: &mut egui::Ui, panels: &mut Panels, live: bool, output: &mut PanelOutput<BattleAction>) {
    let mut chronicle = Chronicle::default();
    for tick in (0..2000).step_by(7) {
        chronicle.note(&Frame { verdict: None, ..frame(tick) }, std::iter::empty());
    }
    let frame = frame(2000);
    chronicle.note(&frame, std::iter::empty());
    chronicle.add(2000, Happening::Command, "order".into());
    let (reply, history) = (InspectReply::default(), TickHistory::default());
    let facts = BattleFacts { film: live.then_some(0.4), ..facts(&frame, &reply, &history, &chronicle, live) };
    let height = panels.time.panel_height(ui.available_width());
    egui::Panel::bottom("time")
        .exact_size(height)
        .show(ui, |ui| super::transport::lay_out(ui, &facts, panels.time, output));
    let free = ui.available_rect_before_wrap();
    super::balance::lay_out(ui, free, &facts, output);
    panels.outcome.lay_out(ui, free, &facts, output);
}

#[test]
fn all_words_can_be_read_at_all_sizes() {
    for size in SIZES {
        for (live, unfolded, open) in [(true, false, true), (false, true, true), (true, true, false)] {
            let mut panels = Panels::default();
            (panels.time.unfolded, panels.outcome.open) = (unfolded, open);
            let troubles = troubles(size, |ui, output| lay(ui, &mut panels, live, output));
            assert!(troubles.is_empty(), "{troubles:#?}");
        }
    }
}

#[test]
fn the_time_line_is_as_high_as_it_says_and_wide_enough() {
    for (size, least) in [([640.0, 360.0], 500.0), ([800.0, 600.0], 600.0), ([1280.0, 720.0], 500.0)] {
        for unfolded in [false, true] {
            let mut line = egui::Rect::NOTHING;
            let mut panels = Panels::default();
            panels.time.unfolded = unfolded;
            troubles(size, |ui, output| {
                lay(ui, &mut panels, true, output);
                line = output.places.iter().find(|(name, _)| *name == "time-line").unwrap().1;
            });
            assert!(line.width() >= least, "{size:?}: {line}");
            assert!(line.height() >= if unfolded { 50.0 } else { 22.0 }, "{size:?}: {line}");
            assert!(line.bottom() <= size[1] && line.right() <= size[0], "{size:?}: {line}");
        }
    }
}

/// Eight areas that were measured for 2000 ticks.
fn measured() -> Measurements {
    let area = |number: u8| NumberedArea {
        number,
        area: MeasurementArea { centre: Vec2::new(2.0 * f32::from(number), 5.0), width: 12.5, height: 100.0 },
    };
    let areas: Vec<NumberedArea> = (1..=8).map(area).collect();
    let mut meters = Meters::default();
    for tick in (0..2000).step_by(10) {
        let position: Vec<Vec2> = (0..1200).map(|i| Vec2::new((tick + i) as f32 * 0.01, 5.0)).collect();
        let frame = Frame { tick, time: tick as f64 * 0.05, id: (0..1200).collect(), position, ..Frame::default() };
        meters.measure(&areas, &frame, false);
    }
    meters.curves().clone()
}

/// All panels of a live battle or a recording, with a tool in hand and some squads selected.
fn lay_all(
    ui: &mut egui::Ui,
    panels: &mut Panels,
    (live, tools): (bool, &mut Tools),
    output: &mut PanelOutput<BattleAction>,
) {
    let (mut chronicle, frame) = (Chronicle::default(), Frame { verdict: None, ..frame(2000) });
    chronicle.note(&frame, std::iter::empty());
    let reply = InspectReply {
        models: Some((IndexKind::Quadtree.into(), Avoidance::Orca)),
        // Names that are longer scroll in their fields.
        armies: ["raiders", "blue", "neutral"].map(|name| (name.into(), None)).to_vec(),
        planners: vec![PlannerChoice::default(); frame.squads.len()],
        points: vec![10.0; frame.units.len()],
        radii: vec![0.3; frame.units.len()],
        ..InspectReply::default()
    };
    let (history, measured) = (TickHistory::default(), measured());
    let facts = BattleFacts { measured: &measured, ..facts(&frame, &reply, &history, &chronicle, live) };
    let (table, mut board, groups) = (SquadTable::default(), BannerBoard::default(), ControlGroups::default());
    panels.lay_out(ui, &facts, tools, (&table, &mut board, &groups), output);
}

#[test]
fn all_panels_can_be_read_at_all_sizes_with_every_tool() {
    let mut found = Vec::new();
    for size in SIZES {
        for (live, tool, squads) in [
            (true, Tool::Measure, 0),
            (false, Tool::Measure, 0),
            (true, Tool::Select, 9),
            (true, Tool::Select, 0),
            (true, Tool::Paint, 1),
            (true, Tool::SpawnSquad, 1),
            (true, Tool::SpawnSquad, 4),
            (false, Tool::Select, 1),
        ] {
            for paint in [Paint::Wall, Paint::Gate(300), Paint::Terrain(4), Paint::Height(250)] {
                let mut tools = Tools { tool, paint, squads: (0..squads).map(SquadId).collect(), ..Tools::default() };
                for page in [Page::Armies, Page::Show, Page::Laboratory] {
                    let mut panels = Panels { page, ..Panels::default() };
                    let wrong = troubles(size, |ui, output| lay_all(ui, &mut panels, (live, &mut tools), output));
                    found.extend(wrong.into_iter().map(|what| format!("{page:?} {tool:?} {squads}: {what}")));
                }
                if tool != Tool::Paint {
                    break;
                }
            }
        }
    }
    found.sort();
    found.dedup();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_control_of_a_battle_has_a_hint() {
    for (tool, squads) in [(Tool::Select, 2), (Tool::Paint, 0), (Tool::SpawnSquad, 1)] {
        for paint in [Paint::Wall, Paint::Gate(300), Paint::Terrain(4)] {
            let mut tools = Tools { tool, paint, squads: (0..squads).map(SquadId).collect(), ..Tools::default() };
            for page in [Page::Armies, Page::Show, Page::Laboratory] {
                let mut panels = Panels { page, ..Panels::default() };
                let without =
                    without_hint([1920.0, 1080.0], |ui, output| lay_all(ui, &mut panels, (true, &mut tools), output));
                assert_eq!(without, [""; 0], "{page:?} {tool:?}");
            }
        }
    }
}

#[test]
fn the_keys_lie_over_the_result_whichever_was_opened_or_pressed_last() {
    for keys_first in [false, true] {
        let (context, mut panels) = (egui::Context::default(), Panels::default());
        crate::draw::style::apply(&context);
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 720.0));
        let keys = egui::Id::from("keys");
        for turn in 0..10 {
            let (result, help) = (!keys_first || turn > 2, keys_first || turn > 2);
            panels.outcome.open = result;
            // The result is pressed beside the keys.
            let at = context.memory(|memory| memory.area_rect(egui::Id::new("the result"))).map(|area| area.left_top());
            let at = at.unwrap_or_default() + egui::vec2(3.0, 3.0);
            let press = egui::Event::PointerButton {
                pos: at,
                button: egui::PointerButton::Primary,
                pressed: turn == 6,
                modifiers: egui::Modifiers::NONE,
            };
            let events = if turn == 6 || turn == 7 { vec![egui::Event::PointerMoved(at), press] } else { Vec::new() };
            let input =
                egui::RawInput { screen_rect: Some(screen), time: Some(f64::from(turn)), events, ..Default::default() };
            let _ = context.run_ui(input, |ui| {
                let mut output = PanelOutput::default();
                lay(ui, &mut panels, true, &mut output);
                let overlay = crate::draw::overlay::Overlay {
                    keys: &crate::battle::keys::HELP,
                    help,
                    notice: Some("news"),
                    trouble: None,
                };
                crate::draw::overlay::lay_out(ui, ui.available_rect_before_wrap(), &overlay, &mut output);
            });
        }
        let area = context.memory(|memory| memory.area_rect(keys)).unwrap();
        let layer = context.layer_id_at(area.center()).unwrap();
        assert_eq!(layer.id, keys, "keys first: {keys_first}");
    }
}
