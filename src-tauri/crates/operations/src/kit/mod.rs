//! Helpers shared by many operations: arguments by name, rows by name, and the account and user of a call.

mod arguments;
mod conditions;
pub(crate) mod in_account;
mod look;
pub(crate) mod names;
mod place;
mod reading;
mod refuse;
mod reply;
mod trail;
pub(crate) mod values;

pub(crate) use arguments::Arguments;
pub(crate) use look::{Key, Look, Part};
pub(crate) use place::{account, person, tenant, tenant_of, text, uuid};
pub(crate) use reading::{Reading, read_and_keep, rules_change};
pub(crate) use refuse::refuse_inside_request;
pub(crate) use reply::{read, reply, typed};
pub(crate) use trail::{Line, note, write_line, writer};
