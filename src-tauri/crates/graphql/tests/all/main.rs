//! The interface over the catalogue of the project, from outside the crate.

mod contract;
mod examples;
mod generated;
mod house;
mod project;
mod properties;
mod rights;
