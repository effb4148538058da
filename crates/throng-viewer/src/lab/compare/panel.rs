//! The panel at the left: planners and their weights, steps, trips, and a table of what the searches came to.

use super::action::CompareAction;
use super::costs::Costs;
use super::costs_panel;
use super::pane_result::{PaneResult, bytes, excess, time};
use super::playback::Playback;
use super::transport;
use super::walker::Walker;
use crate::draw::pen::grouped;
use crate::lab::panel;
use crate::shell::panel_output::PanelOutput;
use egui::{Button, ComboBox, Grid, Panel, RichText, Slider};
use throng_compare::Clock;
use throng_grid::{Corners, Ground, Steps};
use throng_plan::{Ara, PlannerChoice, Status, WeightedAStar};

/// Width (logical pixels).
pub(super) const WIDTH_PX: f32 = 264.0;

/// The steps, in words.
const STEP_CHOICES: [(&str, &str, Steps); 4] = [
    ("steps-four", "4 neighbours", Steps::Four),
    ("steps-never", "8, no corner cut", Steps::Eight(Corners::Never)),
    ("steps-one-side", "8, corners cut on one side", Steps::Eight(Corners::OneSide)),
    ("steps-always", "8, between corners", Steps::Eight(Corners::Always)),
];

/// Names of the boxes in which planners are chosen.
const PLANNER_BOXES: [&str; 6] = ["planner-1", "planner-2", "planner-3", "planner-4", "planner-5", "planner-6"];
/// Names of the sliders of weights.
const WEIGHT_SLIDERS: [&str; 6] = ["weight-1", "weight-2", "weight-3", "weight-4", "weight-5", "weight-6"];
/// Names of the buttons that close panes.
const CLOSE_BUTTONS: [&str; 6] = ["close-1", "close-2", "close-3", "close-4", "close-5", "close-6"];
/// Names of the routes of an anytime planner.
const ROUTE_LINKS: [&str; 6] = ["route-1", "route-2", "route-3", "route-4", "route-5", "route-6"];

/// The data that the panel shows.
pub(super) struct ComparisonFacts<'a> {
    pub title: &'a str,
    pub planners: &'a [PlannerChoice],
    /// All that can be chosen.
    pub known: &'a [PlannerChoice],
    pub results: &'a [PaneResult],
    pub steps: Steps,
    pub costs: &'a Costs,
    /// The ground that the window was opened with.
    pub base: &'a Ground,
    /// How many panes there may be.
    pub most: usize,
    /// Length of the shortest route (cells), where it is known.
    pub optimum: Option<f64>,
    /// Of the bundle the problem that is shown, counted from 1, how many there are, and its length by the file.
    pub problem: Option<(usize, usize, Option<f64>)>,
    pub playback: &'a Playback,
    /// The longest search (expansions).
    pub last: u64,
    /// How much of the film of the race is done (percent), where one is made.
    pub film: Option<usize>,
    /// The agent that walks to the goal.
    pub walker: Option<&'a Walker>,
    /// There is a battle to go back to.
    pub in_tab: bool,
}

/// Lays the panels out; adds the user's actions to `output`.
pub(super) fn lay_out(ui: &mut egui::Ui, facts: &ComparisonFacts<'_>, output: &mut PanelOutput<CompareAction>) {
    transport::lay_out(ui, facts.playback, facts.last, facts.film, output);
    panel::scrolling(ui, Panel::left("planners"), WIDTH_PX, "scroll-planners", output, |ui, output| {
        ui.add(egui::Label::new(RichText::new(facts.title).heading().strong()).truncate());
        ui.add_space(4.0);
        if facts.in_tab {
            button(ui, output, "battle", "F2 back to the battle", "the battle went on meanwhile", CompareAction::Leave);
            ui.add_space(4.0);
        }
        for pane in 0..facts.planners.len().min(PLANNER_BOXES.len()) {
            planner_row(ui, facts, pane, output);
        }
        if facts.planners.len() < facts.most {
            button(
                ui,
                output,
                "more",
                "+ planner",
                "one pane more, with a planner that no pane has",
                CompareAction::More,
            );
        }
        ui.separator();
        ui.label(RichText::new("steps").strong());
        for (name, text, steps) in STEP_CHOICES {
            let choice = ui.radio(facts.steps == steps, text).on_hover_text("the steps that all planners may take");
            output.place(name, choice.rect);
            if choice.clicked() && facts.steps != steps {
                output.actions.push(CompareAction::Steps(steps));
            }
        }
        ui.separator();
        costs_panel::lay_out(ui, facts.costs, facts.base, output);
        ui.separator();
        ui.horizontal_wrapped(|ui| {
            button(ui, output, "random", "random trip", "another start and goal  (R)", CompareAction::Scatter);
            button(ui, output, "undo", "undo", "undo the last stroke  (ctrl Z)", CompareAction::Undo);
            button(ui, output, "redo", "redo", "redo the stroke that was undone last  (ctrl Y)", CompareAction::Redo);
            button(ui, output, "restore", "restore map", "the map as it was at first  (C)", CompareAction::Restore);
        });
        problem(ui, facts, output);
        let walk = if facts.walker.is_some() { "stop the walk" } else { "walk by D* Lite" };
        button(ui, output, "walk", walk, "an agent walks from S to G: draw walls on its way  (W)", CompareAction::Walk);
        for line in facts.walker.map(Walker::lines).unwrap_or_default() {
            ui.label(line);
        }
        ui.separator();
        table(ui, facts);
        improvements(ui, facts, output);
    });
}

/// A small button with a hint.
fn button(
    ui: &mut egui::Ui,
    output: &mut PanelOutput<CompareAction>,
    name: &'static str,
    text: &str,
    hint: &str,
    action: CompareAction,
) {
    let button = ui.add(Button::new(text).small()).on_hover_text(hint);
    output.on_press(name, &button, action);
}

/// The choice of a problem of the bundle.
fn problem(ui: &mut egui::Ui, facts: &ComparisonFacts<'_>, output: &mut PanelOutput<CompareAction>) {
    let Some((number, count, length)) = facts.problem else { return };
    ui.horizontal(|ui| {
        button(ui, output, "problem-before", "◀", "the previous problem  (P)", CompareAction::Problem(false));
        ui.label(format!("problem {} of {}", grouped(number as u64), grouped(count as u64)));
        button(ui, output, "problem-next", "▶", "the next problem  (N)", CompareAction::Problem(true));
    });
    if let Some(length) = length {
        ui.label(RichText::new(format!("length by the file: {length:.2}")).weak());
    }
}

/// The routes that anytime planners report one after the other: a click shows the search at that moment.
fn improvements(ui: &mut egui::Ui, facts: &ComparisonFacts<'_>, output: &mut PanelOutput<CompareAction>) {
    for (pane, result) in facts.results.iter().enumerate() {
        let Some(found) = result.found().filter(|found| !found.improvements.is_empty()) else { continue };
        ui.separator();
        ui.label(RichText::new(format!("{}  {}", pane + 1, facts.planners[pane])).strong());
        let last = (found.end, found.outcome.bound, found.length);
        let routes = found.improvements.iter().map(|better| (better.at, better.bound, better.length)).chain([last]);
        for (number, (at, bound, length)) in routes.enumerate() {
            let route =
                if bound.is_finite() { format!("{length:.1}, at most ×{bound:.2}") } else { "first part".to_owned() };
            let text = format!("{}: {route}", grouped(at));
            let link = ui.add(egui::Link::new(text)).on_hover_text("show the search here");
            if let Some(name) = ROUTE_LINKS.get(number) {
                output.place(*name, link.rect);
            }
            if link.clicked() {
                output.actions.push(CompareAction::Jump(at));
            }
        }
    }
}

/// One pane's planner, with its weight where it has one.
fn planner_row(ui: &mut egui::Ui, facts: &ComparisonFacts<'_>, pane: usize, output: &mut PanelOutput<CompareAction>) {
    let planner = &facts.planners[pane];
    ui.horizontal(|ui| {
        ui.label(RichText::new((pane + 1).to_string()).weak());
        let names =
            ComboBox::from_id_salt(PLANNER_BOXES[pane]).selected_text(planner.to_string()).width(186.0).height(420.0);
        let chosen = names.show_ui(ui, |ui| {
            for known in facts.known {
                if ui.selectable_label(known == planner, known.to_string()).clicked() {
                    output.actions.push(CompareAction::Planner(pane, known.clone()));
                }
            }
        });
        let chosen = chosen.response.on_hover_text(format!("the planner of pane {}", pane + 1));
        output.place(PLANNER_BOXES[pane], chosen.rect);
        if facts.planners.len() > 1 {
            button(ui, output, CLOSE_BUTTONS[pane], "×", "close this pane", CompareAction::Less(pane));
        }
    });
    let Some(mut weight) = weight(planner) else { return };
    ui.horizontal(|ui| {
        ui.add_space(15.0);
        ui.label(RichText::new("weight").weak());
        ui.spacing_mut().slider_width = 118.0;
        let slider = ui.add(Slider::new(&mut weight, 1.0..=5.0).step_by(0.1));
        let slider = slider.on_hover_text("how much the estimate counts: greater is faster and less exact");
        output.place(WEIGHT_SLIDERS[pane], slider.rect);
        if slider.changed()
            && let Some(planner) = weighted(planner, weight)
        {
            output.actions.push(CompareAction::Planner(pane, planner));
        }
    });
}

/// How much greedier than A* a planner is, where that can be chosen.
fn weight(planner: &PlannerChoice) -> Option<f64> {
    match planner {
        PlannerChoice::WeightedAStar(planner) => Some(planner.weights().1 / planner.weights().0),
        PlannerChoice::Ara(planner) => planner.weights().first().copied(),
        _ => None,
    }
}

/// The same planner with another weight; an anytime one goes from there to 1 in four rounds.
fn weighted(planner: &PlannerChoice, weight: f64) -> Option<PlannerChoice> {
    match planner {
        PlannerChoice::WeightedAStar(_) => WeightedAStar::new(1.0, weight).ok().map(PlannerChoice::WeightedAStar),
        PlannerChoice::Ara(_) if weight <= 1.0 => Ara::new(&[1.0]).ok().map(PlannerChoice::Ara),
        PlannerChoice::Ara(_) => {
            let share = |part: f64| ((1.0 + (weight - 1.0) * part) * 100.0).round() / 100.0;
            Ara::new(&[weight, share(0.5), share(0.25), 1.0]).ok().map(PlannerChoice::Ara)
        }
        _ => None,
    }
}

/// The results of the searches, a row a pane.
fn table(ui: &mut egui::Ui, facts: &ComparisonFacts<'_>) {
    let reached = |result: &&PaneResult| result.found().is_some_and(|found| found.outcome.status == Status::Found);
    let lengths = facts.results.iter().filter(reached).filter_map(PaneResult::found).map(|found| found.length);
    let least = lengths.fold(f64::INFINITY, f64::min);
    let clock = Clock::of_thread().name();
    ui.strong("what the searches came to");
    ui.weak(format!("times: {clock} of the search's thread, medians"));
    // Two lines a pane: one would be wider than the panel.
    Grid::new("table").num_columns(3).min_col_width(8.0).spacing([9.0, 2.0]).show(ui, |ui| {
        for heads in [["", "expanded", "time"], ["", "cost", "memory"]] {
            for head in heads {
                ui.weak(head);
            }
            ui.end_row();
        }
        for (pane, result) in facts.results.iter().enumerate() {
            ui.strong((pane + 1).to_string());
            let Some(found) = result.found() else {
                ui.end_row();
                continue;
            };
            ui.label(grouped(found.outcome.expanded));
            ui.label(time(result.time));
            ui.end_row();
            ui.label("");
            ui.label(match found.outcome.status {
                Status::Found => format!("{:.1} {}", found.length, excess(found.length, least, facts.optimum)),
                _ => "–".to_owned(),
            });
            ui.label(found.memory.map_or_else(|| "–".to_owned(), bytes));
            ui.end_row();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_planners() {
        let with = |name: &str, to: f64| weighted(&name.parse().unwrap(), to).map(|planner| planner.to_string());
        assert_eq!(with("weighted-astar", 2.5), Some("weighted-astar:1,2.5".into()));
        assert_eq!(with("ara", 3.0), Some("ara:3,2,1.5,1".into()));
        assert_eq!((with("ara", 1.0), with("astar", 2.0)), (Some("ara:1".into()), None));
        assert_eq!(weight(&"weighted-astar:2,3".parse().unwrap()), Some(1.5));
    }
}
