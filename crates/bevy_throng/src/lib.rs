//! A [Bevy](https://bevyengine.org) plugin of throng: the world is a resource, each agent an entity.
//!
//! [`ThrongPlugin`] lets the world of [`Throng`] tick in `FixedUpdate`, at the world's own step. Each agent is an entity with its
//! [`Agent`] id and a `Transform`: it is spawned when the agent comes, and despawned when the agent is gone. In `RunFixedMainLoop`, after
//! the ticks of a frame, the transforms are set to where the agents are between the last two ticks. Whatever else an
//! entity needs, as a sprite, a system of the game inserts where `Agent` was added.
#![doc = include_str!("../README.md")]

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use throng_grid::geom::Vec2;
use throng_sim::crowd::AgentId;
use throng_sim::world::{Between, Frame, World};

/// The world, and what the plugin keeps of it. A game tells it what to do by [`Throng::world_mut`], between two ticks.
#[derive(Resource, Debug)]
pub struct Throng {
    world: World,
    between: Between,
    frame: Frame,
    /// The entity of each slot, and the agent that it stands for.
    entities: Vec<Option<(AgentId, Entity)>>,
    /// By slot, where the agent is drawn: its place (m) and heading.
    drawn: Vec<(Vec2, Vec2)>,
}

impl Throng {
    /// Of a world, as it is now.
    pub fn new(world: World) -> Self {
        let mut frame = Frame::default();
        world.frame(&mut frame);
        Self { world, between: Between::default(), frame, entities: Vec::new(), drawn: Vec::new() }
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, to spawn, order, edit.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The world as it was after the last tick.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The entity of an agent; `None` where it is gone, or has come since the last tick.
    pub fn entity(&self, agent: AgentId) -> Option<Entity> {
        let &(known, entity) = self.entities.get(agent.slot as usize)?.as_ref()?;
        (known == agent).then_some(entity)
    }
}

/// The agent that an entity stands for.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agent(pub AgentId);

/// An agent has come to where it was sent.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// The agent.
    pub agent: AgentId,
    /// Its entity.
    pub entity: Entity,
}

/// An agent has died. Its entity is despawned with the next tick.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Died {
    /// The agent.
    pub agent: AgentId,
    /// The agent that killed it.
    pub by: AgentId,
}

/// No route was found for an agent. It asks again after a pause.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoute {
    /// The agent.
    pub agent: AgentId,
}

/// A tick ended with an error; it was done all the same: see [`World::tick`].
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What the world says.
    pub message: String,
}

/// Where the map lies in the space of Bevy. A metre is a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plane {
    /// In the plane of the screen of a 2D camera: y of the map grows downwards, y of Bevy upwards.
    #[default]
    Screen,
    /// On the ground of a 3D scene: y of the map is z.
    Ground,
}

impl Plane {
    /// The transform of a body at a place (m) that looks in a direction: along +x of its own on the screen, along -z on the ground.
    #[must_use]
    pub fn transform(self, at: Vec2, heading: Vec2) -> Transform {
        use bevy_transform::components::Transform as T;
        match self {
            Self::Screen => {
                let mut transform = T::from_xyz(at.x, -at.y, 0.0);
                transform.rotate_z((-heading.y).atan2(heading.x));
                transform
            }
            Self::Ground => {
                let mut transform = T::from_xyz(at.x, 0.0, at.y);
                transform.rotate_y((-heading.x).atan2(-heading.y));
                transform
            }
        }
    }
}

/// The plugin. It needs `bevy_time`'s plugin, which is among Bevy's `DefaultPlugins` and `MinimalPlugins`, and does nothing until there is a
/// [`Throng`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ThrongPlugin {
    /// Where the map lies.
    pub plane: Plane,
}

#[derive(Resource, Clone, Copy, Debug)]
struct Lies(Plane);

impl Plugin for ThrongPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Lies(self.plane))
            .add_message::<Arrived>()
            .add_message::<Died>()
            .add_message::<NoRoute>()
            .add_message::<Fault>()
            .add_systems(
                RunFixedMainLoop,
                (
                    keep_step.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
                    place.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
                )
                    .run_if(resource_exists::<Throng>),
            )
            .add_systems(FixedUpdate, tick.run_if(resource_exists::<Throng>));
    }
}

/// The step of Bevy's fixed time is that of the world.
fn keep_step(throng: Res<Throng>, mut time: ResMut<Time<Fixed>>) {
    let step = f64::from(throng.world.settings().step);
    if (time.timestep().as_secs_f64() - step).abs() > 1e-9 {
        time.set_timestep_seconds(step);
    }
}

/// Lets a tick pass; spawns and despawns entities, and writes the messages.
fn tick(
    mut throng: ResMut<Throng>,
    mut commands: Commands,
    lies: Res<Lies>,
    mut arrived: MessageWriter<Arrived>,
    mut died: MessageWriter<Died>,
    mut no_route: MessageWriter<NoRoute>,
    mut faults: MessageWriter<Fault>,
) {
    let Throng { world, between, frame, entities, .. } = &mut *throng;
    between.leave(frame);
    if let Err(error) = world.tick() {
        faults.write(Fault { message: error.to_string() });
    }
    world.frame(frame);
    // Those that are there no more.
    let living = |id: AgentId| world.health(id).is_some();
    for known in entities.iter_mut() {
        if let Some((id, entity)) = *known
            && !living(id)
        {
            commands.entity(entity).despawn();
            *known = None;
        }
    }
    for (row, &slot) in frame.id.iter().enumerate() {
        let place = slot as usize;
        if entities.len() <= place {
            entities.resize(place + 1, None);
        }
        if entities[place].is_none() {
            let id = world.crowd().id(slot);
            let transform = lies.0.transform(frame.position[row], frame.heading[row]);
            entities[place] = Some((id, commands.spawn((Agent(id), transform)).id()));
        }
    }
    let events = world.events();
    let entity = |agent: AgentId| entities.get(agent.slot as usize).copied().flatten().filter(|known| known.0 == agent);
    for &agent in &events.arrived {
        if let Some((_, entity)) = entity(agent) {
            arrived.write(Arrived { agent, entity });
        }
    }
    died.write_batch(events.deaths.iter().map(|death| Died { agent: death.who, by: death.by }));
    no_route.write_batch(events.no_route.iter().map(|&agent| NoRoute { agent }));
}

/// Sets the transforms to where the agents are at the time of this frame.
fn place(
    mut throng: ResMut<Throng>,
    time: Res<Time<Fixed>>,
    lies: Res<Lies>,
    mut agents: Query<(&Agent, &mut Transform)>,
) {
    let Throng { between, frame, drawn, .. } = &mut *throng;
    drawn.clear();
    drawn.resize(frame.id.iter().max().map_or(0, |&slot| slot as usize + 1), (Vec2::ZERO, Vec2::X));
    for (&slot, place) in frame.id.iter().zip(between.places(frame, time.overstep_fraction())) {
        drawn[slot as usize] = place;
    }
    for (agent, mut transform) in &mut agents {
        if let Some(&(at, heading)) = drawn.get(agent.0.slot as usize) {
            let scale = transform.scale;
            let new = lies.0.transform(at, heading).with_scale(scale);
            transform.set_if_neq(new);
        }
    }
}
