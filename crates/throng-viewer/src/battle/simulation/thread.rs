//! The thread: what it does next, and what it hands over.

use super::command_history::HistoryStep;
use super::{BattleRequests, BattleState, Course};
use crate::battle::simulation_error::SimulationError;
use crate::shell::event::Event;
use crate::shell::worker::{Desk, Next};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// A refusal to show a moment is repeated no sooner than this, while a held slider asks for it.
const REFUSAL_INTERVAL: Duration = Duration::from_secs(1);
/// Ticks that are later than this are not made up for by quicker ones.
pub(super) const MAX_DELAY: Duration = Duration::from_millis(100);
/// On a long way to another tick, the state on the way is shown after each such time.
const SEEK_INTERVAL: Duration = Duration::from_millis(150);

/// The next thing to do.
enum BattleStep {
    Tick,
    GoTo(u64),
    /// Goes on towards the tick that is being gone to.
    Seek,
    Restart,
    Again(Sender<Course>),
    History(Vec<HistoryStep>),
    Inspect,
}

/// Ticks until the window closes or an error comes. After the end of the battle or the recording it only waits.
pub(super) fn run(
    mut course: Course,
    mut desk: Desk<BattleRequests, BattleState, Event>,
) -> Result<(), SimulationError> {
    let left_out = course.left_out();
    let (mut jumped, mut ticked, mut stuck) = (left_out.is_some(), true, false);
    // Sent after the state that shows it, which then can be saved.
    let mut news: Vec<Event> = left_out.map(Event::notice).into_iter().collect();
    let mut refused: Option<(u64, Instant)> = None;
    loop {
        let (request, distinct, areas) =
            desk.read(|requests| (requests.inspect, requests.distinct, Arc::clone(&requests.areas)));
        let state = desk.states.back();
        let BattleState { frame, reply, .. } = state;
        course.frame(frame, jumped);
        state.measured = course.measure(&areas, frame, jumped);
        if distinct {
            frame.colours.clear();
        }
        course.inspect(&request, reply);
        if !ticked {
            // They came with this tick before.
            frame.fallen.clear();
        }
        let over = stuck || course.is_over(frame);
        (state.jumped, state.over) = (jumped, over);
        (state.span, state.target) = (course.span(), course.target());
        state.placed.clone_from(course.placed());
        // The dead of a state that the window missed must still get their marks.
        desk.states.publish(|new, missed| {
            if !new.jumped {
                new.frame.fallen.append(&mut missed.frame.fallen);
                new.jumped = missed.jumped;
            }
        });
        if news.drain(..).try_for_each(|line| desk.news.send(line)).is_err() {
            return Ok(()); // nobody is there to hear it
        }
        // A moment that cannot be shown leaves nothing new to hand over.
        (jumped, ticked) = loop {
            let is_seeking = course.target().is_some();
            match desk.wait(|requests| next_step(requests, over, is_seeking)) {
                Some(BattleStep::Tick) => match course.tick() {
                    Ok(skipped) => {
                        news.extend(skipped.map(Event::notice));
                        break (!news.is_empty(), true);
                    }
                    // The user can still go back.
                    Err(error) if course.is_recording() => {
                        stuck = true;
                        news.push(Event::notice(error.to_string()));
                        break (false, false);
                    }
                    Err(error) => return Err(error),
                },
                Some(BattleStep::GoTo(tick)) => match course.go_to(tick) {
                    Ok(skipped) => {
                        (stuck, refused) = (false, None);
                        news.extend(skipped.map(Event::notice));
                        if course.seek(SEEK_INTERVAL)? {
                            break (true, true);
                        }
                    }
                    Err(error) => {
                        if refused.is_none_or(|(of, since)| of != tick || since.elapsed() > REFUSAL_INTERVAL) {
                            refused = Some((tick, Instant::now()));
                            if desk.news.send(Event::notice(error.to_string())).is_err() {
                                return Ok(());
                            }
                        }
                    }
                },
                Some(BattleStep::Seek) => {
                    course.seek(SEEK_INTERVAL)?;
                    break (true, true);
                }
                Some(BattleStep::Restart) => {
                    course.restart()?;
                    break (true, true);
                }
                Some(BattleStep::Again(to)) => {
                    if let Some(again) = course.again() {
                        // Who asked may be gone.
                        let _ = to.send(again);
                    }
                }
                Some(BattleStep::History(steps)) => {
                    for step in steps {
                        news.extend(course.take(step)?);
                    }
                    break (false, false);
                }
                Some(BattleStep::Inspect) => break (false, false),
                None => return Ok(()),
            }
        };
    }
}

fn next_step(requests: &mut BattleRequests, over: bool, is_seeking: bool) -> Next<BattleStep> {
    if std::mem::take(&mut requests.restart) {
        requests.clock.last = Instant::now();
        return Next::Step(BattleStep::Restart);
    }
    if let Some(tick) = requests.go_to.take() {
        requests.clock.last = Instant::now();
        return Next::Step(BattleStep::GoTo(tick));
    }
    // Commands are for the moment that is being gone to.
    if is_seeking {
        requests.clock.last = Instant::now();
        return Next::Step(BattleStep::Seek);
    }
    if let Some(to) = requests.film.take() {
        return Next::Step(BattleStep::Again(to));
    }
    if !requests.history.is_empty() {
        return Next::Step(BattleStep::History(std::mem::take(&mut requests.history)));
    }
    if std::mem::take(&mut requests.inspects) {
        return Next::Step(BattleStep::Inspect);
    }
    if over {
        requests.clock.single = 0;
    }
    let stopped = requests.clock.paused || over;
    requests.clock.next(requests.clock.interval, stopped).map(|()| BattleStep::Tick)
}
