//! What is laid out of a battle: its panels, not in every frame, and in every frame the marks over the map.

use super::BattleView;
use super::mouse::scene;
use crate::Theme;
use crate::battle::action::BattleAction;
use crate::battle::hud;
use crate::battle::inspect::InspectRequest;
use crate::battle::keys::{HELP, REPLAY_HELP};
use crate::battle::marks::Marker;
use crate::battle::panels::BattleFacts;
use crate::battle::simulation::BattleState;
use crate::draw::cells;
use crate::draw::clusters;
use crate::draw::heat;
use crate::film::battle_film::BattleFilm;
use crate::shell::Shell;
use crate::shell::event::Event;
use crate::shell::settings::ArmyColours;
use egui::{Rect, Sense, vec2};
use throng_grid::geom::Vec2;

impl BattleView {
    /// Lays out the panels, where they are due, draws the marks, and performs the user's actions.
    pub(super) fn lay_out(&mut self, shell: &mut Shell) {
        let (size, scale) = (shell.size(), shell.scale());
        let Self { board, motion, tools, camera, theme, worker, .. } = self;
        board.gather((&worker.states.front().frame, motion), &tools.squads, (camera, size, scale), *theme);
        let (actions, goes_to) = if shell.lays_out { self.lay_out_panels(shell) } else { (Vec::new(), None) };
        self.draw_marks(shell);
        if let Some(point) = goes_to {
            self.take_camera(shell);
            self.camera.look_at(point);
            shell.tell(&Event::LooksAt { point: point.to_array() });
        }
        for action in actions {
            self.perform(shell, action);
        }
        let routes = self.panels.shown.routes;
        let field = self.tools.squads.first().copied().filter(|_| self.panels.shown.field);
        let cells = self.panels.shown.cells.then(|| self.camera.view());
        let clusters = self.panels.shown.clusters.then(|| (self.camera.view(), self.tools.squads.first().copied()));
        let squads = self.panels.cards.is_open();
        let distinct = shell.settings.colours == ArmyColours::Distinct;
        let places = self.panels.shown.places;
        self.worker.inspect(
            InspectRequest { agent: self.tools.agent, routes, places, field, cells, squads, clusters },
            distinct,
        );
    }

    /// Lays out the panels; the user's actions, and the point of the map (m) that was pressed on the small one.
    fn lay_out_panels(&mut self, shell: &mut Shell) -> (Vec<BattleAction>, Option<Vec2>) {
        let BattleState { frame, reply, span, target, measured, .. } = self.worker.states.front();
        let facts = BattleFacts {
            title: &self.title,
            frame,
            theme: self.theme,
            history: &self.history,
            reply,
            speed: self.speed,
            paused: self.paused,
            ticks_per_second: self.rate.ticks_per_second,
            frames_per_second: shell.frames_per_second,
            live: self.live,
            span: *span,
            target: *target,
            chronicle: &self.shown_chronicle,
            measured,
            film: self.battle_film.as_ref().map(BattleFilm::share),
            directs: self.watch.directs(),
        };
        let is_software = self.layers.is_software();
        let (scale, pointer) = (shell.scale(), shell.pointer.at);
        let Self { panels, tools, mini_map, board, table, groups, presses, camera, .. } = self;
        table.see(facts.frame, facts.reply);
        let is_free = tools.held.is_none() && !presses.draws_line();
        let mut goes_to = None;
        let keys = if facts.live { &HELP[..] } else { &REPLAY_HELP };
        let failure = self.failure.as_deref();
        let actions = shell.lay_out_on(!is_software, keys, |ui, output| {
            panels.lay_out(ui, &facts, tools, (table, board, groups), output);
            let free = ui.available_rect_before_wrap();
            let painter = ui.painter_at(free);
            heat::legend(&painter, free.left_top() + vec2(12.0, 48.0), panels.heat);
            board.tell(&mut output.places, scale, free);
            let hovered = board.at(pointer).filter(|_| is_free);
            if let Some(placed) = hovered
                && let Some(row) = table.row(placed.squad)
            {
                let area = placed.area(scale).intersect(free);
                let hint = ui.interact(area, ui.id().with(("banner", placed.squad)), Sense::hover());
                hint.on_hover_ui(|ui| {
                    ui.label(row.words(facts.frame, facts.reply, groups));
                });
            }
            let marker = Marker { painter: &painter, camera, scale };
            if facts.reply.cells_cut {
                marker.notice(cells::TOO_MANY_TEXT);
            } else if panels.shown.clusters && facts.reply.clusters.is_none() && facts.live {
                marker.notice(if tools.squads.is_empty() {
                    clusters::NO_HIERARCHY_TEXT
                } else {
                    clusters::NOT_SELECTED_TEXT
                });
            }
            if let Some((asks, area)) = mini_map.lay_out(ui, free, facts.frame) {
                output.place("mini-map", area);
                goes_to = asks;
            }
            hud::lay_out(ui, free, failure);
        });
        let [corner, size] = shell.ui.free();
        self.camera.set_panels([corner.x, shell.size().y - corner.y - size.y]);
        (actions, goes_to)
    }

    /// Draws what moves with the map or the agents.
    fn draw_marks(&mut self, shell: &mut Shell) {
        let scale = shell.scale();
        let ghost = self.ghost(shell.pointer.at);
        let BattleState { frame, reply, .. } = self.worker.states.front();
        let scene = scene(&self.worker, &self.camera, scale);
        let Self { panels, tools, heat_map, mini_map, camera, motion, board, groups, theme, .. } = self;
        shell.ui.draw_marks(|painter| {
            let marker = Marker { painter, camera, scale };
            if let Some(picture) = heat_map.of(painter.ctx(), panels.heat, frame) {
                let size = frame.grid.as_ref().map_or(Vec2::ONE, |grid| grid.lattice().size());
                let area = Rect::from_min_max(marker.at(Vec2::ZERO), marker.at(size));
                heat::draw(painter, picture, area);
            }
            marker.draw(panels.shown, tools, &scene, reply, |row| motion.place(frame, row));
            marker.destinations(frame, &tools.squads, board, reply);
            if let Some(ghost) = &ghost {
                marker.ghost(ghost);
            }
            if *theme == Theme::Plan {
                board.draw(painter, scale);
            }
            board.draw_signs(painter, scale, frame, groups);
            mini_map.draw(painter, (frame, *theme), camera);
        });
    }
}
