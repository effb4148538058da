//! Squads that are selected and ordered by the mouse.

use super::BattleView;
use crate::battle::command::Command;
use crate::battle::deploying;
use crate::battle::destinations::Ghost;
use crate::battle::lines::{LineSquad, side_by_side};
use crate::battle::measuring::MAX_AREAS;
use crate::battle::selection::Pick;
use crate::battle::simulation::{BattleState, BattleWorker};
use crate::battle::tools::{ToolContext, ToolDrag, Tools};
use crate::shell::Shell;
use crate::shell::camera::Camera;
use crate::shell::event::{Event, Tool};
use ggez::winit::event::ElementState;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use throng_grid::geom::Vec2;
use throng_sim::battle::{Front, Order};
use throng_sim::world::{ArmyId, SquadId};

/// A button that moves no further than this (pixels) clicks.
const MAX_CLICK_MOVE_PX: f32 = 6.0;
/// Two clicks within this time are a double one.
const DOUBLE_CLICK_TIME: Duration = Duration::from_millis(400);
/// More soldiers of a ghost would only hide the ground.
const MAX_GHOSTS: usize = 4000;

/// The presses of the buttons so far.
#[derive(Default)]
pub(super) struct Presses {
    /// The left one was pressed last: when, and at which pixel.
    last: Option<(Instant, Vec2)>,
    /// The press is the second of a double click.
    double: bool,
    /// The right one is held since it was pressed at this pixel.
    right: Option<Vec2>,
}

impl Presses {
    /// True while a line of soldiers is drawn.
    pub fn draws_line(&self) -> bool {
        self.right.is_some()
    }

    /// Forgets the line that is being drawn.
    pub fn drop_line(&mut self) {
        self.right = None;
    }
}

impl BattleView {
    /// The left button.
    pub(super) fn left_button(&mut self, shell: &mut Shell, state: ElementState) {
        let (at, adds) = (shell.pointer.at, shell.modifiers.state().shift_key());
        match state {
            ElementState::Pressed => {
                let now = Instant::now();
                let near = |&(then, there): &(Instant, Vec2)| {
                    now.duration_since(then) <= DOUBLE_CLICK_TIME && there.distance(at) <= MAX_CLICK_MOVE_PX
                };
                self.presses.double = self.presses.last.as_ref().is_some_and(near);
                self.presses.last = (!self.presses.double).then_some((now, at));
                let banner = self.board.at(at).map(|placed| placed.squad).filter(|_| self.tools.tool == Tool::Select);
                let Some(squad) = banner else {
                    self.tools.turns = shell.modifiers.state().alt_key();
                    self.use_tool(shell, |tools, scene, point| tools.press(scene, point, adds));
                    return;
                };
                let pick = match (self.presses.double, adds) {
                    (true, adds) => Pick::Kind { adds },
                    (false, true) => Pick::Toggle,
                    (false, false) => Pick::Only,
                };
                self.pick(shell, squad, pick);
            }
            ElementState::Released => {
                if matches!(self.tools.held, Some(ToolDrag::Area { .. })) && self.tools.areas.len() >= MAX_AREAS {
                    self.tools.held = None;
                    let text = format!("{MAX_AREAS} areas are measured: remove one in the laboratory to add another");
                    shell.say(&Event::notice(text));
                }
                let clicked = self.tools.held.is_some() && self.tools.tool == Tool::Select;
                self.use_tool(shell, Tools::release);
                if clicked && std::mem::take(&mut self.presses.double) {
                    let scene = scene(&self.worker, &self.camera, shell.scale());
                    let row = scene.row_at(self.camera.to_world(at));
                    let squad = row.and_then(|row| scene.squad_of(row));
                    if let Some(squad) = squad {
                        self.pick(shell, squad, Pick::Kind { adds });
                    }
                }
            }
        }
    }

    /// The right button, where squads are selected: a click sends them, a drag draws the line on which they are to stand.
    pub(super) fn right_button(&mut self, shell: &mut Shell, state: ElementState) {
        let at = shell.pointer.at;
        if state == ElementState::Pressed {
            self.presses.right = self.commands().then_some(at);
            return;
        }
        let Some(from) = self.presses.right.take() else { return };
        if self.tools.tool == Tool::SpawnSquad && from.distance(at) > MAX_CLICK_MOVE_PX {
            // No order: they stand there at once.
            let (lines, ranks) = self.lines([from, at].map(|pixel| self.camera.to_world(pixel)), true);
            let place = |((squad, front), rank): ((SquadId, Front), &LineSquad)| {
                (squad, front.places(front.formation(rank.formation, rank.radius), rank.count), front.facing)
            };
            let squads = lines.into_iter().zip(&ranks).map(place).collect();
            let deployment = deploying::deploy(&scene(&self.worker, &self.camera, shell.scale()), squads);
            if let Some(command) = self.tools.unless_refused(deployment) {
                self.worker.execute(command);
            }
            return;
        }
        let keys = shell.modifiers.state();
        let (queued, fights) = (keys.shift_key(), !(keys.control_key() || keys.alt_key()));
        let orders = if from.distance(at) <= MAX_CLICK_MOVE_PX {
            let order = self.order_at(shell, fights);
            self.tools.squads.iter().map(|&squad| (squad, order)).collect()
        } else {
            let lines = self.lines([from, at].map(|pixel| self.camera.to_world(pixel)), fights).0;
            lines.into_iter().map(|(squad, front)| (squad, Order::Line(front))).collect::<Vec<_>>()
        };
        let Some(&(_, order)) = orders.first() else { return };
        let point = self.camera.to_world(from).midpoint(self.camera.to_world(at));
        self.worker.execute(if queued { Command::QueueOrder(orders) } else { Command::Order(orders) });
        let facing = order.front().map(|front| front.facing);
        shell.tell(&Event::Ordered { order: order.name().to_owned(), point: point.to_array(), queued, facing });
    }

    /// True where squads are selected that take orders.
    pub(super) fn commands(&self) -> bool {
        self.live && !self.tools.squads.is_empty()
    }

    /// The order of a click at the pointer: an attack on an enemy, else to go there.
    fn order_at(&self, shell: &Shell, fights: bool) -> Order {
        let point = self.camera.to_world(shell.pointer.at);
        let frame = self.newest();
        let own = |army: ArmyId| {
            let squads = self.tools.squads.iter().filter_map(|&squad| frame.squads.get(squad.index()));
            squads.into_iter().any(|squad| squad.army == army)
        };
        let under = scene(&self.worker, &self.camera, shell.scale()).row_at(point).map(|row| frame.army[row]);
        let banner = || {
            let placed = self.board.at(shell.pointer.at)?;
            frame.squads.get(placed.squad.index()).map(|squad| squad.army)
        };
        if !fights {
            Order::Move(point)
        } else if under.or_else(banner).is_some_and(|army| !own(army)) {
            Order::Attack
        } else {
            Order::GoTo(point)
        }
    }

    /// The line of each selected squad between two flanks (m), and how these squads are.
    fn lines(&self, flanks: [Vec2; 2], fights: bool) -> (Vec<(SquadId, Front)>, Vec<LineSquad>) {
        let BattleState { frame, reply, .. } = self.worker.states.front();
        let mut sums: BTreeMap<SquadId, (usize, Vec2)> = BTreeMap::new();
        for (squad, &place) in frame.squad.iter().zip(&frame.position) {
            if let Some(squad) = squad.filter(|squad| self.tools.squads.contains(squad)) {
                let (count, sum) = sums.entry(squad).or_default();
                (*count, *sum) = (*count + 1, *sum + place);
            }
        }
        let rank = |(squad, (count, sum)): (SquadId, (usize, Vec2))| {
            let unit = frame.squads.get(squad.index()).map_or(0, |count| count.unit.index());
            LineSquad {
                squad,
                count,
                radius: reply.radii.get(unit).copied().unwrap_or(0.3),
                formation: reply.formations.get(squad.index()).copied().flatten(),
                centre: sum / count as f32,
            }
        };
        let mut ranks: Vec<LineSquad> = sums.into_iter().map(rank).collect();
        (side_by_side(&mut ranks, flanks, fights), ranks)
    }

    /// The soldiers as they would stand if the right button were let go now.
    pub(super) fn ghost(&self, pointer: Vec2) -> Option<Ghost> {
        let from = self.presses.right.filter(|from| from.distance(pointer) > MAX_CLICK_MOVE_PX)?;
        let (lines, ranks) = self.lines([from, pointer].map(|pixel| self.camera.to_world(pixel)), true);
        let mut ghost = Ghost { radius: ranks.first().map_or(0.3, |rank| rank.radius), ..Ghost::default() };
        for ((_, front), rank) in lines.into_iter().zip(&ranks) {
            let room = MAX_GHOSTS.saturating_sub(ghost.places.len());
            let places = front.places(front.formation(rank.formation, rank.radius), rank.count);
            ghost.places.extend(places.into_iter().take(room));
            ghost.fronts.push(front);
        }
        Some(ghost)
    }
}

/// The greatest distance of a click from an agent's body (logical pixels).
const CLICK_REACH_PX: f32 = 5.0;

/// The battle that tools act on.
pub(super) fn scene<'a>(worker: &'a BattleWorker, camera: &Camera, scale: f32) -> ToolContext<'a> {
    let BattleState { frame, reply, .. } = worker.states.front();
    ToolContext {
        frame,
        squad: &frame.squad,
        radii: &reply.radii,
        ramparts: &reply.ramparts,
        reach: CLICK_REACH_PX * scale / camera.zoom,
        slant: camera.slant(),
    }
}
