//! The rules for waste beside bills that know nothing of them.

mod bench;
mod cluster_generator;
mod clusters;
mod generator;
mod recomputed;
mod single;
