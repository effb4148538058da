//! Routes as they are stored: without the gaps that released ones have left.

use super::{Routes, Span, Waypoint};
use serde::{Deserialize, Serialize};

/// The routes by their ids, which stay.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedRoutes {
    /// Points and holders of each; none where the id is vacant.
    spans: Vec<(u32, u32)>,
    /// The vacant ids, the one to be taken next at the end.
    vacant: Vec<u32>,
    /// The points of all, one route after the other.
    points: Vec<Waypoint>,
}

impl From<Routes> for SavedRoutes {
    fn from(routes: Routes) -> Self {
        let Routes { points: all, spans: from, vacant, garbage: _ } = routes;
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
        Self { spans, vacant, points }
    }
}

impl TryFrom<SavedRoutes> for Routes {
    type Error = &'static str;

    fn try_from(saved: SavedRoutes) -> Result<Self, Self::Error> {
        let SavedRoutes { spans: from, vacant, points } = saved;
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
            point.at.is_finite() && point.right.is_finite() && point.room_right >= 0.0 && point.room_left >= 0.0
        };
        if !points.iter().all(goes) {
            return Err("a point of a route is nowhere, or has no room");
        }
        let mut left: Vec<bool> = spans.iter().map(|span| span.holders == 0).collect();
        let all = vacant.iter().all(|&id| left.get_mut(id as usize).is_some_and(std::mem::take));
        if !all || left.contains(&true) {
            return Err("the vacant routes are not those that nobody holds");
        }
        Ok(Self { points, spans, vacant, garbage: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RouteId, Routes, Waypoint};
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
        let refused = |spans: &[(u32, u32)], vacant: &[u32], points: usize| {
            let bytes = postcard::to_allocvec(&(spans, vacant, vec![point(0.0); points])).unwrap();
            postcard::from_bytes::<Routes>(&bytes).is_err()
        };
        assert!(!refused(&[(2, 1), (0, 0)], &[1], 2));
        assert!(refused(&[(2, 1), (0, 0)], &[1], 3), "a point too many");
        assert!(refused(&[(2, 1), (0, 0)], &[], 2), "a vacant one forgotten");
        assert!(refused(&[(2, 1), (0, 0)], &[1, 1], 2), "a vacant one twice");
        assert!(refused(&[(2, 1), (0, 0)], &[0, 1], 2), "a held one vacant");
        assert!(refused(&[(2, 1), (0, 0)], &[7], 2), "none of that number");
        assert!(refused(&[(u32::MAX, 1), (2, 1)], &[], 1), "too many points");
        for spoilt in [
            Waypoint { at: Vec2::NAN, ..point(0.0) },
            Waypoint { right: Vec2::INFINITY, ..point(0.0) },
            Waypoint { room_right: -1.0, ..point(0.0) },
            Waypoint { room_left: f32::NAN, ..point(0.0) },
        ] {
            let bytes =
                postcard::to_allocvec(&([(1_u32, 1_u32)].as_slice(), [0_u32; 0].as_slice(), [spoilt].as_slice()))
                    .unwrap();
            assert!(postcard::from_bytes::<Routes>(&bytes).is_err(), "{spoilt:?}");
        }
    }
}
