//! A battle and, a key away, planners side by side on its map.

use super::camera::Camera;
use super::event::{ContentInfo, Event, Tab};
use crate::battle::BattleView;
use crate::lab::compare::ComparisonView;
use crate::shell::{Content, Shell};
use ggez::GameResult;
use ggez::winit::event::{ElementState, KeyEvent, MouseButton};
use ggez::winit::keyboard::{Key, NamedKey};
use std::path::Path;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid};
use throng_plan::PlannerChoice;

/// Both; one of them is shown. The battle goes on behind the planners.
pub(super) struct Tabs {
    battle: BattleView,
    planners: Option<Planners>,
    compares: bool,
}

/// Planners, and what they were opened for.
struct Planners {
    comparison_view: ComparisonView,
    grid: Arc<Grid>,
    trip: Option<(Cell, Cell)>,
    /// The walker of the trip: the radius (m), and the planner of the squad.
    walker: (f32, Option<PlannerChoice>),
}

impl Tabs {
    pub fn new(battle: BattleView) -> Self {
        Self { battle, planners: None, compares: false }
    }

    /// The battle, when the window is closed.
    pub fn into_battle(self) -> BattleView {
        self.battle
    }

    fn shown(&mut self) -> &mut dyn Content {
        match &mut self.planners {
            Some(planners) if self.compares => &mut planners.comparison_view,
            _ => &mut self.battle,
        }
    }

    /// Shows the planners on the map as it is now, where they are not open for that already; else the battle.
    fn turn(&mut self, shell: &mut Shell) {
        shell.touched = true;
        self.battle.drop_tool();
        if let Some(planners) = &mut self.planners {
            planners.comparison_view.drop_tool();
        }
        if self.compares {
            self.compares = false;
            shell.tell(&Event::Tab { tab: Tab::Battle });
            return;
        }
        match self.open(shell) {
            Ok(()) => {
                self.compares = true;
                shell.tell(&Event::Tab { tab: Tab::Planners });
            }
            Err(error) => shell.say(&Event::notice(error)),
        }
    }

    fn open(&mut self, shell: &Shell) -> Result<(), String> {
        let Some(grid) = self.battle.grid() else { return Err("there is no map yet".to_owned()) };
        let (trip, walker) = (self.battle.trip(), self.battle.walker());
        let is_same = |open: &Planners| Arc::ptr_eq(&open.grid, &grid) && open.trip == trip && open.walker == walker;
        if self.planners.as_ref().is_some_and(is_same) {
            return Ok(());
        }
        let comparison = self.battle.comparison(&grid, trip, walker.clone())?;
        let comparison_view = ComparisonView::new(shell, comparison).map_err(|error| error.to_string())?.in_tab();
        self.planners = Some(Planners { comparison_view, grid, trip, walker });
        Ok(())
    }
}

impl Content for Tabs {
    fn camera(&mut self) -> &mut Camera {
        self.shown().camera()
    }

    fn corner(&self, pixel: Vec2) -> Vec2 {
        match &self.planners {
            Some(planners) if self.compares => planners.comparison_view.corner(pixel),
            _ => self.battle.corner(pixel),
        }
    }

    fn resized(&mut self, size: Vec2) {
        self.battle.resized(size);
        if let Some(planners) = &mut self.planners {
            planners.comparison_view.resized(size);
        }
    }

    fn fit(&mut self, shell: &mut Shell) {
        self.shown().fit(shell);
    }

    fn pan(&mut self, shell: &mut Shell, by: Vec2) {
        self.shown().pan(shell, by);
    }

    fn zoom(&mut self, shell: &mut Shell, at: Vec2, factor: f32) {
        self.shown().zoom(shell, at, factor);
    }

    fn key(&mut self, shell: &mut Shell, event: &KeyEvent) {
        if event.logical_key != Key::Named(NamedKey::F2) {
            self.shown().key(shell, event);
        } else if event.state == ElementState::Pressed && !event.repeat {
            self.turn(shell);
        }
    }

    fn button(&mut self, shell: &mut Shell, button: MouseButton, state: ElementState) {
        self.shown().button(shell, button, state);
    }

    fn takes_right_button(&self) -> bool {
        !self.compares && self.battle.takes_right_button()
    }

    fn lets_go(&mut self, shell: &mut Shell) -> bool {
        if self.compares {
            self.turn(shell);
            return true;
        }
        self.battle.lets_go(shell)
    }

    fn dropped(&mut self, shell: &mut Shell, path: &Path) {
        self.compares = false;
        self.battle.dropped(shell, path);
    }

    fn moved(&mut self, shell: &mut Shell) {
        self.shown().moved(shell);
    }

    fn follow(&mut self, shell: &mut Shell) {
        self.battle.follow(shell);
        let mut turns = self.battle.takes_planners();
        if let Some(planners) = self.planners.as_mut().filter(|_| self.compares) {
            planners.comparison_view.follow(shell);
            turns |= planners.comparison_view.takes_leave();
        }
        if turns {
            self.turn(shell);
        }
    }

    fn is_still(&self) -> bool {
        match &self.planners {
            Some(planners) if self.compares => planners.comparison_view.is_still(),
            _ => self.battle.is_still(),
        }
    }

    fn draw(&mut self, shell: &mut Shell) -> GameResult {
        self.shown().draw(shell)
    }

    fn greeting(&mut self) -> Option<ContentInfo> {
        self.battle.greeting()
    }

    fn ticks_per_second(&self) -> f32 {
        self.battle.ticks_per_second()
    }

    fn moment(&self) -> u64 {
        self.battle.moment()
    }
}
