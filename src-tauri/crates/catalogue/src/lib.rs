//! The catalogue: the structure of the data and who may see it, read from `schema/`.
//!
//! Start at [`Catalogue::parse`]. DDL, GraphQL types, rights and the reference page are all derived from the [`Catalogue`] it returns and
//! therefore agree. This crate uses no disk, clock or network: the caller passes the file texts in.

mod caller;
mod decimal;
mod error;
mod listing;
mod migration;
mod model;
mod operations;
mod parse;
mod reference;
mod rights;
mod timestamp;
mod value;
mod view_field;

pub use caller::{Caller, CallerAccounts, Reach, Right, Role, Scope as CallerScope};
pub use decimal::{Decimal, DecimalError, DecimalSum, DecimalText};
pub use error::{CatalogueError, Problem};
pub use listing::{
    Listing, ListingColumn, ListingCondition, ListingFigure, ListingKind, ListingMeasure, ListingSource,
    ListingTest, ListingValue, LogicalType, RequestType,
};
pub use migration::{Migration, Rebuilds, RemovedPart};
pub use model::*;
pub use operations::{Member, Operation, PlainType, Root, TypeBase, TypeShape, TypeUse, scalar};
pub use parse::Source;
pub use reference::{Example, reference};
pub use timestamp::{
    format_date, format_timestamp, format_timestamptz, parse_date, parse_timestamp, write_date,
    write_timestamp,
};
pub use value::{Value, ValueRef};
pub use view_field::ViewField;
