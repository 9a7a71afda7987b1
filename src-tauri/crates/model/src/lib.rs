//! The catalogue in Rust: a struct for each table, an enum for each lookup, and typed reads and writes over the store.
//!
//! All reads and writes of product code go through this crate. Start at [`Read`] and [`Writer`]; the tables are in
//! [`tables`], generated from `schema/` (`UPDATE=1 cargo test -p model`).
//!
//! ```
//! use model::{Id, Read, User, Writer, row, tables::users};
//! # use model::{StoreError, Transaction, UserStatusType};
//!
//! row! { struct Person from users { id, display_name } }
//!
//! # fn example(rows: &Transaction<'_>, id: Id<User>) -> Result<(), StoreError> {
//! // All columns of one row; some columns of fifty; how many there are.
//! let user: Option<User> = rows.find(id)?;
//! let active = users::status.eq(UserStatusType::Active);
//! let newest = rows.query::<Person>().filter(active).order(users::created_at.desc()).limit(50);
//! let (people, total): (Vec<Person>, u64) = (newest.rows()?, newest.count()?);
//!
//! // One path writes. It needs rows that name an actor, as those of a call do, and leaves the audit row.
//! Writer::new(rows)?.update(users::id.eq(id), [users::display_name.to("Ada")])?;
//! # let _ = (user, people, total);
//! # Ok(())
//! # }
//! ```
//!
//! A wrong table, column or type does not compile. A database value outside the types (such as a lookup value unknown to this program) is an
//! error that names it. The store writes the SQL and checks access rights.

mod cell;
mod filter;
mod generated;
mod group;
mod lookup;
mod number;
mod scalars;
mod select;
mod table;
mod write;

pub use catalogue::Decimal;
pub use cell::{Cell, Cells};
pub use filter::{Filter, Order};
pub use generated::lookups::*;
pub use generated::operations;
pub use generated::rows::*;
pub use generated::tables;
pub use group::{GroupColumn, GroupColumns, Groups, count};
pub use number::Number;
pub use scalars::{Date, Id, Json, Secret, Timestamp, ZonedTimestamp};
pub use select::{Page, Read, Select};
pub use store::query::{Direction, Operator, TimeUnit};
pub use store::{StoreError, Transaction};
pub use table::{Column, PrimaryKey, Row, Table, plain};
pub use write::{Assignment, Patch, Writer};
