//! A row for each squad: who it is and how it is, for cards and tooltips.

use super::groups::ControlGroups;
use super::inspect::InspectReply;
use crate::draw::order_sign;
use throng_sim::battle::{Look, Order};
use throng_sim::world::{ArmyId, Frame, SquadId, UnitId};

/// A squad as the window knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SquadRow {
    pub squad: SquadId,
    pub army: ArmyId,
    pub unit: UnitId,
    pub look: Look,
    pub living: u32,
    /// All that it ever had.
    pub all: u32,
    /// Mean share of the health of the living, 0 to 1.
    pub health: f32,
    /// Mean share of their morale; in a recording as banners show it.
    pub morale: f32,
    /// How many run from the enemy; 0 in a recording.
    pub fleeing: u32,
    /// Shots left, of squads that shoot.
    pub shots: Option<u32>,
    /// Not known in a recording.
    pub order: Option<Order>,
}

/// The squads that ever had a soldier, by army, then by number.
#[derive(Debug, Default)]
pub(super) struct SquadTable {
    rows: Vec<SquadRow>,
    /// The state that it is of: the tick, and whether it is told how the squads are.
    seen: Option<(u64, bool)>,
    /// Squads that have shot: they show that none is left.
    shooters: Vec<bool>,
}

impl SquadTable {
    /// Follows a state. O(agents) once a tick, else O(squads).
    pub fn see(&mut self, frame: &Frame, reply: &InspectReply) {
        let seen = Some((frame.tick, !reply.conditions.is_empty()));
        if self.seen == seen && self.rows.len() <= frame.enlisted.len() {
            // An order may come between two ticks.
            for row in &mut self.rows {
                row.order = frame.squads.get(row.squad.index()).map(|count| count.order);
            }
            return;
        }
        self.seen = seen;
        let squads = frame.enlisted.len();
        let mut rows: Vec<SquadRow> =
            (0..squads as u32).map(|squad| SquadRow { squad: SquadId(squad), ..SquadRow::default() }).collect();
        // A squad that is gone keeps the army and the kind that it had.
        for old in &self.rows {
            if let Some(row) = rows.get_mut(old.squad.index()) {
                (row.army, row.unit, row.look) = (old.army, old.unit, old.look);
            }
        }
        let look = |unit: UnitId| frame.looks.get(unit.index()).copied().unwrap_or_default();
        for (agent, &squad) in frame.squad.iter().enumerate() {
            let Some(row) = squad.and_then(|squad| rows.get_mut(squad.index())) else { continue };
            let unit = frame.unit.get(agent).copied().unwrap_or_default();
            (row.army, row.unit, row.look) = (frame.army[agent], unit, look(unit));
            row.living += 1;
            row.health += frame.health.get(agent).copied().unwrap_or(1.0);
        }
        self.shooters.resize(squads, false);
        for row in &mut rows {
            let number = row.squad.index();
            row.all = frame.enlisted[number].max(row.living);
            row.health /= row.living.max(1) as f32;
            let lost = 1.0 - row.living as f32 / row.all.max(1) as f32;
            row.morale = (row.health - lost / 3.0).clamp(0.0, 1.0);
            if let Some(count) = frame.squads.get(number) {
                (row.army, row.unit, row.look, row.order) =
                    (count.army, count.unit, look(count.unit), Some(count.order));
            }
            if let Some(condition) = reply.conditions.get(number) {
                (row.morale, row.fleeing) = (condition.morale, condition.fleeing);
                self.shooters[number] |= condition.shots > 0;
                row.shots = self.shooters[number].then_some(condition.shots);
            }
        }
        rows.retain(|row| row.all > 0);
        rows.sort_by_key(|row| (row.army, row.squad));
        self.rows = rows;
    }

    pub fn rows(&self) -> &[SquadRow] {
        &self.rows
    }

    /// The row of a squad. O(squads).
    pub fn row(&self, squad: SquadId) -> Option<&SquadRow> {
        self.rows.iter().find(|row| row.squad == squad)
    }
}

impl SquadRow {
    /// The name of its kind.
    pub fn kind<'a>(&self, frame: &'a Frame) -> &'a str {
        frame.units.get(self.unit.index()).map_or("squad", String::as_str)
    }

    /// All about it in lines of words.
    pub fn words(&self, frame: &Frame, reply: &InspectReply, groups: &ControlGroups) -> String {
        let army = frame.armies.get(self.army.index()).map_or("", |army| army.name.as_str());
        let share = |share: f32| (share * 100.0).round();
        let flight = if self.fleeing > 0 { format!(", {} flee", self.fleeing) } else { String::new() };
        let mut lines = vec![
            format!("{army}: {}, squad {}", self.kind(frame), self.squad),
            format!("{} of {} alive", self.living, self.all),
            format!("health {} %, morale {} %{flight}", share(self.health), share(self.morale)),
        ];
        lines.extend(self.shots.map(|shots| format!("{shots} shots left")));
        lines.extend(self.order.map(order_sign::words));
        let queue = reply.queues.get(&self.squad).into_iter().flatten().take(4);
        lines.extend(queue.map(|&order| format!("then {}", order_sign::words(order))));
        lines.extend(groups.number_of(self.squad).map(|group| format!("group {group}")));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_squad_that_is_gone_keeps_its_row() {
        let mut frame = Frame {
            tick: 1,
            squad: vec![Some(SquadId(0)), Some(SquadId(0)), Some(SquadId(1)), None],
            army: [1, 1, 0, 0].map(ArmyId).to_vec(),
            unit: [2, 2, 0, 0].map(UnitId).to_vec(),
            health: vec![1.0, 0.5, 1.0, 1.0],
            enlisted: vec![2, 1],
            units: vec!["axe".into(), "bow".into(), "cart".into()],
            ..Frame::default()
        };
        let (mut table, reply) = (SquadTable::default(), InspectReply::default());
        table.see(&frame, &reply);
        let row = *table.row(SquadId(0)).unwrap();
        assert_eq!((row.living, row.all, row.health, row.kind(&frame)), (2, 2, 0.75, "cart"));
        assert_eq!(table.rows()[0].squad, SquadId(1), "armies come in their order");
        (frame.tick, frame.squad, frame.army, frame.unit, frame.health) =
            (2, vec![Some(SquadId(1))], vec![ArmyId(0)], vec![UnitId(0)], vec![1.0]);
        table.see(&frame, &reply);
        let row = *table.row(SquadId(0)).unwrap();
        assert_eq!((row.living, row.all, row.army, row.kind(&frame)), (0, 2, ArmyId(1), "cart"));
    }
}
