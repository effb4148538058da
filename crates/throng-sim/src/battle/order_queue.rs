//! Orders that a squad is to carry out one after another.

use super::Order;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Orders that follow the present one of a squad, the next one first.
///
/// See [`World::queue_order`](crate::world::World::queue_order).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OrderQueue {
    orders: VecDeque<Order>,
    /// The last tick in which a member had an enemy in sight, under the present order.
    pub(crate) engaged: Option<u64>,
}

impl OrderQueue {
    /// The most orders that may wait.
    pub const MAX: usize = 64;

    /// How many wait.
    pub fn len(&self) -> usize {
        self.orders.len()
    }

    /// True where none waits.
    pub fn is_empty(&self) -> bool {
        self.orders.is_empty()
    }

    /// The orders, the next one first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Order> {
        self.orders.iter().copied()
    }

    pub(crate) fn push(&mut self, order: Order) {
        self.orders.push_back(order);
    }

    /// Takes the next one.
    pub(crate) fn take(&mut self) -> Option<Order> {
        self.engaged = None;
        self.orders.pop_front()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.orders.capacity() * size_of::<Order>()
    }
}

impl FromIterator<Order> for OrderQueue {
    fn from_iter<T: IntoIterator<Item = Order>>(orders: T) -> Self {
        Self { orders: orders.into_iter().collect(), engaged: None }
    }
}
