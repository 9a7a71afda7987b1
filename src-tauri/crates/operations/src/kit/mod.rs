//! Helpers shared by many operations: arguments by name, rows by name, and the account and user of a call.

mod arguments;
mod conditions;
pub(crate) mod in_account;
mod look;
pub(crate) mod names;
mod place;
mod refuse;
mod reply;
mod snapshot_analysis;
mod trail;
pub(crate) mod values;

pub(crate) use arguments::Arguments;
pub(crate) use look::{Key, Look, Part};
pub(crate) use place::{account, person, tenant, tenant_of, text, uuid};
pub(crate) use refuse::refuse_inside_request;
pub(crate) use reply::{read, reply, typed};
pub(crate) use snapshot_analysis::{SnapshotResult, analyse_and_store, rules_change};
pub(crate) use trail::{Line, note, write_line, writer};
