//! Tests of the savings rules with independently generated bills and clusters.

mod bench;
mod cluster_generator;
mod clusters;
mod generator;
mod recomputed;
mod single;
