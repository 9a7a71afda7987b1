//! Tasks that transform values.

pub mod crypto;
pub mod jsonata;
pub mod transform;
