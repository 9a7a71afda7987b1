//! A start that fails because the database is damaged, told apart from one that fails for other reasons.

use crate::error::chain;
use crate::house::HouseError;
use crate::put_back::WayOut;
use crate::service::StartError;
use crate::settings::Settings;
use store::OpenError;

/// Where the database is damaged and there is a sound backup, the error names it.
pub fn with_a_way_out(error: StartError, settings: &Settings) -> StartError {
    let is_damage = match &error {
        StartError::House(HouseError::Open(OpenError::NotOurs { .. } | OpenError::Lost { .. })) => true,
        error => store::is_damage(error),
    };
    match is_damage.then(|| WayOut::newest(settings)).flatten() {
        Some(way_out) => {
            let data_dir = settings.data_dir.display().to_string();
            StartError::Damaged { cause: chain(&error), way_out, data_dir }
        }
        None => error,
    }
}
