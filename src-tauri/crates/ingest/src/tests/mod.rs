//! Imports into a real database made from the real catalogue.

mod again;
mod bad_input;
mod clusters;
mod deliveries;
mod documents;
mod focus;
mod forms;
mod kit;
mod manifests;
mod recommendations;
mod sample;
mod samples;
mod shapes;
mod size;

pub use kit::gzip;
