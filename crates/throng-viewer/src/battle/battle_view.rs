//! A battle in a window: the newest state of the simulation, slid along between two ticks.

use super::chronicle::{Chronicle, SharedChronicle};
use super::command::Command;
use super::groups::ControlGroups;
use super::keys;
use super::measuring::NumberedArea;
use super::mini_map::MiniMap;
use super::panels::Panels;
use super::simulation::{BattleState, BattleWorker};
use super::squad_table::SquadTable;
use super::tick_history::TickHistory;
use super::tools::{self, Tools};
use crate::draw::banners::BannerBoard;
use crate::draw::fallen::Fallen;
use crate::draw::heat::HeatMap;
use crate::draw::layers::{DrawnCrowd, Layers};
use crate::draw::motion::Motion;
use crate::draw::oblique::{Oblique, Past};
use crate::film::battle_film::BattleFilm;
use crate::film::filming::Filming;
use crate::shell::camera::Camera;
use crate::shell::event::{ContentInfo, Event, Tool};
use crate::shell::speed::Speed;
use crate::shell::{Content, Shell};
use crate::{Scene, Shown, Theme, ViewError};
use ggez::winit::event::{ElementState, KeyEvent, MouseButton};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng_grid::MapFormat;
use throng_grid::geom::Vec2;
use throng_scenario::Scenario;
use throng_sim::world::Frame;

mod laying_out;
mod measure;
mod menu;
mod mouse;
mod perform;
mod planners;
mod rate;
mod selecting;
mod time;
mod watch;

use mouse::{Presses, scene};
use rate::Rate;
use watch::Watch;

#[allow(clippy::struct_excessive_bools)] // they are independent of one another
pub(crate) struct BattleView {
    layers: Layers,
    camera: Camera,
    worker: BattleWorker,
    /// It can be changed; a recording cannot.
    live: bool,
    /// What has happened, as its thread writes it, and as it is shown.
    chronicle: SharedChronicle,
    shown_chronicle: Arc<Chronicle>,
    motion: Motion,
    fallen: Fallen,
    past: Past,
    theme: Theme,
    history: TickHistory,
    panels: Panels,
    tools: Tools,
    board: BannerBoard,
    table: SquadTable,
    groups: ControlGroups,
    presses: Presses,
    heat_map: HeatMap,
    mini_map: MiniMap,
    filming: Filming,
    /// The film of the whole battle that is being made.
    battle_film: Option<BattleFilm>,
    watch: Watch,
    title: String,
    scenario: Option<Box<Scenario>>,
    step: f32,
    speed: Speed,
    paused: bool,
    /// The menu is open, and time stands still.
    in_menu: bool,
    failure: Option<String>,
    /// Why the landscape could not be painted, where it could not: then the battle is shown as a plan.
    unpainted: Option<String>,
    result_told: bool,
    /// The last result that came, and its tick: it opens by itself once.
    shown_result: Option<(u64, String)>,
    /// The first state has come.
    arrived: bool,
    rate: Rate,
    last: Instant,
    /// The tick that the time line requested last.
    requested_tick: Option<u64>,
    /// The user has asked for planners on this map.
    wants_planners: bool,
    /// The areas that are being measured.
    areas: Vec<NumberedArea>,
    /// The first edit that is not on the screen yet: when it was made, after how many frames, and to which revision of the map.
    edited: Option<(Instant, u64, u32)>,
}

impl BattleView {
    pub fn new(shell: &mut Shell, scene: Scene) -> Result<Self, ViewError> {
        let layers = Layers::new(&shell.graphics.gfx, &scene.grid);
        let mut camera = Camera::new(scene.grid.lattice().size(), shell.size(), 0.0);
        let theme = if Oblique::fits(&scene.grid) { shell.theme() } else { Theme::Plan };
        camera.set_slant(theme.slant());
        let speed = shell.settings.speed;
        let (live, chronicle) = (scene.simulation.is_live(), SharedChronicle::default());
        let worker = BattleWorker::simulate(scene.simulation, speed.interval(scene.step), chronicle.clone())?;
        // In the menu time stands still, and so it does until all are in place.
        let paused = scene.deploys;
        worker.set_paused(paused || shell.is_in_menu());
        shell.title.clone_from(&scene.title);
        let now = Instant::now();
        let format = scene.scenario.as_ref().map_or(MapFormat::Ascii, |scenario| scenario.map_format());
        Ok(Self {
            layers,
            camera,
            worker,
            live,
            shown_chronicle: chronicle.read(),
            chronicle,
            motion: Motion::default(),
            fallen: Fallen::default(),
            past: Past::default(),
            theme,
            history: TickHistory::default(),
            panels: Panels::default(),
            tools: Tools {
                format,
                tool: if scene.deploys { Tool::SpawnSquad } else { Tool::Select },
                ..Tools::default()
            },
            board: BannerBoard::default(),
            table: SquadTable::default(),
            groups: ControlGroups::default(),
            presses: Presses::default(),
            heat_map: HeatMap::default(),
            mini_map: MiniMap::default(),
            filming: Filming::default(),
            battle_film: None,
            watch: Watch::default(),
            title: scene.title,
            scenario: scene.scenario,
            step: scene.step,
            speed,
            paused,
            in_menu: shell.is_in_menu(),
            failure: None,
            unpainted: None,
            result_told: false,
            shown_result: None,
            arrived: false,
            rate: Rate::new(now),
            last: now,
            requested_tick: None,
            wants_planners: false,
            areas: Vec::new(),
            edited: None,
        })
    }

    /// True where time does not go on by itself.
    fn is_stopped(&self) -> bool {
        self.paused || self.in_menu || self.failure.is_some() || self.worker.states.front().over
    }

    fn newest(&self) -> &Frame {
        &self.worker.states.front().frame
    }

    /// Uses the present tool at the pointer.
    fn use_tool(
        &mut self,
        shell: &mut Shell,
        does: impl FnOnce(&mut Tools, &tools::ToolContext<'_>, Vec2) -> Option<Command>,
    ) {
        let point = self.camera.to_world(shell.pointer.at);
        let before = (self.tools.agent, self.tools.squads.clone());
        let scene = scene(&self.worker, &self.camera, shell.scale());
        if let Some(command) = does(&mut self.tools, &scene, point) {
            let revision = scene.frame.grid.as_ref().map(|grid| grid.revision());
            if let (Command::EditMap { .. }, Some(revision)) = (&command, revision) {
                // An edit that was refused, or waits for an agent to leave, is not waited for.
                let waits = self.edited.is_some_and(|(begun, ..)| begun.elapsed() < Duration::from_secs(1));
                if !waits {
                    self.edited = Some((Instant::now(), shell.frames, revision));
                }
            }
            self.worker.execute(command);
        }
        self.measure_areas(shell);
        if before.0 != self.tools.agent || before.1 != self.tools.squads {
            let Tools { agent, ref squads, .. } = self.tools;
            shell.tell(&Event::Selected { agent, squads: squads.iter().copied().collect() });
        }
    }

    /// Ends the drag: the release of the button will not arrive.
    pub fn drop_tool(&mut self) {
        self.tools.held = None;
        self.presses.drop_line();
    }

    /// The last state that was shown.
    pub fn end(mut self, frames: u64) -> Shown {
        self.filming.end();
        self.filming.news(true);
        if let Some(film) = self.battle_film.take() {
            film.cancel();
            film.end();
        }
        Shown { frames, last: self.newest().clone(), failure: self.failure.or(self.unpainted) }
    }

    /// Shows a plan where the painter of the landscape has failed, and says so.
    fn follow_painter(&mut self, shell: &mut Shell) {
        let Some(found) = self.layers.failure().filter(|_| self.unpainted.is_none()) else { return };
        let reason = format!("the landscape could not be painted: {found}");
        shell.say(&Event::Failed { reason: reason.clone() });
        self.unpainted = Some(reason);
        if self.theme != Theme::Plan {
            self.set_theme(shell, Theme::Plan);
        }
    }

    fn set_theme(&mut self, shell: &mut Shell, theme: Theme) {
        self.theme = theme;
        self.camera.set_slant(theme.slant());
        shell.tell(&Event::Theme { theme });
    }
}

impl Content for BattleView {
    fn camera(&mut self) -> &mut Camera {
        &mut self.camera
    }

    fn fit(&mut self, shell: &mut Shell) {
        self.take_camera(shell);
        self.fit_next();
        shell.tell_fit(&self.camera);
    }

    fn pan(&mut self, shell: &mut Shell, by: Vec2) {
        self.take_camera(shell);
        self.camera.pan(by);
        shell.tell(&Event::Pan { centre: self.camera.centre.to_array() });
    }

    fn zoom(&mut self, shell: &mut Shell, at: Vec2, factor: f32) {
        let under = self.camera.to_world(at);
        self.camera.zoom_toward(at, factor);
        shell.tell(&Event::Zoom { zoom: self.camera.goal(), under: Some(under.to_array()) });
    }

    fn key(&mut self, shell: &mut Shell, event: &KeyEvent) {
        if let Some(action) = keys::action(event, shell.modifiers.state()) {
            self.perform(shell, action);
        }
    }

    fn button(&mut self, shell: &mut Shell, button: MouseButton, state: ElementState) {
        match (button, state) {
            (MouseButton::Left, _) => {
                if state == ElementState::Released {
                    // The time line was let go: what it could not show may be requested again.
                    self.requested_tick = None;
                }
                self.left_button(shell, state);
            }
            (MouseButton::Right, _) => self.right_button(shell, state),
            _ => {}
        }
    }

    fn takes_right_button(&self) -> bool {
        self.commands()
    }

    fn moved(&mut self, shell: &mut Shell) {
        if self.tools.held.is_some() {
            self.use_tool(shell, Tools::drag);
        }
    }

    fn lets_go(&mut self, shell: &mut Shell) -> bool {
        if self.presses.draws_line() {
            self.presses.drop_line();
            return true;
        }
        if self.panels.outcome.open {
            self.show_outcome(shell, false);
            return true;
        }
        let holds = self.tools.agent.is_some() || !self.tools.squads.is_empty() || self.tools.held.is_some();
        self.tools.squads.clear();
        (self.tools.agent, self.tools.held) = (None, None);
        self.watch.follows = false;
        if holds {
            shell.tell(&Event::Selected { agent: None, squads: Vec::new() });
        }
        holds
    }

    fn dropped(&mut self, shell: &mut Shell, path: &Path) {
        shell.open(path);
    }

    fn follow(&mut self, shell: &mut Shell) {
        self.change_scene(shell);
        self.follow_menu(shell);
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f32();
        self.motion.advance(seconds);
        self.camera.advance(seconds);
        self.last = now;
        // Taken before the state: the state then shows what they report, and it can be saved.
        let news: Vec<Event> = self.worker.news().collect();
        if self.worker.states.is_fresh() {
            self.motion.leave(&self.worker.states.front().frame);
            let is_first = !std::mem::replace(&mut self.arrived, self.worker.states.take());
            if is_first {
                self.begin_watch();
            }
            let BattleState { frame, jumped, target, .. } = self.worker.states.front();
            // While time runs the panels follow a little later; who looks at a moment sees that one.
            shell.touched |= is_first || *jumped || self.is_stopped();
            self.watch.see(frame);
            self.motion.enter(frame, self.speed.interval(self.step).as_secs_f32());
            if *jumped {
                self.past.clear();
                self.fallen.clear();
                self.history.clear();
            } else {
                // It has gone on: the same moment may be requested again.
                self.requested_tick = None;
            }
            self.history.add(frame);
            self.past.show(frame);
            self.filming.show(frame);
            // The times of earlier deaths are unknown.
            self.fallen.add(&frame.fallen, if *jumped { f64::NEG_INFINITY } else { frame.time });
            if target.is_none() && (self.paused || *jumped) {
                shell.tell(&Event::Tick { tick: frame.tick });
            }
        }
        self.keep_in_view(seconds);
        let films = self.filming.news(false).into_iter().chain(self.battle_film_news());
        for news in news.into_iter().chain(films).collect::<Vec<_>>() {
            shell.say(&news);
        }
        let chronicle = self.chronicle.read();
        if !Arc::ptr_eq(&chronicle, &self.shown_chronicle) {
            self.shown_chronicle = chronicle;
            shell.touched |= self.is_stopped();
        }
        self.rate.count(now, self.newest().tick);
        if self.failure.is_none() {
            self.failure = self.worker.failure();
            if let Some(failure) = &self.failure {
                shell.touched = true;
                shell.tell(&Event::Failed { reason: failure.clone() });
            }
        }
        if let Some(reason) = self.tools.refusal.take() {
            shell.say(&Event::Refused { reason });
        }
        self.follow_painter(shell);
        self.tell_result(shell);
    }

    fn is_still(&self) -> bool {
        let rests = self.motion.is_done() && !self.camera.is_moving() && self.watch.rests();
        self.is_stopped() && rests && self.worker.states.front().target.is_none() && self.layers.is_complete(self.theme)
    }

    fn draw(&mut self, shell: &mut Shell) -> ggez::GameResult {
        self.lay_out(shell);
        let free = shell.ui.free();
        let BattleState { frame, reply, .. } = self.worker.states.front();
        let shown = self.panels.shown;
        let cells = if shown.cells { reply.cells.as_slice() } else { &[] };
        let clusters = reply.clusters.as_ref().filter(|_| shown.clusters);
        let Self { motion, fallen, past, step, .. } = self;
        let crowd = DrawnCrowd {
            frame,
            motion,
            fallen,
            past,
            selected: &self.tools.squads,
            banners: &self.board.placed,
            cells,
            clusters,
            bars: shown.bars,
            step: *step,
            theme: self.theme,
        };
        self.layers.draw((&mut shell.graphics, &mut shell.ui), &self.camera, &crowd, free)?;
        let revision = frame.grid.as_ref().map(|grid| grid.revision());
        if let Some((begun, frames, _)) = self.edited.take_if(|(.., before)| revision != Some(*before)) {
            let millis = begun.elapsed().as_secs_f64() * 1e3;
            shell.tell(&Event::EditShown { frames: shell.frames + 1 - frames, millis });
        }
        Ok(())
    }

    fn greeting(&mut self) -> Option<ContentInfo> {
        self.arrived.then(|| ContentInfo::Battle { agents: self.newest().id.len() })
    }

    fn ticks_per_second(&self) -> f32 {
        self.rate.ticks_per_second
    }

    fn moment(&self) -> u64 {
        self.newest().tick
    }
}
