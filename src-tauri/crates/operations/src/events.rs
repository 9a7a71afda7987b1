//! Events: where they stand, and what people decide about them (semantics §7).

mod status;

use crate::Function;

pub(crate) const FIELDS: &[(&str, Function)] = &[("event_update_nb_status", status::update)];
