//! User journeys from beginning to end, in a real browser and in the real window.

mod again;
mod assistant;
mod autopilot;
mod closing;
mod damage;
mod dropping;
mod explore;
#[cfg(target_os = "linux")]
mod guarded;
mod imports;
mod instances;
mod keyboard;
mod knowledge_graph;
#[cfg(target_os = "linux")]
mod menu;
mod models;
mod narrow;
mod palette;
mod paper;
mod post_mortem;
mod recommendations;
mod resources;
mod saml;
mod sample;
mod settings;
pub mod spend;
mod tenants;
#[cfg(target_os = "linux")]
mod tray;
#[cfg(unix)]
mod two_servers;
mod views;
mod window;
mod window_choices;
