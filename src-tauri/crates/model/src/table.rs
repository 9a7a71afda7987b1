//! Traits and macros for tables: their rows, columns and keys.

use crate::cell::{Cell, Cells};
use std::marker::PhantomData;
use store::StoreError;

/// A table of the catalogue; implemented by the struct of its rows.
pub trait Table: Sized {
    /// The name in the catalogue.
    const NAME: &'static str;
}

/// A table with a primary key of one column.
pub trait PrimaryKey: Table {
    /// The type of the key; usually [`Id<Self>`](crate::Id).
    type Key: Cell;
    const KEY: Column<Self, Self::Key>;
}

/// A row type: all columns of the table, or some of them ([`row!`](crate::row)).
pub trait Row: Sized {
    type Table: Table;
    /// The columns, in the order [`Self::read`] takes them.
    const COLUMNS: &'static [&'static str];

    /// Converts the cells of a row.
    ///
    /// # Errors
    ///
    /// A value that the column's type cannot hold.
    fn read(cells: &mut Cells) -> Result<Self, StoreError>;
}

/// A column of table `T` with values of type `V`; `V` is an `Option` if the column is nullable.
pub struct Column<T, V> {
    pub(crate) name: &'static str,
    marker: PhantomData<fn() -> (T, V)>,
}

impl<T, V> Clone for Column<T, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, V> Copy for Column<T, V> {}

impl<T, V> Column<T, V> {
    /// For [`tables`](crate::tables) only: the caller guarantees that the table has a column of this name.
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name: plain(name), marker: PhantomData }
    }

    /// The name in the catalogue.
    pub const fn name(self) -> &'static str {
        self.name
    }
}

/// A name without the raw identifier prefix of Rust: `r#type` is `type`.
pub const fn plain(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', rest @ ..] => match std::str::from_utf8(rest) {
            Ok(name) => name,
            Err(_) => name,
        },
        _ => name,
    }
}

/// Describes one table: its row type, and a module with its columns as values (`users::status`) and as types.
macro_rules! table {
    (
        $(#[$about:meta])*
        $Row:ident in $table:ident $(by $key:ident)? {
            $($(#[$what:meta])* $column:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[allow(non_snake_case, reason = "some columns have capitals in the contract")]
        #[derive(Debug, Clone, PartialEq)]
        pub struct $Row {
            $($(#[$what])* pub $column: $type,)*
        }

        impl $crate::Table for $Row {
            const NAME: &'static str = $crate::plain(stringify!($table));
        }

        $(impl $crate::PrimaryKey for $Row {
            type Key = $table::columns::$key;
            const KEY: $crate::Column<Self, Self::Key> = $table::$key;
        })?

        impl $crate::Row for $Row {
            type Table = Self;
            const COLUMNS: &'static [&'static str] = &[$($crate::plain(stringify!($column))),*];

            fn read(cells: &mut $crate::Cells) -> Result<Self, $crate::StoreError> {
                Ok(Self { $($column: cells.take()?,)* })
            }
        }

        #[doc = concat!("Columns of [`", stringify!($Row), "`].")]
        #[allow(non_upper_case_globals, reason = "columns are called as the catalogue calls them")]
        pub mod $table {
            /// The row type, for [`row!`](crate::row).
            pub type Row = super::$Row;

            $($(#[$what])* pub const $column: $crate::Column<Row, columns::$column> =
                $crate::Column::new(stringify!($column));)*

            /// The types of the columns, by column name.
            #[allow(non_camel_case_types, unused_imports, reason = "the same, as types")]
            pub mod columns {
                use super::super::*;

                $(pub type $column = $type;)*
            }
        }
    };
}
pub(crate) use table;

/// Defines a row type with some columns of a table, typed as in the catalogue.
///
/// ```
/// model::row! {
///     /// Who signs in.
///     #[derive(Debug)]
///     pub struct Person from users { id, display_name, status }
/// }
/// let name = |person: Person| -> String { person.display_name };
/// # let _ = name;
/// ```
#[macro_export]
macro_rules! row {
    (
        $(#[$about:meta])*
        $visible:vis struct $Name:ident from $table:ident {
            $($(#[$what:meta])* $column:ident),* $(,)?
        }
    ) => {
        $(#[$about])*
        #[allow(non_snake_case, reason = "some columns have capitals in the contract")]
        $visible struct $Name {
            $($(#[$what])* $visible $column: $crate::tables::$table::columns::$column,)*
        }

        impl $crate::Row for $Name {
            type Table = $crate::tables::$table::Row;
            const COLUMNS: &'static [&'static str] = &[$($crate::tables::$table::$column.name()),*];

            fn read(cells: &mut $crate::Cells) -> Result<Self, $crate::StoreError> {
                Ok(Self { $($column: cells.take()?,)* })
            }
        }
    };
}
