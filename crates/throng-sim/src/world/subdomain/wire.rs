//! How the subdomains of a world talk.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Carries packets between the subdomains of a world. All of them share the same packets in the same order.
pub trait Wire: Debug + Send {
    /// Sends a packet to all other subdomains; returns those of all, by their numbers, its own included. It waits for all of
    /// them.
    ///
    /// # Errors
    /// Where another subdomain is gone.
    fn share(&mut self, packet: Vec<u8>) -> Result<Vec<Arc<[u8]>>, WireError>;
}

/// A packet that did not come, or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// Another subdomain has ended.
    #[error("subdomain {0} has ended, and the others cannot go on without it: start anew from a snapshot")]
    Gone(usize),
    /// A packet of another subdomain cannot be read.
    #[error("the packet of subdomain {number} cannot be read ({what}): all have to be of one version of throng")]
    Packet {
        /// The subdomain.
        number: usize,
        /// What is wrong with it.
        what: String,
    },
}

/// A wire between threads of one process.
#[derive(Debug)]
pub struct Channels {
    number: usize,
    /// To each of the others and from them; none to itself.
    ends: Vec<Option<End>>,
    broken: Arc<AtomicBool>,
}

/// What packets to another subdomain go into, and those from it come out of.
type End = (Sender<Arc<[u8]>>, Receiver<Arc<[u8]>>);

/// How often a thread that waits looks whether the others still live.
const LOOK_EVERY: Duration = Duration::from_millis(50);

impl Channels {
    /// Wires between `count` subdomains, and what breaks all of them where one cannot go on.
    pub fn between(count: usize) -> (Vec<Self>, Arc<AtomicBool>) {
        let broken = Arc::new(AtomicBool::new(false));
        let mut wires: Vec<Self> = (0..count)
            .map(|number| Self { number, ends: (0..count).map(|_| None).collect(), broken: Arc::clone(&broken) })
            .collect();
        for one in 0..count {
            for other in 0..one {
                let ((to, from_one), (back, from_other)) = (channel(), channel());
                wires[one].ends[other] = Some((to, from_other));
                wires[other].ends[one] = Some((back, from_one));
            }
        }
        (wires, broken)
    }
}

impl Wire for Channels {
    fn share(&mut self, packet: Vec<u8>) -> Result<Vec<Arc<[u8]>>, WireError> {
        let packet: Arc<[u8]> = packet.into();
        for (number, end) in self.ends.iter().enumerate() {
            if let Some((to, _)) = end {
                to.send(Arc::clone(&packet)).map_err(|_| WireError::Gone(number))?;
            }
        }
        let receive = |(number, end): (usize, &Option<End>)| {
            let Some((_, from)) = end else { return Ok(Arc::clone(&packet)) };
            loop {
                match from.recv_timeout(LOOK_EVERY) {
                    Ok(packet) => return Ok(packet),
                    Err(RecvTimeoutError::Timeout) if !self.broken.load(Ordering::Relaxed) => {}
                    Err(_) => return Err(WireError::Gone(number)),
                }
            }
        };
        debug_assert!(self.ends[self.number].is_none(), "a wire to itself");
        self.ends.iter().enumerate().map(receive).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_get_the_packets_of_all_in_order() {
        let (wires, _) = Channels::between(3);
        std::thread::scope(|scope| {
            for (number, mut wire) in wires.into_iter().enumerate() {
                scope.spawn(move || {
                    for round in 0..50_u8 {
                        let packets = wire.share(vec![number as u8, round]).unwrap();
                        let expected: Vec<Vec<u8>> = (0..3).map(|other| vec![other, round]).collect();
                        assert!(packets.iter().map(|packet| packet.to_vec()).eq(expected), "{number}, {round}");
                    }
                });
            }
        });
    }

    #[test]
    fn one_that_is_gone_ends_the_others() {
        let (mut wires, broken) = Channels::between(2);
        broken.store(true, Ordering::Relaxed);
        assert_eq!(wires[0].share(Vec::new()), Err(WireError::Gone(1)));
        let last = wires.remove(0);
        drop(wires);
        let mut last = last;
        assert_eq!(last.share(Vec::new()), Err(WireError::Gone(1)));
    }
}
