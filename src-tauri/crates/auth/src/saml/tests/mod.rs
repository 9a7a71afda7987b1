//! Tests of the checks: good responses in every form, and hostile ones, each with its own cause.

mod attacks;
mod cpu;
mod exchange;
mod fuzz;
mod good;
mod reach;
mod settings;

use super::kit::{Idp, NOW};

fn good_idp() -> Idp {
    Idp::new("sso.example.com", NOW - 86_400_000_000, NOW + 100 * 86_400_000_000)
}
