//! Tasks that make values of values.

pub mod crypto;
pub mod jsonata;
pub mod transform;
