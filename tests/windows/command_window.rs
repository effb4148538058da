//! A battle is led in its window: control groups, banners, cards, lines and way-points.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, near, throng, want};
use throng::viewer::Event;
use throng::world::SquadId;

/// The window with two armies on a field of 96 x 64 m, stopped.
struct Table {
    screen: Screen,
    shown: Shown,
    zoom: f32,
    _folder: tempfile::TempDir,
}

impl Table {
    fn open() -> Option<Self> {
        let screen = Screen::with_mouse()?;
        let folder = tempfile::tempdir().unwrap();
        let map = "type octile\nheight 64\nwidth 96\nmap\n".to_owned() + &(".".repeat(96) + "\n").repeat(64);
        std::fs::write(folder.path().join("field.map"), map).unwrap();
        let squad = |x: u32, y: u32, unit: &str| {
            format!("[[army.squad]]\nunit = \"{unit}\"\ncount = 12\nposition = [{x}, {y}]\ncolumns = 4\n")
        };
        let units = "[[unit]]\nname = \"axe\"\n[[unit]]\nname = \"spear\"\n";
        let scenario = format!(
            "name = \"field\"\nmap = \"field.map\"\nmax_ticks = 1000000\n{units}[[army]]\nname = \"red\"\n{}{}{}[[army]]\nname = \"blue\"\n{}",
            squad(20, 16, "axe"),
            squad(20, 32, "axe"),
            squad(20, 48, "spear"),
            squad(88, 58, "axe"),
        );
        let file = folder.path().join("field.toml");
        std::fs::write(&file, scenario).unwrap();
        let mut command = throng(Some(&screen.name), folder.path());
        command.arg("view").arg(&file).arg("--print-events");
        let mut shown = Shown::start(command);
        let (_, zoom, _) = shown.ready();
        screen.focus();
        let mut table = Self { screen, shown, zoom, _folder: folder };
        table.does("key space", is!(Event::Paused { paused: true }));
        table.shown.settle();
        Some(table)
    }

    fn does(&mut self, action: &str, tells: impl Fn(&Event) -> bool) -> Event {
        self.screen.xdotool(action);
        self.shown.want(tells)
    }

    /// The pixel over a point of the map (m), which fits beside the panels.
    fn pixel(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        [(x - 48.0) * self.zoom + 640.0 + 132.0, (y - 32.0) * self.zoom + 360.0 - 17.0]
    }

    /// Clicks something by its name with a key held down; the squads that are selected then.
    fn picks(&mut self, name: &str, held: &str, clicks: &str) -> Vec<SquadId> {
        let [x, y] = self.shown.place(name);
        self.shown.settle();
        let (down, up) = match held {
            "" => (String::new(), String::new()),
            key => (format!(" keydown {key} sleep 0.1"), format!(" sleep 0.1 keyup {key}")),
        };
        self.screen.xdotool(&format!("mousemove {x:.0} {y:.0} sleep 0.2{down} {clicks}{up}"));
        want!(self.shown, Event::Selected { squads, .. } => squads)
    }

    /// Runs on at 16 times life.
    fn runs(&mut self) {
        let speed = "key bracketright sleep 0.1 key bracketright sleep 0.1 key bracketright sleep 0.1 key bracketright";
        self.does(speed, is!(Event::Speed { speed } if speed == "16x"));
        self.does("key space", is!(Event::Paused { paused: false }));
    }

    fn closes(self) {
        self.screen.xdotool("key Escape sleep 0.2 key ctrl+q");
        self.shown.ends_well();
    }
}

#[test]
fn squads_are_selected_by_banner_card_kind_and_group() {
    let Some(mut table) = Table::open() else { return };
    assert_eq!(table.picks("banner-1", "", "click 1"), [1].map(SquadId));
    assert_eq!(table.picks("banner-2", "shift", "click 1"), [1, 2].map(SquadId));
    table.does("key ctrl+3", is!(Event::Grouped { number: 3, squads } if *squads == [1, 2].map(SquadId)));
    // A double click takes all of that kind and army.
    table.picks("banner-0", "", "click 1");
    table.screen.xdotool("sleep 0.6 click 1 sleep 0.05 click 1");
    table.shown.want(is!(Event::Selected { squads, .. } if *squads == [0, 1].map(SquadId)));
    table.does("key ctrl+a", is!(Event::Selected { squads, .. } if *squads == [0, 1, 2].map(SquadId)));
    table.does("key Escape", is!(Event::Selected { squads, .. } if squads.is_empty()));
    table.does("key 3", is!(Event::Selected { squads, .. } if *squads == [1, 2].map(SquadId)));
    let looks = table.does("sleep 0.6 key 3 sleep 0.05 key 3", is!(Event::LooksAt { .. }));
    let Event::LooksAt { point: [x, y] } = looks else { unreachable!() };
    assert!(near(x, 20.0, 1.0) && near(y, 40.0, 1.0), "{x},{y}");
    table.does("key f", is!(Event::Fit { .. }));
    table.does("key j", is!(Event::Cards { shown: true }));
    assert_eq!(table.picks("card-0", "", "click 1"), [0].map(SquadId));
    assert_eq!(table.picks("card-3", "ctrl", "click 1"), [0, 3].map(SquadId));
    assert_eq!(table.picks("card-0", "ctrl", "click 1"), [3].map(SquadId));
    table.does("key shift+3", is!(Event::Selected { squads, .. } if *squads == [1, 2, 3].map(SquadId)));
    table.does("key 7", is!(Event::Notice { text } if text.contains("group 7 is empty")));
    table.does("key j", is!(Event::Cards { shown: false }));
    table.closes();
}

#[test]
fn a_right_drag_draws_the_line_on_which_squads_stand() {
    let Some(mut table) = Table::open() else { return };
    assert_eq!(table.picks("banner-0", "", "click 1"), [0].map(SquadId));
    // From the left flank to the right one: they look to the right, away from where they come from.
    let ([x, y], [u, v]) = (table.pixel([40.0, 12.0]), table.pixel([40.0, 22.0]));
    let drag =
        format!("mousemove {x:.0} {y:.0} sleep 0.2 mousedown 3 sleep 0.2 mousemove {u:.0} {v:.0} sleep 0.3 mouseup 3");
    let told = table.does(&drag, is!(Event::Ordered { .. }));
    let Event::Ordered { order, point: [x, y], queued: false, facing: Some(facing) } = told else { panic!("{told:?}") };
    assert!(order == "line" && near(x, 40.0, 0.3) && near(y, 17.0, 0.3) && near(facing, 0.0, 2.0), "{facing}");
    table.shown.want(is!(Event::Done { name } if name == "order"));
    // Esc drops a line that is being drawn, and the selection stays.
    table.screen.xdotool("mousedown 3 sleep 0.1 mousemove 700 300 sleep 0.1 key Escape sleep 0.1 mouseup 3");
    table.runs();
    table.shown.want(is!(Event::Frames { moment: 700.., .. }));
    table.does("key space", is!(Event::Paused { paused: true }));
    table.does("key Escape", is!(Event::Selected { squads, .. } if squads.is_empty()));
    table.shown.settle();
    // A soldier stands on each flank.
    for flank in [[40.0, 12.0], [40.0, 22.0]] {
        table.screen.press(table.pixel(flank));
        let squads = want!(table.shown, Event::Selected { agent: Some(_), squads } => squads);
        assert_eq!(squads, [SquadId(0)], "at {flank:?}");
        table.does("sleep 0.5 key Escape", is!(Event::Selected { agent: None, .. }));
    }
    table.closes();
}

#[test]
fn way_points_are_visited_one_after_another() {
    let Some(mut table) = Table::open() else { return };
    assert_eq!(table.picks("banner-1", "", "click 1"), [1].map(SquadId));
    let points = [[36.0, 32.0], [36.0, 54.0], [60.0, 54.0]];
    for (number, point) in points.into_iter().enumerate() {
        let [x, y] = table.pixel(point);
        let held = ["", "keydown shift sleep 0.1 "][usize::from(number > 0)];
        let freed = [" sleep 0.1", " sleep 0.1 keyup shift"][usize::from(number > 0)];
        let click = format!("mousemove {x:.0} {y:.0} sleep 0.2 {held}click 3{freed}");
        let told = table.does(&click, is!(Event::Ordered { .. }));
        assert!(matches!(told, Event::Ordered { queued, .. } if queued == (number > 0)), "{told:?}");
    }
    // The last one is undone, and given again.
    table.does("key ctrl+z", is!(Event::Undone { .. }));
    table.does("key ctrl+y", is!(Event::Redone { .. }));
    table.runs();
    for point in points {
        let [x, y] = table.pixel(point);
        let is_there = |event: &Event| {
            let Event::Place { name, middle: [u, v], size: [_, height] } = event else { return false };
            // The banner is above the middle of its squad.
            let foot = *v as f32 + *height as f32;
            name == "banner-1" && near(*u as f32, x, 30.0) && near(foot, y, 30.0)
        };
        table.shown.want(is_there);
    }
    table.does("key space", is!(Event::Paused { paused: true }));
    table.closes();
}
