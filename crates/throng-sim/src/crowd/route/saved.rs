//! Routes as they are stored: without the gaps that released ones have left.

use super::{RouteId, Routes, Span, Waypoint};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The routes by their ids, which stay.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedRoutes {
    /// Points and holders of each; none where the id is vacant.
    spans: Vec<(u32, u32)>,
    /// The vacant ids, the one to be taken next at the end.
    vacant: Vec<u32>,
    /// The points of all, one route after the other.
    points: Vec<Waypoint>,
    /// The points at which links begin, of the routes that use any.
    crossings: BTreeMap<RouteId, Box<[u32]>>,
}

impl From<Routes> for SavedRoutes {
    fn from(routes: Routes) -> Self {
        let Routes { points: all, spans: from, vacant, crossings, garbage: _ } = routes;
        let mut points = Vec::with_capacity(all.len());
        let mut spans = Vec::with_capacity(from.len());
        for Span { start, len, holders } in from {
            if holders == 0 {
                spans.push((0, 0));
                continue;
            }
            points.extend_from_slice(&all[start as usize..][..len as usize]);
            spans.push((len, holders));
        }
        Self { spans, vacant, points, crossings }
    }
}

impl TryFrom<SavedRoutes> for Routes {
    type Error = &'static str;

    fn try_from(saved: SavedRoutes) -> Result<Self, Self::Error> {
        let SavedRoutes { spans: from, vacant, points, crossings } = saved;
        let mut spans = Vec::with_capacity(from.len());
        let mut start = 0_u32;
        for (len, holders) in from {
            let len = if holders == 0 { 0 } else { len };
            spans.push(Span { start, len, holders });
            start = start.checked_add(len).ok_or("routes have more points than there can be")?;
        }
        if start as usize != points.len() {
            return Err("the points of the routes are not as many as their lengths say");
        }
        let goes = |point: &Waypoint| {
            point.at.is_finite()
                && point.at.abs().max_element() < 1e7
                && point.right.length_squared() < 1.1
                && (0.0..1e7).contains(&point.room_right)
                && (0.0..1e7).contains(&point.room_left)
        };
        if !points.iter().all(goes) {
            return Err("a point of a route is nowhere, or has no room");
        }
        let mut left: Vec<bool> = spans.iter().map(|span| span.holders == 0).collect();
        let all = vacant.iter().all(|&id| left.get_mut(id as usize).is_some_and(std::mem::take));
        if !all || left.contains(&true) {
            return Err("the vacant routes are not the routes without holders");
        }
        let fits = |&id: &RouteId| {
            let starts = &crossings[&id];
            let len = spans.get(id.0 as usize).filter(|span| span.holders > 0).map_or(0, |span| span.len);
            starts.is_sorted_by(|a, b| a < b) && starts.last().is_some_and(|&last| last < len.saturating_sub(1))
        };
        if !crossings.keys().all(fits) {
            return Err("a route crosses a link where it has no point");
        }
        Ok(Self { points, spans, vacant, crossings, garbage: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RouteId, Routes, Waypoint};
    use std::collections::BTreeMap;
    use throng_grid::geom::Vec2;

    fn point(x: f32) -> Waypoint {
        Waypoint { at: Vec2::new(x, 0.0), right: Vec2::Y, room_right: 0.0, room_left: 1.0 }
    }

    #[test]
    fn ids_holders_and_the_order_of_the_vacant_stay() {
        let mut routes = Routes::default();
        let ids: Vec<RouteId> = (0..6).map(|i| routes.add(&vec![point(i as f32); i + 1])).collect();
        routes.hold(ids[3]);
        for id in [ids[4], ids[1], ids[2]] {
            routes.release(id);
        }
        let bytes = postcard::to_allocvec(&routes).unwrap();
        let mut back: Routes = postcard::from_bytes(&bytes).unwrap();
        for &id in &ids {
            assert_eq!(back.holders(id), routes.holders(id));
            if routes.holders(id) > 0 {
                assert_eq!(back.points(id), routes.points(id));
            }
        }
        for _ in 0..5 {
            assert_eq!(back.add(&[point(9.0)]), routes.add(&[point(9.0)]));
        }
        assert_eq!(back.len(), 8);
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let bytes = |spans: &[(u32, u32)], vacant: &[u32], points: &[Waypoint], starts: &[u32]| {
            let crossings: BTreeMap<_, _> = (!starts.is_empty()).then_some((RouteId(0), starts)).into_iter().collect();
            postcard::to_allocvec(&(spans, vacant, points, crossings)).unwrap()
        };
        let read = |bytes: Vec<u8>| postcard::from_bytes::<Routes>(&bytes);
        let refused = |spans: &[(u32, u32)], vacant: &[u32], points: usize| {
            read(bytes(spans, vacant, &vec![point(0.0); points], &[])).is_err()
        };
        assert!(!refused(&[(2, 1), (0, 0)], &[1], 2));
        assert!(refused(&[(2, 1), (0, 0)], &[1], 3), "a point too many");
        assert!(refused(&[(2, 1), (0, 0)], &[], 2), "a vacant one forgotten");
        assert!(refused(&[(2, 1), (0, 0)], &[1, 1], 2), "a vacant one twice");
        assert!(refused(&[(2, 1), (0, 0)], &[0, 1], 2), "a held one vacant");
        assert!(refused(&[(2, 1), (0, 0)], &[7], 2), "none of that number");
        assert!(refused(&[(u32::MAX, 1), (2, 1)], &[], 1), "too many points");
        for (starts, is_fine) in [(&[0_u32, 1][..], true), (&[1, 0], false), (&[2], false)] {
            assert_eq!(read(bytes(&[(3, 1)], &[], &[point(0.0); 3], starts)).is_ok(), is_fine, "{starts:?}");
        }
        for spoilt in [
            Waypoint { at: Vec2::NAN, ..point(0.0) },
            Waypoint { right: Vec2::INFINITY, ..point(0.0) },
            Waypoint { room_right: -1.0, ..point(0.0) },
            Waypoint { room_left: f32::NAN, ..point(0.0) },
        ] {
            assert!(read(bytes(&[(1, 1)], &[], &[spoilt], &[])).is_err(), "{spoilt:?}");
        }
    }
}
