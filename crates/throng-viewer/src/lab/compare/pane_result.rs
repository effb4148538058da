//! The result of a pane's search, and its rank among the others.

use super::rerun::{Improvement, PartialSearch};
use super::searcher::Found;
use super::trace::Trace;
use crate::draw::pen::grouped;
use std::time::Duration;
use throng_grid::geom::Vec2;
use throng_plan::Status;

/// The result that a pane shows.
#[derive(Debug, Default)]
pub(super) struct PaneResult {
    /// The task that this answers; 0 before the first.
    pub task: u64,
    /// The answer, or why there is none.
    pub result: Option<Result<Box<Found>, String>>,
    /// How long the search takes, and how long to its first route where it tells: better known than at first.
    pub time: Duration,
    pub first: Option<Duration>,
    /// The search on the way, where it is looked at there.
    pub look: Option<Box<PartialSearch>>,
}

/// One of the figures below a pane.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PaneFigure {
    pub label: &'static str,
    pub value: String,
    /// Its share of the greatest of all panes, from 0 to 1.
    pub share: f32,
}

impl PaneResult {
    /// The search, where there was one.
    pub fn found(&self) -> Option<&Found> {
        self.result.as_ref().and_then(|result| result.as_deref().ok())
    }

    /// The route reported last before the moment that is looked at.
    pub fn improvement(&self) -> Option<&Improvement> {
        let look = self.look.as_ref()?;
        self.found()?.improvements.iter().rev().find(|better| better.at <= look.at)
    }

    /// True while the shown route is only the progress of the search.
    pub fn is_on_the_way(&self) -> bool {
        self.look.is_some() && self.improvement().is_none()
    }

    /// The route that is shown (m).
    pub fn route(&self) -> &[Vec2] {
        match (&self.look, self.found()) {
            (Some(look), _) => self.improvement().map_or(&look.so_far, |better| &better.route),
            (None, Some(found)) => &found.route,
            (None, None) => &[],
        }
    }

    /// The shown trace of the search.
    pub fn trace(&self) -> Option<&Trace> {
        match &self.look {
            Some(look) => look.trace.as_ref(),
            None => self.found()?.trace.as_ref(),
        }
    }

    /// The reason for no route, shown over the map.
    pub fn words(&self) -> Option<String> {
        if self.look.is_some() {
            return None;
        }
        match self.result.as_ref()? {
            Err(error) => Some(error.clone()),
            Ok(found) if found.outcome.status == Status::Found => None,
            Ok(found) => Some(found.outcome.status.to_string()),
        }
    }

    /// The notes in the corner of the map: bounds, tables, and searches without a trace.
    pub fn notes(&self) -> Vec<String> {
        let Some(found) = self.found() else { return Vec::new() };
        if let Some(look) = &self.look {
            return self.notes_on_the_way(found, look);
        }
        let first = self.first.map(|after| format!("first route {}", time(after)));
        let bound = match found.outcome.bound {
            bound if bound.is_infinite() => Some("no bound".to_owned()),
            bound => (bound > 1.0).then(|| format!("at most ×{}", rounded(bound))),
        };
        let tables = found.tables.map(|tables| {
            let made = if tables.repaired { "repaired in " } else { "" };
            format!("tables {made}{}, {}", time(tables.time), bytes(tables.bytes))
        });
        let hidden = found.trace.is_none().then(|| "no search trace".to_owned());
        [first, bound, tables, hidden].into_iter().flatten().collect()
    }

    /// The same of a search on the way.
    fn notes_on_the_way(&self, found: &Found, look: &PartialSearch) -> Vec<String> {
        let at = format!("{} of {}", grouped(look.at), grouped(found.end));
        let level = look.level.map(|(level, levels)| format!("level {} of {levels}", level + 1));
        let better = self.improvement().map(|better| match better.bound {
            bound if !better.ahead.is_empty() || bound.is_infinite() => "first part".to_owned(),
            bound => format!("route {:.1}, at most ×{}", better.length, rounded(bound)),
        });
        let whole = (look.trace.is_none()).then(|| "no search trace".to_owned());
        [Some(at), level, better, whole].into_iter().flatten().collect()
    }

    /// Time, expansions and cost, measured by those of all panes that answer the same task, and the cost by the least there
    /// is, where it is known.
    pub fn figures(&self, all: &[PaneResult], optimum: Option<f64>) -> Option<[PaneFigure; 3]> {
        let found = self.found()?;
        let same =
            || all.iter().filter(|other| other.task == self.task).filter_map(|o| o.found().map(|found| (o, found)));
        let share = |part: f64, whole: f64| if whole > 0.0 { (part / whole) as f32 } else { 0.0 };
        let longest = same().map(|(other, _)| other.time).max().unwrap_or_default();
        let most = same().map(|(_, found)| found.outcome.expanded).max().unwrap_or(0);
        let reached = || same().map(|(_, found)| found).filter(|found| found.outcome.status == Status::Found);
        let greatest = reached().map(|found| found.length).fold(0.0, f64::max);
        let least = reached().map(|found| found.length).fold(f64::INFINITY, f64::min);
        let cost = match found.outcome.status {
            Status::Found => {
                format!("{:.1} {}", found.length, excess(found.length, least, optimum))
            }
            _ => "–".to_owned(),
        };
        Some([
            PaneFigure {
                label: "time",
                value: time(self.time),
                share: share(self.time.as_secs_f64(), longest.as_secs_f64()),
            },
            PaneFigure {
                label: "expanded",
                value: grouped(found.outcome.expanded),
                share: share(found.outcome.expanded as f64, most as f64),
            },
            PaneFigure { label: "cost", value: cost, share: share(found.length, greatest) },
        ])
    }
}

/// How much dearer a route is than the cheapest there is, or than the best of the panes where that is not known. Routes at
/// any angle may be cheaper than all along the grid.
pub(super) fn excess(length: f64, least: f64, optimum: Option<f64>) -> String {
    let by = optimum.unwrap_or(least);
    let over = if by > 0.0 { length / by - 1.0 } else { 0.0 };
    match over * 100.0 {
        percent if percent.abs() < 0.005 => if optimum.is_some() { "optimal" } else { "best" }.to_owned(),
        percent if percent.abs() < 10.0 => format!("{percent:+.2}%"),
        percent => format!("{percent:+.0}%"),
    }
}

/// A factor, no longer than it needs to be.
fn rounded(factor: f64) -> String {
    let text = format!("{factor:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// An amount of memory in the unit that fits.
pub(crate) fn bytes(bytes: usize) -> String {
    match bytes as f64 / 1e6 {
        mega if mega >= 9.95 => format!("{mega:.0} MB"),
        mega if mega >= 0.1 => format!("{mega:.1} MB"),
        mega => format!("{:.0} kB", (mega * 1e3).ceil()),
    }
}

/// A time in the unit that fits.
pub(crate) fn time(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        micros if micros < 99.5 => format!("{micros:.1} µs"),
        micros if micros < 999.5 => format!("{micros:.0} µs"),
        micros if micros < 9_995.0 => format!("{:.2} ms", micros / 1e3),
        micros if micros < 999_500.0 => format!("{:.1} ms", micros / 1e3),
        micros => format!("{:.2} s", micros / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::super::searcher::Tables;
    use super::*;
    use throng_plan::Outcome;

    fn result(task: u64, status: Status, length: f64, expanded: u64, micros: u64) -> PaneResult {
        let time = Duration::from_micros(micros);
        let outcome = Outcome { status, cost: 1, bound: 1.0, expanded };
        let found = Found {
            outcome,
            memory: Some(0),
            time,
            first: None,
            tables: None,
            length,
            route: vec![Vec2::ZERO],
            improvements: Vec::new(),
            end: expanded,
            clusters: Vec::new(),
            trace: None,
        };
        PaneResult { task, result: Some(Ok(Box::new(found))), time, first: None, look: None }
    }

    #[test]
    fn figures_are_measured_by_the_best_and_the_greatest_of_the_same_task() {
        let all = [
            result(2, Status::Found, 100.0, 1000, 200),
            result(2, Status::Found, 104.0, 250, 50),
            result(1, Status::Found, 10.0, 90_000, 9000),
            result(2, Status::NoRoute, 0.0, 2000, 3),
        ];
        let [time, expanded, cost] = all[0].figures(&all, None).unwrap();
        assert_eq!((time.value.as_str(), time.share), ("200 µs", 1.0));
        assert_eq!((expanded.value.as_str(), expanded.share), ("1 000", 0.5));
        assert_eq!((cost.value.as_str(), cost.share), ("100.0 best", (100.0 / 104.0) as f32));
        let cost = |pane: usize, optimum| all[pane].figures(&all, optimum).unwrap()[2].value.clone();
        assert_eq!((cost(1, None), cost(3, None)), ("104.0 +4.00%".into(), "–".into()));
        assert_eq!((cost(1, Some(104.0)), cost(0, Some(104.0))), ("104.0 optimal".into(), "100.0 -3.85%".into()));
        assert_eq!(all[3].words().unwrap(), Status::NoRoute.to_string());
        assert_eq!(all[0].notes(), ["no search trace"]);
        let mut other = result(2, Status::Found, 104.0, 250, 50);
        if let Some(Ok(found)) = &mut other.result {
            found.outcome.bound = 1.5;
            found.tables = Some(Tables { time: Duration::from_millis(12), bytes: 2_340_000, repaired: true });
            found.trace = Some(super::super::trace::Trace::default());
        }
        other.first = Some(Duration::from_micros(30));
        assert_eq!(other.notes(), ["first route 30.0 µs", "at most ×1.5", "tables repaired in 12.0 ms, 2.3 MB"]);
        assert_eq!(PaneResult::default().figures(&all, None), None);
    }

    #[test]
    fn on_the_way_the_last_route_that_was_reported_is_shown() {
        let mut result = result(1, Status::Found, 100.0, 1000, 200);
        assert_eq!(result.route(), [Vec2::ZERO]);
        if let Some(Ok(found)) = &mut result.result {
            found.improvements = [(100, 3.0, 120.0), (400, 1.5, 110.0)]
                .map(|(at, bound, length)| Improvement {
                    at,
                    bound,
                    length,
                    route: vec![Vec2::ONE; 2],
                    ahead: Vec::new(),
                })
                .to_vec();
        }
        let mut at = |at| {
            let so_far = vec![Vec2::ZERO; 5];
            result.look = Some(Box::new(PartialSearch { at, trace: Some(Trace::default()), level: None, so_far }));
            assert_eq!(result.is_on_the_way(), result.route().len() == 5);
            (result.notes(), result.route().len())
        };
        assert_eq!(at(99), (vec!["99 of 1 000".to_owned()], 5));
        assert_eq!(at(100), (vec!["100 of 1 000".to_owned(), "route 120.0, at most ×3".to_owned()], 2));
        assert_eq!(at(999), (vec!["999 of 1 000".to_owned(), "route 110.0, at most ×1.5".to_owned()], 2));
        let look = PartialSearch { at: 5, trace: None, level: Some((0, 2)), so_far: Vec::new() };
        result.look = Some(Box::new(look));
        assert_eq!(result.notes(), ["5 of 1 000", "level 1 of 2", "no search trace"]);
    }

    #[test]
    fn times_have_the_unit_that_fits() {
        let texts =
            [400, 99_600, 412_000, 3_414_000, 34_140_000, 1_200_000_000].map(|ns| time(Duration::from_nanos(ns)));
        assert_eq!(texts, ["0.4 µs", "100 µs", "412 µs", "3.41 ms", "34.1 ms", "1.20 s"]);
        assert_eq!([1.0, 1.0123, 1.5].map(|length| excess(length, 1.0, None)), ["best", "+1.23%", "+50%"]);
        assert_eq!([2.0, 1.25].map(rounded), ["2", "1.25"]);
        assert_eq!([900, 150_000, 12_000_000].map(bytes), ["1 kB", "0.1 MB", "12 MB"]);
    }
}
