//! What is said of sign-in: whether it would work, what an answer of the provider came to, and who was not let in.

pub mod health;
pub mod refusals;
pub mod report;
pub mod trial;
