//! What the camera of a battle looks at: the armies, a selection, the hottest fighting, a view that was stored.

use super::BattleView;
use crate::battle::directing::{Directing, MAX_FIRST_VIEW_M};
use crate::battle::simulation::BattleState;
use crate::shell::Shell;
use crate::shell::event::Event;
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

/// The variable that says what is seen first: `map`, or else the armies.
const CAMERA_VARIABLE: &str = "THRONG_CAMERA";

/// What moves the camera, and where it was.
#[derive(Default)]
pub(super) struct Watch {
    /// The selection stays in the middle.
    pub follows: bool,
    /// The hottest fighting does.
    directing: Option<Directing>,
    /// Views that were stored: the point in the middle (m), and the zoom (pixels a metre).
    views: [Option<(Vec2, f32)>; 4],
}

impl Watch {
    /// Looks at a new state.
    pub fn see(&mut self, frame: &Frame) {
        if let Some(directing) = &mut self.directing {
            directing.see(frame);
        }
    }

    /// True while the camera follows the hottest fighting.
    pub fn directs(&self) -> bool {
        self.directing.is_some()
    }

    /// True where the camera does not move by itself.
    pub fn rests(&self) -> bool {
        self.directing.as_ref().is_none_or(Directing::has_arrived)
    }
}

/// The corners of the ground on which all agents are (m).
fn armies(frame: &Frame) -> Option<[Vec2; 2]> {
    let first = *frame.position.first()?;
    Some(frame.position.iter().fold([first; 2], |[low, high], &at| [low.min(at), high.max(at)]))
}

impl BattleView {
    /// Shows the armies, once there are any.
    pub(super) fn begin_watch(&mut self) {
        if std::env::var(CAMERA_VARIABLE).as_deref() != Ok("map") {
            self.fit_next();
        }
    }

    /// Shows the armies; where they are fitted already, or there is no agent, the whole map.
    pub(super) fn fit_next(&mut self) {
        match armies(self.newest()) {
            Some(part) if !self.camera.is_fitted_to_part() => self.camera.fit_part(part),
            _ => self.camera.fit(),
        }
    }

    /// The user moves the camera: nothing else does.
    pub(super) fn take_camera(&mut self, shell: &mut Shell) {
        self.watch.follows = false;
        if self.watch.directing.take().is_some() {
            shell.tell(&Event::Directs { directs: false });
        }
    }

    /// Starts to keep the selection in the middle, or stops.
    pub(super) fn turn_following(&mut self, shell: &mut Shell) {
        let follows = !self.watch.follows && (self.tools.agent.is_some() || !self.tools.squads.is_empty());
        self.take_camera(shell);
        self.watch.follows = follows;
        shell.tell(&Event::Follows { follows });
    }

    /// Starts to follow the hottest fighting, or stops.
    pub(super) fn turn_directing(&mut self, shell: &mut Shell) {
        let begins = !self.watch.directs();
        self.take_camera(shell);
        if begins {
            let mut directing = Directing::new(self.camera.looks_at());
            directing.see(self.newest());
            self.watch.directing = Some(directing);
            let [low, high] = self.camera.clear_view();
            let factor = (high.x - low.x) / MAX_FIRST_VIEW_M;
            if factor > 1.0 {
                let [corner, size] = shell.ui.free();
                self.camera.zoom_toward(corner + size * 0.5, factor);
            }
            shell.tell(&Event::Directs { directs: true });
        }
    }

    /// Stores what is seen under a number of 1 to 4.
    pub(super) fn store_view(&mut self, shell: &mut Shell, number: u8) {
        let (centre, zoom) = self.camera.bookmark();
        if let Some(view) = self.watch.views.get_mut(usize::from(number.saturating_sub(1))) {
            *view = Some((centre, zoom));
            let event = Event::Bookmark { number, stored: true, centre: centre.to_array(), zoom };
            shell.say(&event);
        }
    }

    /// Shows what was stored under a number of 1 to 4.
    pub(super) fn recall_view(&mut self, shell: &mut Shell, number: u8) {
        let view = self.watch.views.get(usize::from(number.saturating_sub(1))).copied().flatten();
        let Some((centre, zoom)) = view else {
            let key = 4 + number;
            shell.say(&Event::notice(format!("no view is stored; shift+F{key} stores one")));
            return;
        };
        self.take_camera(shell);
        self.camera.return_to((centre, zoom));
        shell.tell(&Event::Bookmark { number, stored: false, centre: centre.to_array(), zoom });
    }

    /// Lets the camera follow what it follows, for so much time (s).
    pub(super) fn keep_in_view(&mut self, seconds: f32) {
        if let Some(directing) = &mut self.watch.directing {
            let at = directing.advance(seconds);
            self.camera.look_at(at);
            return;
        }
        if !self.watch.follows {
            return;
        }
        let BattleState { frame, .. } = self.worker.states.front();
        let of_squads = |row: &usize| {
            frame.squad.get(*row).copied().flatten().is_some_and(|squad| self.tools.squads.contains(&squad))
        };
        let rows: Vec<usize> = match self.tools.agent {
            Some(agent) => (0..frame.id.len()).find(|&row| frame.person_of(row) == agent).into_iter().collect(),
            None => (0..frame.id.len()).filter(of_squads).collect(),
        };
        if rows.is_empty() {
            self.watch.follows = false;
            return;
        }
        let sum: Vec2 = rows.iter().map(|&row| self.motion.place(frame, row)).sum();
        self.camera.look_at(sum / rows.len() as f32);
    }
}
