//! Closing up the ranks after deaths.

use super::layout::Layout;
use crate::crowd::AgentId;

/// Removes the dead from their places: `posted` has an agent for each place of `layout`. The nearest member of the rank behind
/// steps forward, and so on to the last rank, which closes up to one side. All others keep their places. O(places +
/// fallen · ranks · files).
pub(super) fn close_up(posted: &mut Vec<AgentId>, layout: &Layout, lives: impl Fn(AgentId) -> bool) {
    let count = posted.len().min(layout.places.len());
    posted.truncate(count);
    for place in posted.iter_mut() {
        if !lives(*place) {
            *place = AgentId::NONE;
        }
    }
    for gap in 0..count {
        let mut gap = gap;
        while posted[gap] == AgentId::NONE {
            let rank = layout.rank[gap];
            let start = layout.rank.partition_point(|&other| other <= rank);
            let behind = (start..count).take_while(|&i| layout.rank[i] == rank + 1);
            let distance = |i: &usize| layout.places[*i].distance_squared(layout.places[gap]);
            let nearest =
                behind.filter(|&i| posted[i] != AgentId::NONE).min_by(|a, b| distance(a).total_cmp(&distance(b)));
            // In the last rank, or with no member behind, the next one steps up.
            let Some(next) = nearest.or_else(|| (gap + 1..count).find(|&i| posted[i] != AgentId::NONE)) else { break };
            posted.swap(gap, next);
            gap = next;
        }
    }
    posted.retain(|&id| id != AgentId::NONE);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::{Formation, Shape};

    #[test]
    fn those_behind_step_forward_and_nobody_else_moves() {
        let layout = Formation { files: Some(4), ..Formation::new(Shape::Line, 1.0) }.layout(12);
        let id = |slot| AgentId { slot, generation: 0 };
        let mut posted: Vec<_> = (0..12).map(id).collect();
        close_up(&mut posted, &layout, |id| id.slot != 1 && id.slot != 10);
        // 5 steps forward for 1, and 9 for it; 11 closes up.
        let expected = [0, 5, 2, 3, 4, 9, 6, 7, 8, 11].map(id);
        assert_eq!(posted, expected);
        close_up(&mut posted, &layout, |_| false);
        assert!(posted.is_empty());
    }
}
