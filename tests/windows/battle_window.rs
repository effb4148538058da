//! Actions on a battle in its window: select, order, paint, bring squads, undo, save, film, look, open other files.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, like, near, pixels, throng, want};
use std::path::{Path, PathBuf};
use throng::grid::MapFormat;
use throng::scenario::Scenario;
use throng::viewer::{Event, Mark, Tab, Tool};
use throng::world::SquadId;

/// A folder with a map of 96 x 64 m and two squads on it that stand.
fn camp() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let map = "type octile\nheight 64\nwidth 96\nmap\n".to_owned() + &(".".repeat(96) + "\n").repeat(64);
    std::fs::write(folder.path().join("camp.map"), map).unwrap();
    let scenario = r#"
name = "camp"
map = "camp.map" # a field
max_ticks = 1000000

[[army]]
name = "red"
[[army.squad]]
count = 16
position = [20, 32]
columns = 4

[[army]]
name = "blue"
[[army.squad]]
count = 16
position = [76, 32]
columns = 4
facing = 180
"#;
    let file = folder.path().join("camp.toml");
    std::fs::write(&file, scenario).unwrap();
    (folder, file)
}

/// How many pixels of two pictures differ, above the time line.
fn differ(one: &[[u8; 4]], other: &[[u8; 4]]) -> usize {
    let far = |(a, b): &(&[u8; 4], &[u8; 4])| (0..3).any(|part| a[part].abs_diff(b[part]) > 20);
    one.iter().zip(other).take(1280 * 684).filter(far).count()
}

/// The window with the camp, stopped.
struct Desk {
    screen: Screen,
    shown: Shown,
    zoom: f32,
}

impl Desk {
    fn open(folder: &Path, file: &Path, more: &[&str]) -> Option<Self> {
        let screen = Screen::with_mouse()?;
        let mut command = throng(Some(&screen.name), folder);
        command.arg("view").arg(file).arg("--print-events").args(more);
        let mut shown = Shown::start(command);
        let (_, zoom, _) = shown.ready();
        screen.focus();
        let mut desk = Self { screen, shown, zoom };
        desk.does("key space", is!(Event::Paused { paused: true }));
        desk.shown.settle();
        Some(desk)
    }

    /// Acts, and waits for what the window tells then.
    fn does(&mut self, action: &str, tells: impl Fn(&Event) -> bool) -> Event {
        self.screen.xdotool(action);
        self.shown.want(tells)
    }

    /// The pixel over a point of the map (m): that fits beside the panels.
    fn pixel(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        [(x - 48.0) * self.zoom + 640.0 + 132.0, (y - 32.0) * self.zoom + 360.0 - 17.0]
    }

    fn click(&mut self, at: [f32; 2], tells: impl Fn(&Event) -> bool) -> Event {
        self.screen.press(self.pixel(at));
        self.shown.want(tells)
    }

    fn right_click(&mut self, at: [f32; 2], tells: impl Fn(&Event) -> bool) -> Event {
        let [x, y] = self.pixel(at);
        self.does(&format!("mousemove {x:.0} {y:.0} sleep 0.15 click 3"), tells)
    }

    fn drag(&mut self, from: [f32; 2], to: [f32; 2], tells: impl Fn(&Event) -> bool) -> Event {
        let ([x, y], [u, v]) = (self.pixel(from), self.pixel(to));
        self.does(
            &format!(
                "mousemove {x:.0} {y:.0} sleep 0.15 mousedown 1 sleep 0.15 mousemove {u:.0} {v:.0} sleep 0.15 mouseup 1"
            ),
            tells,
        )
    }

    /// Presses a button of the panels.
    fn press(&mut self, name: &str, tells: impl Fn(&Event) -> bool) -> Event {
        self.shown.press(&self.screen, name);
        self.shown.want(tells)
    }

    /// Presses one that changes nothing but the panels.
    fn touch(&mut self, name: &str) {
        self.shown.press(&self.screen, name);
        self.shown.settle();
    }

    /// A picture of the window: the map without panels, the small map and the notices of pictures.
    fn picture(&mut self, folder: &Path) -> Vec<[u8; 4]> {
        self.shown.settle();
        let pixels = pixels(&folder.join(self.writes_picture()));
        (20..560).flat_map(|y| pixels[y * 1280 + 270..y * 1280 + 1080].to_vec()).collect()
    }

    /// Writes a picture of the window; its file.
    fn writes_picture(&mut self) -> PathBuf {
        self.screen.xdotool("key F12");
        want!(self.shown, Event::Picture { path } => path)
    }

    /// Saves the map and the scenario; the files.
    fn saves(&mut self) -> Vec<PathBuf> {
        self.screen.xdotool("key ctrl+s");
        want!(self.shown, Event::Saved { files, .. } => files)
    }

    /// Begins a film; its file.
    fn films(&mut self) -> PathBuf {
        self.screen.xdotool("key F9");
        want!(self.shown, Event::Filming { path } => path)
    }

    fn closes(self) {
        self.screen.xdotool("key Escape sleep 0.2 key ctrl+q");
        self.shown.ends_well();
    }
}

#[test]
fn squads_are_selected_and_ordered() {
    let (folder, file) = camp();
    let Some(mut desk) = Desk::open(folder.path(), &file, &[]) else { return };
    desk.drag([14.0, 26.0], [26.0, 38.0], is!(Event::Selected { squads, .. } if *squads == [0].map(SquadId)));
    let told = desk.right_click([20.0, 50.0], is!(Event::Ordered { .. }));
    let Event::Ordered { order, point: [x, y], .. } = told else { unreachable!() };
    assert!(order == "go_to" && near(x, 20.0, 0.1) && near(y, 50.0, 0.1), "{order} {x},{y}");
    desk.shown.want(is!(Event::Done { name } if name == "order"));
    // On an enemy it is an attack.
    desk.right_click([74.5, 30.5], is!(Event::Ordered { order, .. } if order == "attack"));
    desk.shown.want(is!(Event::Done { name } if name == "order"));
    desk.press("order-flee", is!(Event::Done { name } if name == "order"));
    desk.press("form-none", is!(Event::Done { name } if name == "formation"));
    desk.does("key ctrl+z", is!(Event::Undone { name } if name == "formation"));
    desk.does("key ctrl+z", is!(Event::Undone { name } if name == "order"));
    desk.does("key ctrl+z", is!(Event::Undone { name } if name == "order"));
    desk.does("key ctrl+z", is!(Event::Undone { name } if name == "order"));
    desk.does("key ctrl+z", is!(Event::NothingToUndo));
    desk.does("key ctrl+shift+z", is!(Event::Redone { name } if name == "order"));
    desk.does("key ctrl+y", is!(Event::Redone { name } if name == "order"));
    desk.does("key ctrl+z", is!(Event::Undone { name } if name == "order"));
    desk.does("key ctrl+z", is!(Event::Undone { name } if name == "order"));
    // It goes where it was sent to.
    desk.right_click([20.0, 50.0], is!(Event::Done { name } if name == "order"));
    desk.does("key t", is!(Event::Follows { follows: true }));
    let speed = "key bracketright sleep 0.1 key bracketright sleep 0.1 key bracketright sleep 0.1 key bracketright";
    desk.does(speed, is!(Event::Speed { speed } if speed == "16x"));
    desk.does("key space", is!(Event::Paused { paused: false }));
    desk.shown.want(is!(Event::Frames { moment: 400.., .. }));
    desk.does("key space", is!(Event::Paused { paused: true }));
    // The followed agents stay in the middle: so the point under that is where they went.
    desk.screen.xdotool("mousemove 772 343 sleep 0.2 click 4");
    let (_, [x, y]) = desk.shown.zoom_under();
    assert!(near(x, 20.0, 3.0) && near(y, 50.0, 3.0), "{x},{y}");
    desk.does("key Escape", is!(Event::Selected { agent: None, .. }));
    desk.closes();
}

#[test]
fn the_map_is_painted_undone_and_saved_with_its_scenario() {
    let (folder, file) = camp();
    let Some(mut desk) = Desk::open(folder.path(), &file, &[]) else { return };
    desk.does("key e", is!(Event::Tool { tool: Tool::Paint }));
    desk.drag([40.5, 10.5], [40.5, 50.5], is!(Event::EditShown { .. }));
    desk.shown.settle();
    desk.touch("stroke-rectangle");
    desk.drag([50.5, 10.5], [60.5, 14.5], is!(Event::Done { name } if name == "edit"));
    desk.does("key ctrl+z", is!(Event::Undone { name } if name == "edit"));
    desk.touch("paint-terrain");
    desk.touch("stroke-fill");
    desk.click([5.5, 5.5], is!(Event::Done { name } if name == "edit"));
    let saved = desk.saves();
    desk.closes();
    let path = &saved[0];
    let (again, _) = Scenario::load(folder.path().join(path)).unwrap();
    let lattice = again.grid.lattice();
    let is_open = |x, y| again.grid.is_open(lattice.cell(x, y));
    assert!((11..50).all(|y| !is_open(40, y)), "{saved:?}");
    assert!(is_open(55, 12) && is_open(39, 30) && is_open(42, 30));
    // The fill ends at the wall only where that goes from edge to edge, and this one does not.
    assert_eq!((again.grid.terrain(lattice.cell(5, 5)), again.grid.terrain(lattice.cell(90, 60))), (1, 1));
    assert_eq!(again.armies.iter().map(|army| army.squads[0].positions.len()).collect::<Vec<_>>(), [16, 16]);
    assert!(std::fs::read_to_string(folder.path().join(path)).unwrap().contains("# a field"));
}

#[test]
fn gates_and_water_are_painted_and_seen() {
    let (folder, file) = camp();
    let Some(mut desk) = Desk::open(folder.path(), &file, &[]) else { return };
    desk.does("key e", is!(Event::Tool { tool: Tool::Paint }));
    desk.touch("stroke-rectangle");
    let bare = desk.picture(folder.path());
    desk.touch("paint-water");
    desk.drag([40.5, 10.5], [47.5, 30.5], is!(Event::Done { name } if name == "edit"));
    let water = desk.picture(folder.path());
    // Below the bar of the armies.
    let blue = |pixels: &[[u8; 4]]| {
        pixels.iter().skip(1280 * 40).filter(|pixel| pixel[2] > pixel[0].saturating_add(10)).count()
    };
    assert!(blue(&bare) < 1000 && blue(&water) > 8000, "{} and {} blue pixels", blue(&bare), blue(&water));
    desk.touch("paint-gate");
    desk.drag([50.5, 10.5], [54.5, 30.5], is!(Event::Done { name } if name == "edit"));
    let gate = desk.picture(folder.path());
    let wood = |pixels: &[[u8; 4]]| like(pixels, [0x6B, 0x43, 0x1E], 12);
    assert!(wood(&water) < 100 && wood(&gate) > 3000, "{} and {} brown pixels", wood(&water), wood(&gate));
    // A wall over half of it cannot be broken; the part that is undone can.
    desk.touch("paint-wall");
    desk.drag([50.5, 10.5], [54.5, 20.5], is!(Event::Done { name } if name == "edit"));
    let half = desk.picture(folder.path());
    assert!(wood(&half) < wood(&gate) * 2 / 3, "{} of {}", wood(&half), wood(&gate));
    desk.does("key ctrl+z", is!(Event::Undone { name } if name == "edit"));
    assert_eq!(differ(&desk.picture(folder.path()), &gate), 0);
    let saved = desk.saves();
    let (again, _) = Scenario::load(folder.path().join(&saved[0])).unwrap();
    let lattice = again.grid.lattice();
    assert!(again.grid.is_water(lattice.cell(44, 20)) && !again.grid.is_open(lattice.cell(52, 20)));
    let [gates] = &again.breakables[..] else { panic!("{:?}", again.breakables) };
    assert!(gates.health == 300.0 && gates.cells.len() > 90 && gates.cells.contains(&lattice.cell(52, 20)));
    desk.shown.settle();
    desk.does("key ctrl+z", is!(Event::Undone { name } if name == "edit"));
    desk.does("key ctrl+z", is!(Event::Undone { name } if name == "edit"));
    assert_eq!(differ(&desk.picture(folder.path()), &bare), 0);
    desk.closes();
}

#[test]
fn clusters_and_doors_are_drawn_where_a_squad_plans_over_them() {
    let (folder, file) = camp();
    let Some(mut desk) = Desk::open(folder.path(), &file, &[]) else { return };
    let bare = desk.picture(folder.path());
    desk.does("key c", is!(Event::Mark { mark: Mark::Clusters, shown: true }));
    // No squad plans over them, and the window says so.
    let said = differ(&desk.picture(folder.path()), &bare);
    assert!(said > 1000, "{said}");
    desk.does("key c", is!(Event::Mark { mark: Mark::Clusters, shown: false }));
    desk.closes();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replacen("count = 16", "count = 16\nplanner = \"hpa\"", 1)).unwrap();
    let Some(mut desk) = Desk::open(folder.path(), &file, &[]) else { return };
    desk.press("page-show", is!(Event::Page { .. }));
    let bare = desk.picture(folder.path());
    desk.does("key c", is!(Event::Mark { mark: Mark::Clusters, shown: true }));
    let shown = desk.picture(folder.path());
    let doors = like(&shown, [178, 82, 144], 40).max(like(&shown, [142, 40, 110], 40));
    assert!(differ(&shown, &bare) > 1000 && doors > 50, "{} pixels, {doors} of doors", differ(&shown, &bare));
    desk.touch("clusters");
    assert_eq!(differ(&desk.picture(folder.path()), &bare), 0);
    desk.closes();
}

#[test]
fn planners_are_a_tab_of_the_battle() {
    let (folder, file) = camp();
    let Some(mut desk) = Desk::open(folder.path(), &file, &[]) else { return };
    // A wall, and an agent that walks around it: both come along.
    desk.does("key e", is!(Event::Tool { tool: Tool::Paint }));
    desk.drag([48.5, 20.5], [48.5, 44.5], is!(Event::Done { name } if name == "edit"));
    desk.does("key q", is!(Event::Tool { tool: Tool::Select }));
    desk.shown.settle();
    desk.click([20.5, 32.5], is!(Event::Selected { agent: Some(_), .. }));
    desk.right_click([70.0, 32.0], is!(Event::Done { name } if name == "order"));
    for _ in 0..3 {
        desk.does("key period", is!(Event::Tick { .. }));
    }
    desk.does("key F2", is!(Event::Tab { tab: Tab::Planners }));
    let lengths: Vec<f64> =
        (0..4).map(|_| want!(desk.shown, Event::PaneResult { found: Some((length, _)), .. } => length)).collect();
    assert!(lengths.iter().all(|&long| long > 51.0 && long < 70.0), "{lengths:?}");
    let ends = want!(desk.shown, Event::Task { trip: Some(trip), .. } => trip.concat());
    let wanted = [20.5, 32.5, 70.0, 32.0];
    assert!(ends.iter().zip(wanted).all(|(&end, wanted)| near(end as f32, wanted, 1.6)), "{ends:?}");
    desk.shown.settle();
    // Keys are those of the planners now.
    desk.does("key r", is!(Event::RandomTrip));
    desk.shown.want(is!(Event::Task { .. }));
    desk.shown.settle();
    desk.press("battle", is!(Event::Tab { tab: Tab::Battle }));
    let before = desk.does("key period", is!(Event::Tick { .. }));
    desk.press("page-show", is!(Event::Page { .. }));
    desk.press("planners", is!(Event::Tab { tab: Tab::Planners }));
    desk.does("key Escape", is!(Event::Tab { tab: Tab::Battle }));
    assert_ne!(desk.does("key period", is!(Event::Tick { .. })), before);
    desk.does("key Escape", is!(Event::Selected { agent: None, .. }));
    desk.closes();
}

#[test]
fn the_wounded_have_bars() {
    let (folder, file) = camp();
    let text = std::fs::read_to_string(&file).unwrap();
    let fight = text
        .replace("position = [76, 32]", "position = [28, 32]")
        .replace("columns = 4", "columns = 4\norder = \"attack\"");
    std::fs::write(&file, fight).unwrap();
    let Some(mut desk) = Desk::open(folder.path(), &file, &[]) else { return };
    // The camera stays with those who are left, wherever they fight.
    desk.drag([10.0, 24.0], [38.0, 40.0], is!(Event::Selected { squads, .. } if *squads == [0, 1].map(SquadId)));
    desk.does("key t", is!(Event::Follows { follows: true }));
    for _ in 0..4 {
        desk.does("key bracketright", is!(Event::Speed { .. }));
    }
    desk.does("key space", is!(Event::Paused { paused: false }));
    desk.shown.want(is!(Event::Outcome { shown: true }));
    desk.does("key Escape", is!(Event::Outcome { shown: false }));
    desk.does("key space", is!(Event::Paused { paused: true }));
    // The middle of what the panels leave free.
    let wheel = "click 4 sleep 0.05 ".repeat(8);
    desk.does(&format!("mousemove 772 343 sleep 0.2 {}", wheel.trim_end()), is!(Event::Zoom { .. }));
    let bars = desk.picture(folder.path());
    desk.does("key b", is!(Event::Mark { mark: Mark::Bars, shown: false }));
    let bare = desk.picture(folder.path());
    let [well, ill] = [[64, 200, 110], [244, 200, 40]]
        .map(|ink| like(&bars, ink, 12) - like(&bare, ink, 12).min(like(&bars, ink, 12)));
    assert!(well + ill > 100, "{well} and {ill} pixels of bars");
    desk.closes();
}

#[test]
fn squads_that_were_brought_are_saved_in_the_chosen_kind_of_map() {
    let (folder, file) = camp();
    let Some(mut desk) = Desk::open(folder.path(), &file, &[]) else { return };
    desk.does("key e", is!(Event::Tool { tool: Tool::Paint }));
    desk.shown.settle();
    desk.touch("stroke-rectangle");
    desk.drag([50.5, 10.5], [60.5, 14.5], is!(Event::Done { name } if name == "edit"));
    desk.does("key u", is!(Event::Tool { tool: Tool::SpawnSquad }));
    desk.drag([30.0, 50.0], [60.0, 50.0], is!(Event::Done { name } if name == "squad"));
    desk.drag([30.0, 60.0], [60.0, 60.0], is!(Event::Done { name } if name == "squad"));
    desk.does("key ctrl+z", is!(Event::Undone { name } if name == "disbanding"));
    desk.shown.settle();
    desk.touch("save-png");
    desk.shown.press(&desk.screen, "save");
    let saved = want!(desk.shown, Event::Saved { files, .. } => files);
    desk.touch("save-map");
    // A swamp is in such a map, another class of terrain is not.
    desk.does("key e", is!(Event::Tool { tool: Tool::Paint }));
    desk.shown.settle();
    desk.touch("paint-terrain");
    desk.drag([70.5, 50.5], [72.5, 52.5], is!(Event::Done { name } if name == "edit"));
    let second = desk.saves();
    desk.closes();
    assert_eq!([&saved[1], &second[1]].map(MapFormat::of), [Some(MapFormat::Png), Some(MapFormat::MovingAi)]);
    let (again, warnings) = Scenario::load(folder.path().join(&saved[0])).unwrap();
    assert_eq!(warnings, []);
    let lattice = again.grid.lattice();
    assert!((51..60).all(|x| !again.grid.is_open(lattice.cell(x, 12))) && again.grid.is_open(lattice.cell(49, 12)));
    let [_, came] = &again.armies[0].squads[..] else { panic!("{:?}", again.armies[0].squads) };
    assert_eq!((came.positions.len(), came.facing), (20, -90.0));
    assert!(near(came.positions[0].x, 30.0, 0.2) && near(came.positions[0].y, 50.0, 0.2), "{:?}", came.positions[0]);
    let (second, _) = Scenario::load(folder.path().join(&second[0])).unwrap();
    assert_eq!(second.grid.terrain(lattice.cell(71, 51)), 1);
    assert_eq!(second.armies, again.armies);
}

#[test]
fn squads_are_brought_and_agents_looked_into() {
    let (folder, file) = camp();
    let picture = folder.path().join("window.png");
    let Some(mut desk) = Desk::open(folder.path(), &file, &[]) else { return };
    desk.does("key u", is!(Event::Tool { tool: Tool::SpawnSquad }));
    desk.drag([30.0, 50.0], [60.0, 50.0], is!(Event::Done { name } if name == "squad"));
    desk.does("key q", is!(Event::Tool { tool: Tool::Select }));
    // Four by four, a metre apart: an agent stands half a metre aside of the middle.
    desk.click([20.5, 32.5], is!(Event::Selected { agent: Some(_), squads } if *squads == [0].map(SquadId)));
    let marks = [Mark::Neighbours, Mark::Velocities, Mark::Radii, Mark::Routes, Mark::Density];
    for (key, wanted) in ["n", "v", "p", "r", "h"].into_iter().zip(marks) {
        let [first, second] = [(); 2].map(|()| {
            desk.screen.xdotool(&format!("key {key}"));
            want!(desk.shown, Event::Mark { mark, shown } => (mark, shown))
        });
        assert!(first.0 == wanted && second == (wanted, !first.1), "{first:?} {second:?}");
    }
    desk.does("key F3", is!(Event::Page { .. }));
    desk.touch("index");
    desk.press("quadtree", is!(Event::Done { name } if name == "index"));
    desk.touch("avoidance");
    desk.press("push", is!(Event::Done { name } if name == "avoidance"));
    desk.does("key period", is!(Event::Tick { .. }));
    let written = desk.writes_picture();
    std::fs::rename(folder.path().join(written), &picture).unwrap();
    desk.closes();
    let pixels = pixels(&picture);
    let (ring, white) = (like(&pixels, [240, 228, 66], 30), like(&pixels, [255, 255, 255], 6));
    // The banner of the squad hides some of them.
    assert!(ring > 120 && white > 30, "{ring} pixels of rings, {white} of white");
}

#[test]
fn the_cells_of_the_index_are_drawn_and_follow_it() {
    let (folder, file) = camp();
    let Some(mut desk) = Desk::open(folder.path(), &file, &[]) else { return };
    desk.does("key period", is!(Event::Tick { .. }));
    desk.does("key F3", is!(Event::Page { .. }));
    desk.shown.settle();
    let picture = |desk: &mut Desk| desk.picture(folder.path());
    let bare = picture(&mut desk);
    desk.does("key g", is!(Event::Mark { mark: Mark::Cells, shown: true }));
    let grid = picture(&mut desk);
    assert!(differ(&grid, &bare) > 200, "{} pixels of cells", differ(&grid, &bare));
    // Another index has other cells, also while nothing moves.
    desk.touch("index");
    desk.press("quadtree", is!(Event::Done { name } if name == "index"));
    let tree = picture(&mut desk);
    assert!(differ(&tree, &bare) > 100 && differ(&tree, &grid) > 100, "{}", differ(&tree, &grid));
    desk.touch("index");
    desk.press("brute-force", is!(Event::Done { name } if name == "index"));
    assert_eq!(differ(&picture(&mut desk), &bare), 0, "brute force has none");
    desk.does("key g", is!(Event::Mark { mark: Mark::Cells, shown: false }));
    desk.press("page-show", is!(Event::Page { .. }));
    desk.touch("cells");
    desk.does("key g", is!(Event::Mark { mark: Mark::Cells, shown: false }));
    desk.closes();
}

#[test]
fn films_full_screen_mini_map_and_panels() {
    let (folder, file) = camp();
    let Some(mut desk) = Desk::open(folder.path(), &file, &[]) else { return };
    let name = desk.films();
    desk.does("key space", is!(Event::Paused { paused: false }));
    desk.shown.settle();
    desk.shown.settle();
    desk.does("key F9", is!(Event::Film { .. }));
    let film = std::fs::read(folder.path().join(name)).unwrap();
    assert!(film.starts_with(b"GIF89a") && film.ends_with(b";"), "{} bytes", film.len());
    desk.does("key F11", is!(Event::FullScreen { on: true }));
    desk.does("key F11", is!(Event::FullScreen { on: false }));
    desk.shown.settle();
    let map = desk.shown.place("mini-map");
    desk.screen.press([map[0] + 80.0, map[1]]);
    let [x, y] = want!(desk.shown, Event::LooksAt { point } => point);
    assert!(near(x, 48.0 + 80.0 / 180.0 * 96.0, 1.0) && near(y, 32.0, 1.0), "{x},{y}");
    desk.does("key Tab", is!(Event::Panel { shown: false }));
    desk.does("key Tab", is!(Event::Panel { shown: true }));
    desk.does("key d", is!(Event::Pan { .. }));
    // One that is being filmed when the window is closed is whole as well.
    let name = desk.films();
    desk.does("key period", is!(Event::Step { back: false }));
    desk.closes();
    assert!(std::fs::read(folder.path().join(name)).unwrap().ends_with(b";"));
}

#[test]
fn files_of_before_are_opened_and_bad_ones_leave_the_old_one_running() {
    let (folder, file) = camp();
    let other = folder.path().join("other.toml");
    std::fs::write(&other, std::fs::read_to_string(&file).unwrap().replace("\"camp\"", "\"other\"")).unwrap();
    let Some(desk) = Desk::open(folder.path(), &other, &[]) else { return };
    desk.closes();
    let Some(mut desk) = Desk::open(folder.path(), &file, &[]) else { return };
    desk.does("key Escape", is!(Event::Menu { open: true }));
    desk.shown.settle();
    desk.touch("menu-open");
    desk.shown.settle();
    desk.press("recent-2", is!(Event::Opened { title } if title == "other"));
    desk.shown.settle();
    // Now it is the first, and the camp the second; that has become a bad file.
    std::fs::write(&file, std::fs::read_to_string(&other).unwrap().replace("camp.map", "nowhere.map")).unwrap();
    desk.does("key Escape", is!(Event::Menu { open: true }));
    desk.shown.settle();
    desk.touch("menu-open");
    desk.shown.settle();
    desk.shown.press(&desk.screen, "recent-2");
    let told = want!(desk.shown, Event::NotOpened { reason } => reason);
    assert!(told.contains("nowhere.map") && told.contains("camp.toml:3:7"), "{told}");
    desk.shown.settle();
    desk.touch("dismiss");
    desk.does("key Escape", is!(Event::Menu { open: false }));
    desk.does("key space", is!(Event::Paused { paused: true }));
    let before = desk.does("key period", is!(Event::Tick { .. }));
    assert_ne!(desk.does("key period", is!(Event::Tick { .. })), before);
    desk.closes();
}

#[test]
fn on_a_fine_screen_all_is_twice_as_large() {
    let (folder, file) = camp();
    let Some(screen) = Screen::with_mouse() else { return };
    let mut command = throng(Some(&screen.name), folder.path());
    command.env("WINIT_X11_SCALE_FACTOR", "2").args(["view", "camp.toml", "--print-events"]);
    assert!(file.ends_with("camp.toml"));
    let mut shown = Shown::start(command);
    let (size, zoom, _) = shown.ready();
    assert_eq!(size, [2560, 1440]);
    screen.focus();
    let mut desk = Desk { screen, shown, zoom };
    desk.does("key space", is!(Event::Paused { paused: true }));
    desk.does("key e", is!(Event::Tool { tool: Tool::Paint }));
    desk.touch("stroke-rectangle");
    // The map fits beside a panel that is twice as wide.
    let at = |x: f32, y: f32| [(x - 48.0) * zoom + 1280.0 + 264.0, (y - 32.0) * zoom + 720.0 - 34.0];
    let ([x, y], [u, v]) = (at(4.5, 4.5), at(9.5, 6.5));
    assert!(x > 528.0 && u < 1280.0 && y > 0.0 && v < 720.0, "{x},{y} to {u},{v} are on the screen");
    desk.does(
        &format!("mousemove {x:.0} {y:.0} sleep 0.3 mousedown 1 sleep 0.3 mousemove {u:.0} {v:.0} sleep 0.3 mouseup 1"),
        is!(Event::Done { name } if name == "edit"),
    );
    let picture = desk.writes_picture();
    let saved = desk.saves();
    desk.closes();
    let (again, _) = Scenario::load(folder.path().join(&saved[0])).unwrap();
    let lattice = again.grid.lattice();
    let closed: Vec<_> =
        lattice.cells().filter(|&cell| !again.grid.is_open(cell)).map(|cell| lattice.column_row(cell)).collect();
    assert_eq!((closed.len(), closed.first(), closed.last()), (18, Some(&(4, 4)), Some(&(9, 6))));
    let picture = std::fs::read(folder.path().join(picture)).unwrap();
    assert_eq!(picture[16..24], [0, 0, 10, 0, 0, 0, 5, 160], "2560 x 1440");
}
