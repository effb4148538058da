//! Orders in a scenario: a word, or a table with the key of the order.

use super::document::Value;
use super::schema::ORDER;
use super::section::Section;
use super::squads::{SquadPlacer, nowhere, settle};
use super::{ScenarioError, Warning, journeys};
use throng_grid::geom::Vec2;
use throng_sim::battle::{Front, Order, OrderQueue};

impl SquadPlacer<'_> {
    /// The order of a squad on a ground and those that follow it. `of` are the radius of its bodies (m) and the key at which is
    /// said that nothing can stand anywhere; `from` is where it stands (m), if that is known.
    pub fn orders(
        &self,
        table: Section<'_>,
        of: (f32, &str),
        ground: usize,
        from: Option<Vec2>,
        warnings: &mut Vec<Warning>,
    ) -> Result<(Order, Vec<Order>), ScenarioError> {
        let order = self.order(table, of, ground, from, warnings)?;
        let found = table.elements("then", &ORDER).count();
        if found > OrderQueue::MAX {
            let message = format!("then has at most {} orders, found {found}; remove some", OrderQueue::MAX);
            return table.wrong("then", message);
        }
        let queue = table.elements("then", &ORDER).map(|order| {
            let refuse = || nowhere(table, of.1, of.0);
            self.of_value(order, ground, from, refuse, warnings)
        });
        Ok((order, queue.collect::<Result<_, _>>()?))
    }

    /// The order under the key `order` of a table: a goal in a wall is moved to a cell that can be reached.
    pub fn order(
        &self,
        table: Section<'_>,
        (radius, key): (f32, &str),
        ground: usize,
        from: Option<Vec2>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Order, ScenarioError> {
        let Some(node) = table.get("order") else { return Ok(Order::Hold) };
        let order = Section { node, schema: &ORDER, ..table };
        self.of_value(order, ground, from, || nowhere(table, key, radius), warnings)
    }

    /// An order by its value; `refuse` makes the error of a map on which no body can stand.
    fn of_value(
        &self,
        order: Section<'_>,
        ground: usize,
        from: Option<Vec2>,
        refuse: impl Fn() -> ScenarioError,
        warnings: &mut Vec<Warning>,
    ) -> Result<Order, ScenarioError> {
        if let Value::Text(word) = &order.node.value {
            return Ok(plain(word));
        }
        if let Some(journey) = order.name("travel") {
            return Ok(Order::Travel(journeys::find(self.file, &journey)?));
        }
        let Some(goes) = ["go_to", "move", "line"].into_iter().find(|key| order.has(key)) else {
            return Ok(Order::Guard { within: order.number("guard") });
        };
        let wanted = order.near_map(goes, self.grounds[ground].lattice())?.unwrap_or_default();
        let (goal, why) = settle(wanted, &self.grounds[ground], from).ok_or_else(refuse)?;
        if let Some(why) = why {
            warnings.push(Warning::GoalMoved { at: order.at_key(goes), why, from: wanted, to: goal });
        }
        Ok(match goes {
            "go_to" => Order::GoTo(goal),
            "move" => Order::Move(goal),
            _ => Order::Line(Front {
                centre: goal,
                facing: order.number("facing"),
                width: order.number("width"),
                fights: order.flag("fights").unwrap_or(true),
            }),
        })
    }
}

/// The order of a word.
fn plain(word: &str) -> Order {
    match word {
        "attack" => Order::Attack,
        "charge" => Order::Charge,
        "flee" => Order::Flee,
        _ => Order::Hold,
    }
}
