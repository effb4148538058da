//! A battle in a window: its simulation on a thread, panels, tools, marks, orders, deployment, chronicle.
//! Commands go to the simulation, and its newest frame is shown.

mod action;
mod battle_view;
mod chronicle;
pub(crate) mod command;
mod deploying;
mod destinations;
mod directing;
pub(crate) mod groups;
mod hud;
pub(crate) mod inspect;
mod keys;
mod lines;
pub(crate) mod marks;
mod measuring;
mod mini_map;
mod panels;
pub(crate) mod places;
mod room;
mod samples;
mod saving;
pub(crate) mod scene;
mod selection;
pub(crate) mod simulation;
pub(crate) mod simulation_error;
mod squad_table;
mod tick_history;
mod tools;

pub(crate) use battle_view::BattleView;
