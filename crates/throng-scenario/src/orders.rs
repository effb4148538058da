//! Orders in a scenario, read and written: a word, or a table with the key of the order.

use super::document::Value;
use super::schema::ORDER;
use super::section::Section;
use super::squads::{SquadPlacer, nowhere, settle, squad_names};
use super::values_saved::{facing, number, point};
use super::{ScenarioError, Warning, journeys};
use throng_grid::geom::Vec2;
use throng_sim::battle::{Front, Leader, Order, OrderKind, OrderQueue, Pursuit};
use throng_sim::world::SquadId;
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Value as Written};

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
            let order = self.of_value(order, ground, from, refuse, warnings)?;
            self.check_pursuit(order, table, "then", "name")
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
        let order = self.of_value(order, ground, from, || nowhere(table, key, radius), warnings)?;
        self.check_pursuit(order, table, "order", if table.schema.kind("squad").is_some() { "squad" } else { "name" })
    }

    /// To follow the squad of a name.
    fn pursuit(&self, order: Section<'_>) -> Result<Order, ScenarioError> {
        let Some(leader) = order.name(OrderKind::Follow.name()) else { return Ok(Order::Hold) };
        let known: Vec<&str> = squad_names(self.file).collect();
        let leader = SquadId(leader.among(self.file.source, "squad", &known)? as u32);
        Ok(Order::Follow(Pursuit::new(leader, order.number("distance"))))
    }

    /// Refuses an order of a squad to follow itself, which stands at a key of a table that names the squad at another.
    fn check_pursuit(&self, order: Order, table: Section<'_>, key: &str, name: &str) -> Result<Order, ScenarioError> {
        if let (Order::Follow(Pursuit { leader: Leader::Squad(leader), .. }), Some(own)) = (order, table.text(name))
            && squad_names(self.file).nth(leader.index()) == Some(own)
        {
            return table.wrong(key, format!("squad {own:?} cannot follow itself; name another squad"));
        }
        Ok(order)
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
        let kind = kind_of(&order);
        let mut goal = || {
            let wanted = order.near_map(kind.name(), self.grounds[ground].lattice())?.unwrap_or_default();
            let (goal, why) = settle(wanted, &self.grounds[ground], from).ok_or_else(&refuse)?;
            if let Some(why) = why {
                warnings.push(Warning::GoalMoved { at: order.at_key(kind.name()), why, from: wanted, to: goal });
            }
            Ok::<Vec2, ScenarioError>(goal)
        };
        Ok(match kind {
            OrderKind::Hold => Order::Hold,
            OrderKind::Attack => Order::Attack,
            OrderKind::Charge => Order::Charge,
            OrderKind::Flee => Order::Flee,
            OrderKind::Guard => Order::Guard { within: order.number(kind.name()) },
            OrderKind::GoTo => Order::GoTo(goal()?),
            OrderKind::Move => Order::Move(goal()?),
            OrderKind::Line => Order::Line(Front {
                centre: goal()?,
                facing: order.number("facing"),
                width: order.number("width"),
                fights: order.flag("fights").unwrap_or(true),
            }),
            OrderKind::Travel => match order.name(kind.name()) {
                Some(journey) => Order::Travel(journeys::find(self.file, &journey)?),
                None => Order::Hold,
            },
            OrderKind::Follow => self.pursuit(order)?,
        })
    }
}

/// The kind of an order: the word, or the key of the table.
fn kind_of(order: &Section<'_>) -> OrderKind {
    let is = |kind: &OrderKind| match &order.node.value {
        Value::Text(word) => word == kind.name(),
        _ => !is_word(*kind) && order.has(kind.name()),
    };
    OrderKind::ALL.into_iter().find(is).unwrap_or(OrderKind::Hold)
}

/// True where an order is a word in a scenario; others are tables with a key of their name.
pub(super) const fn is_word(kind: OrderKind) -> bool {
    match kind {
        OrderKind::Hold | OrderKind::Attack | OrderKind::Charge | OrderKind::Flee => true,
        OrderKind::GoTo
        | OrderKind::Guard
        | OrderKind::Move
        | OrderKind::Travel
        | OrderKind::Line
        | OrderKind::Follow => false,
    }
}

/// The orders that are words.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    OrderKind::ALL.into_iter().filter(|&kind| is_word(kind)).map(OrderKind::name)
}

// Each order that is no word has a key.
const _: () = {
    let mut kind = 0;
    while kind < OrderKind::ALL.len() {
        assert!(is_word(OrderKind::ALL[kind]) || ORDER.has_key(OrderKind::ALL[kind].name()), "an order without a key");
        kind += 1;
    }
};

/// An order of a map of this size (m), in a file with squads of these names: a point off the map is written as the nearest one of the map, as it is understood.
pub(super) fn written((document, squads): (&DocumentMut, &[String]), size: Vec2, order: Order) -> Written {
    let with = |value: Written| Written::from(InlineTable::from_iter([(order.name(), value)]));
    let on_map = |at: Vec2| Written::from(point(at.clamp(Vec2::ZERO, size)));
    match order {
        Order::Hold | Order::Attack | Order::Charge | Order::Flee => order.name().into(),
        Order::Guard { within } => with(number(within)),
        Order::GoTo(to) | Order::Move(to) => with(on_map(to)),
        Order::Line(Front { centre, facing: looks, width, fights }) => {
            let mut table = InlineTable::from_iter([
                (order.name(), on_map(centre)),
                ("facing", facing(looks)),
                ("width", number(width)),
            ]);
            if !fights {
                table.insert("fights", false.into());
            }
            table.into()
        }
        Order::Travel(journey) => with(journey_name(document, journey.0 as usize).into()),
        Order::Follow(Pursuit { leader, distance, .. }) => {
            let name = match leader {
                Leader::Squad(leader) => squads.get(leader.index()).filter(|name| !name.is_empty()),
                Leader::Agent(_) => None,
            };
            // What has no name cannot be followed in a file.
            let Some(name) = name else { return Order::Hold.name().into() };
            InlineTable::from_iter([(order.name(), name.as_str().into()), ("distance", number(distance))]).into()
        }
    }
}

/// The name of a journey, by its place in the file.
fn journey_name(document: &DocumentMut, place: usize) -> String {
    let journeys = document.get("journey");
    let tables = journeys.and_then(Item::as_array_of_tables).and_then(|tables: &ArrayOfTables| tables.get(place));
    let inline = || journeys.and_then(Item::as_array).and_then(|list| list.get(place)?.as_inline_table()?.get("name"));
    let name = match tables {
        Some(table) => table.get("name").and_then(Item::as_str),
        None => inline().and_then(Written::as_str),
    };
    name.unwrap_or_default().to_owned()
}
