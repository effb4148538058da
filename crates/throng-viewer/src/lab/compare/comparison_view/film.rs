//! The film of the race.

use super::super::race_film::{FilmPane, Race, RaceFilm};
use super::ComparisonView;
use crate::shell::Shell;
use crate::shell::event::Event;
use std::sync::Arc;

impl ComparisonView {
    /// Begins a film of the race, or gives up the one that is being made.
    pub(in super::super) fn film(&mut self, shell: &mut Shell) {
        if let Some(film) = &self.film {
            film.give_up();
            return;
        }
        let Some(trip) = self.board.trip().filter(|_| self.told == self.task) else {
            shell.say(&Event::notice("no film: the searches are not over yet"));
            return;
        };
        let panes = self.results.iter().zip(&self.planners).filter_map(|(result, planner)| {
            let (planner, time) = (planner.clone(), result.time);
            Some(FilmPane { planner, result: result.result.clone()?, time })
        });
        let (ground, playback) = (Arc::clone(&self.ground), self.playback.clone());
        match RaceFilm::begin(Race { ground, trip, panes: panes.collect(), playback }, self.task) {
            Ok(film) => {
                shell.say(&Event::Filming { path: film.path.clone() });
                self.film = Some(film);
            }
            Err(error) => shell.say(&Event::notice(format!("no film: {error}"))),
        }
    }

    /// Follows the film that is being made.
    pub(super) fn follow_film(&mut self, shell: &mut Shell) {
        let Some(film) = &mut self.film else { return };
        shell.touched |= film.has_come_on();
        if let Some(event) = film.news() {
            self.film = None;
            shell.say(&event);
        }
    }
}
