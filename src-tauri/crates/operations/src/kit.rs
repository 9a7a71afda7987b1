//! What many operations need: arguments by name, rows by name, the account and the person a call is about.

mod arguments;
mod conditions;
mod look;
mod place;
mod reply;
mod trail;
pub(crate) mod values;

pub(crate) use arguments::Arguments;
pub(crate) use look::{Key, Look, Part};
pub(crate) use place::{account, person, tenant, text, uuid};
pub(crate) use reply::{read, reply, typed};
pub(crate) use trail::{Line, note, write_line};
