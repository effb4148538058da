//! Searches played like films: where they are, how fast they go, and how far each of them is.

use std::time::Duration;

/// The duration of the longest search at the default speed (s).
const DEFAULT_DURATION_S: f64 = 8.0;

/// The pace that all searches share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PlaybackPace {
    /// A race: as many expansions in the same time.
    #[default]
    Expansions,
    /// Each as fast as it was measured to be, all slowed down alike.
    Time,
    /// Each from its start to its end.
    Whole,
}

impl PlaybackPace {
    /// All, in words.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Expansions, "race: same expansions"),
        (Self::Time, "race: measured speeds"),
        (Self::Whole, "all end together"),
    ];
}

/// A search that can be played: its expansions, and how long it takes.
pub(super) type Length = (u64, Duration);

/// The place of the playback.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Playback {
    pub pace: PlaybackPace,
    pub playing: bool,
    /// Expansions of the longest search; `None` = at the end of all.
    at: Option<f64>,
    /// Expansions a second of the longest search.
    speed: Option<f64>,
}

impl Playback {
    /// Lets time pass. `last` is the longest search (expansions).
    pub fn follow(&mut self, elapsed: Duration, last: u64) {
        if self.playing {
            let at = self.at.unwrap_or(0.0) + elapsed.as_secs_f64() * self.speed(last);
            self.at = (at < last as f64).then_some(at);
            self.playing = self.at.is_some();
        }
    }

    /// Goes on or stops; from the end it begins anew.
    pub fn toggle(&mut self) {
        self.playing = !self.playing;
        if self.playing {
            self.at.get_or_insert(0.0);
        }
    }

    /// One expansion on, or back; stops there.
    pub fn step(&mut self, on: bool, last: u64) {
        let at = self.place(last);
        self.jump(if on { at.saturating_add(1) } else { at.saturating_sub(1) }, last);
    }

    /// Goes to a moment (expansions of the longest search), and stops there.
    pub fn jump(&mut self, at: u64, last: u64) {
        self.at = (at < last).then_some(at as f64);
        self.playing = false;
    }

    /// Goes to the end: the task has changed.
    pub fn end(&mut self) {
        (self.at, self.playing) = (None, false);
    }

    /// Its place (expansions of the longest search).
    pub fn place(&self, last: u64) -> u64 {
        self.at.map_or(last, |at| (at as u64).min(last))
    }

    /// Expansions a second of the longest search.
    pub fn speed(&self, last: u64) -> f64 {
        self.speed.unwrap_or_else(|| step_of_speed((last as f64 / DEFAULT_DURATION_S).max(1.0), 0))
    }

    /// Twice as fast, or half as fast, in steps of 1, 2 and 5.
    pub fn change_speed(&mut self, faster: bool, last: u64) {
        self.speed = Some(step_of_speed(self.speed(last), if faster { 1 } else { -1 }));
    }

    /// How far each search is, `None` where it is at its end.
    pub fn places(&self, searches: &[Option<Length>]) -> Vec<Option<u64>> {
        let known = || searches.iter().flatten();
        let last = known().map(|(expansions, _)| *expansions).max().unwrap_or(0);
        let longest = known().map(|(_, time)| time.as_secs_f64()).fold(0.0, f64::max);
        let at = self.place(last);
        let part = at as f64 / (last as f64).max(1.0);
        let place = |&search: &Option<Length>| {
            let (end, time) = search?;
            let at = match self.pace {
                PlaybackPace::Expansions => at,
                PlaybackPace::Time => (end as f64 * part * longest / time.as_secs_f64().max(1e-12)) as u64,
                PlaybackPace::Whole => (end as f64 * part) as u64,
            };
            (self.at.is_some() && at < end).then_some(at)
        };
        searches.iter().map(place).collect()
    }
}

/// The number of 1, 2, 5, 10 … nearest to a speed, or the one `by` steps further.
fn step_of_speed(speed: f64, by: i32) -> f64 {
    let steps = |step: i32| 10_f64.powi(step.div_euclid(3)) * [1.0, 2.0, 5.0][step.rem_euclid(3) as usize];
    let nearest = (speed.max(1.0).log10() * 3.0).round() as i32;
    steps((nearest + by).clamp(0, 21))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn it_plays_to_the_end_and_begins_anew() {
        let mut playback = Playback::default();
        assert_eq!((playback.place(800), playback.at), (800, None));
        playback.toggle();
        playback.follow(SECOND, 800);
        assert_eq!((playback.place(800), playback.speed(800)), (100, 100.0));
        playback.toggle();
        playback.follow(SECOND, 800);
        assert_eq!(playback.place(800), 100);
        playback.step(true, 800);
        playback.step(true, 800);
        playback.step(false, 800);
        assert_eq!(playback.place(800), 101);
        playback.change_speed(true, 800);
        playback.toggle();
        playback.follow(2 * SECOND, 800);
        assert_eq!((playback.place(800), playback.speed(800)), (501, 200.0));
        playback.follow(2 * SECOND, 800);
        assert!(!playback.playing && playback.at.is_none() && playback.place(800) == 800);
        playback.step(false, 800);
        assert_eq!(playback.place(800), 799);
        playback.step(true, 800);
        assert_eq!(playback.at, None);
        playback.toggle();
        assert_eq!(playback.place(800), 0);
        playback.jump(5, 800);
        playback.step(false, 0);
        assert_eq!(playback.place(0), 0);
    }

    #[test]
    fn paces_differ_in_what_is_the_same() {
        let searches = [Some((1000, Duration::from_micros(100))), None, Some((200, Duration::from_micros(50)))];
        let mut playback = Playback::default();
        assert_eq!(playback.places(&searches), [None; 3]);
        playback.jump(150, 1000);
        assert_eq!(playback.places(&searches), [Some(150), None, Some(150)]);
        playback.pace = PlaybackPace::Time;
        assert_eq!(playback.places(&searches), [Some(150), None, Some(60)]);
        playback.pace = PlaybackPace::Whole;
        assert_eq!(playback.places(&searches), [Some(150), None, Some(30)]);
        playback.jump(600, 1000);
        playback.pace = PlaybackPace::Time;
        assert_eq!(playback.places(&searches), [Some(600), None, None]);
    }

    #[test]
    fn speeds_are_round() {
        assert_eq!([1.0, 3.0, 40.0, 800.0].map(|speed| step_of_speed(speed, 0)), [1.0, 2.0, 50.0, 1000.0]);
        assert_eq!((step_of_speed(1.0, -1), step_of_speed(5.0, 1), step_of_speed(1e9, 1)), (1.0, 10.0, 1e7));
    }
}
