//! Reports about sign-in: its health, the checks of a response, and refused sign-ins.

pub mod health;
pub mod refusals;
pub mod report;
pub mod trial;
