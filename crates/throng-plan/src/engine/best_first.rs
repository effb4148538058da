//! Best-first search: Dijkstra's algorithm, A*, weighted A*, greedy and breadth-first search.

use super::{Domain, Halt};
use crate::open::OpenList;

/// Expands nodes in the order of `priority(g, h)`, the lowest first, until so many are expanded as `stop` says.
///
/// A node to which a better way is found is queued once more; the older entry comes out later and is dropped, since the
/// node is closed by then.
#[inline]
pub(crate) fn best_first<D: Domain, Q: OpenList<D::Node>>(
    domain: &mut D,
    open: &mut Q,
    priority: impl Fn(D::Cost, D::Cost) -> Q::Priority,
    stop: u64,
) -> Result<Halt<D::Node>, D::Error> {
    while let Some((rank, node)) = open.pop() {
        let Some(label) = domain.close(node) else { continue };
        if domain.is_goal(node) {
            return Ok(Halt::Goal(node));
        }
        if domain.expanded() == stop {
            domain.reopen(node);
            open.put_back(rank, node);
            return Ok(Halt::Stop);
        }
        domain.expand(node, label, |to, g, h| open.push(priority(g, h), to))?;
    }
    Ok(Halt::Exhausted)
}
