//! Bodies in linked lists whose links lie in flat arrays.

use super::Bodies;

/// Members of lists; each row is one member, at a place of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// The first member of each list.
    pub head: Vec<u32>,
    pub member: Vec<Member>,
    /// The member before each in its list.
    pub previous: Vec<u32>,
    /// The row of each member, and the place of the member of each row.
    pub row: Vec<u32>,
    pub place: Vec<u32>,
}

/// A body in its list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Member {
    pub position: [f32; 2],
    pub radius: f32,
    /// The next one in the same list.
    pub next: u32,
}

/// The end of a list.
pub(super) const NONE: u32 = u32::MAX;

impl Lists {
    /// Forgets all bodies, and leaves one empty list.
    pub fn clear(&mut self) {
        self.head.clear();
        self.head.push(NONE);
        self.member.clear();
        self.previous.clear();
        self.row.clear();
        self.place.clear();
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.member.len()
    }

    pub fn is_empty(&self) -> bool {
        self.member.is_empty()
    }

    /// Puts a member at the head of a list.
    pub fn link(&mut self, place: u32, list: u32) {
        let next = std::mem::replace(&mut self.head[list as usize], place);
        self.member[place as usize].next = next;
        self.previous[place as usize] = NONE;
        if next != NONE {
            self.previous[next as usize] = place;
        }
    }

    /// Takes a member out of the list it is in.
    pub fn unlink(&mut self, place: u32, list: u32) {
        let (previous, next) = (self.previous[place as usize], self.member[place as usize].next);
        self.point_at(previous, list, next);
        if next != NONE {
            self.previous[next as usize] = previous;
        }
    }

    /// Makes `place` follow `previous`, or be the head of its list.
    fn point_at(&mut self, previous: u32, list: u32, place: u32) {
        if previous == NONE {
            self.head[list as usize] = place;
        } else {
            self.member[previous as usize].next = place;
        }
    }

    /// Adds the next row of `bodies` to a list; returns its place.
    pub fn push(&mut self, bodies: Bodies<2>, list: u32) -> u32 {
        let (row, place) = (self.place.len(), self.member.len() as u32);
        self.member.push(Member { position: bodies.position[row], radius: bodies.radius[row], next: NONE });
        self.previous.push(NONE);
        self.row.push(row as u32);
        self.place.push(place);
        self.link(place, list);
        place
    }

    /// Takes the last row out; the last member takes its place, which is returned. `list_of` tells in which list a member
    /// is.
    pub fn pop(&mut self, list_of: impl Fn(u32, &Member) -> u32) -> Option<u32> {
        let place = self.place.pop()?;
        self.unlink(place, list_of(place, &self.member[place as usize]));
        let last = self.member.len() as u32 - 1;
        if place != last {
            let member = self.member[last as usize];
            let (previous, row) = (self.previous[last as usize], self.row[last as usize]);
            self.member[place as usize] = member;
            self.previous[place as usize] = previous;
            self.row[place as usize] = row;
            self.place[row as usize] = place;
            self.point_at(previous, list_of(last, &member), place);
            if member.next != NONE {
                self.previous[member.next as usize] = place;
            }
        }
        self.member.pop();
        self.previous.pop();
        self.row.pop();
        Some(place)
    }

    /// The places of the members of a list.
    #[inline]
    pub fn list(&self, list: u32) -> impl Iterator<Item = u32> {
        let mut at = self.head[list as usize];
        std::iter::from_fn(move || {
            let place = at;
            let member = self.member.get(place as usize)?;
            at = member.next;
            Some(place)
        })
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let words = self.head.capacity() + self.previous.capacity() + self.row.capacity() + self.place.capacity();
        words * size_of::<u32>() + self.member.capacity() * size_of::<Member>()
    }

    /// Every member is in one list, the one that `list_of` tells, and the lists lead back as they lead on.
    #[cfg(test)]
    pub fn check(&self, bodies: Bodies<2>, list_of: impl Fn(u32, &Member) -> u32) {
        let mut members = 0;
        for (list, &head) in self.head.iter().enumerate() {
            let (mut at, mut before) = (head, NONE);
            while at != NONE {
                let member = &self.member[at as usize];
                assert_eq!(self.previous[at as usize], before);
                assert_eq!(list_of(at, member) as usize, list);
                let row = self.row[at as usize];
                assert_eq!(
                    (member.position, member.radius),
                    (bodies.position[row as usize], bodies.radius[row as usize])
                );
                assert_eq!(self.place[row as usize], at);
                (before, at) = (at, member.next);
                members += 1;
            }
        }
        assert_eq!(members, bodies.len());
        assert_eq!((self.place.len(), self.member.len()), (members, members));
    }
}
