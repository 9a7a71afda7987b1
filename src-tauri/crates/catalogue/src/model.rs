//! The parts of the catalogue: areas, tables, columns, relationships, lookups.

mod column;

pub use column::{Alias, Column, Default, OnDelete, Reference, Scalar, SharedPlace};

use crate::{Migration, Operation, PlainType};
use std::collections::HashMap;

/// Place of a table in [`Catalogue::tables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub u16);

/// Place of a column in [`Table::columns`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub u16);

/// Place of a relationship in [`Table::relationships`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationshipId(pub u16);

/// The table of people.
const PEOPLE: &str = "users";
/// Columns that name who wrote a row.
const AUTHORS: [&str; 3] = ["created_by", EDITOR, "user"];
/// The column that names who changed a row last.
const EDITOR: &str = "updated_by";

/// All that `schema/` says, checked: every name it mentions exists.
#[derive(Debug, Clone)]
pub struct Catalogue {
    pub tables: Vec<Table>,
    /// Enums of the interface that have no table. Those of lookups are found at the lookup.
    pub enums: Vec<EnumType>,
    /// Listings over tables: the `_v2` operations.
    pub listings: Vec<crate::Listing>,
    /// Root fields over views that take arguments.
    pub view_fields: Vec<crate::ViewField>,
    /// Types of arguments and answers of operations, in the order of the files; enums are in `enums`.
    pub types: Vec<PlainType>,
    /// Root fields with code.
    pub operations: Vec<Operation>,
    /// Where the store writes down who changed what, if the catalogue has such a table.
    pub trail: Option<Trail>,
    /// How databases of earlier versions become ones of this catalogue, in the order of the numbers.
    pub migrations: Vec<Migration>,
    pub(crate) by_name: HashMap<String, TableId>,
}

impl Catalogue {
    pub fn table(&self, id: TableId) -> &Table {
        &self.tables[usize::from(id.0)]
    }

    pub fn find(&self, name: &str) -> Option<TableId> {
        self.by_name.get(name).copied()
    }

    /// A type of `operations/` by name; none for enums and the scalars every catalogue knows.
    pub fn find_type(&self, name: &str) -> Option<&PlainType> {
        self.types.iter().find(|plain| plain.name == name)
    }

    /// Whether a table of the interface has a root field of that name.
    pub(crate) fn is_root(&self, name: &str) -> bool {
        self.find(name).is_some_and(|id| self.table(id).exposed && self.table(id).root)
    }

    /// The values of an enum that the interface shows as a scalar, in their order.
    pub fn scalar_values(&self, scalar: &Scalar) -> Option<&[LookupValue]> {
        let Scalar::Enum { name, lookup: None } = scalar else { return None };
        let plain = self.enums.iter().find(|plain| plain.is_scalar && plain.name == *name)?;
        Some(&plain.values)
    }

    /// Whether a column says who wrote its row: it refers to a person, under one of the names for that.
    pub fn is_author(&self, column: &Column) -> bool {
        AUTHORS.contains(&column.name.as_str()) && self.is_of_person(column)
    }

    /// Whether a column says who changed its row last.
    pub fn is_editor(&self, column: &Column) -> bool {
        column.name == EDITOR && self.is_of_person(column)
    }

    fn is_of_person(&self, column: &Column) -> bool {
        let people = self.find(PEOPLE);
        column.references.as_ref().is_some_and(|reference| Some(reference.table) == people)
    }

    /// The values of an enum of the interface, with or without a table.
    pub fn enum_values(&self, name: &str) -> Option<&[LookupValue]> {
        let plain = self.enums.iter().find(|plain| plain.name == name).map(|plain| plain.values.as_slice());
        plain.or_else(|| {
            self.tables.iter().find_map(|table| match &table.kind {
                TableKind::Lookup { enum_name: Some(found), values } if found == name => {
                    Some(values.as_slice())
                }
                _ => None,
            })
        })
    }

    /// Every table with its id, in the order of the files.
    pub fn iter(&self) -> impl Iterator<Item = (TableId, &Table)> {
        self.tables.iter().enumerate().map(|(index, table)| {
            (TableId(u16::try_from(index).expect("a catalogue has fewer than 65,536 tables")), table)
        })
    }
}

/// A table, or a view with the same face.
#[derive(Debug, Clone)]
pub struct Table {
    pub name: String,
    /// What a row is, for people; one or two sentences.
    pub description: String,
    /// The file it came from, without folder and ending: `cost`, `recommendations`, …
    pub area: String,
    pub kind: TableKind,
    /// Whether the GraphQL interface shows it. The service's own tables (sessions, secrets) are kept from it.
    pub exposed: bool,
    /// Whether it has root fields (`T`, `T_aggregate`, `T_by_pk`). Tables reached through relationships only have none.
    pub root: bool,
    /// Who may change its rows through the interface, as the catalogue says it; [`Table::writers`] is what holds.
    pub written_by: Writers,
    pub columns: Vec<Column>,
    /// Further names of columns (`@same_as`). They hold nothing of their own: [`Table::find_column`] answers the column.
    pub aliases: Vec<Alias>,
    /// Empty for a view without key.
    pub primary_key: Vec<ColumnId>,
    /// The key's name in the interface (`T_constraint`).
    pub primary_key_name: String,
    /// Unique constraints, the primary key's not among them.
    pub unique: Vec<Unique>,
    /// Indices that matter for reading.
    pub indices: Vec<Index>,
    pub relationships: Vec<Relationship>,
    pub scope: Scope,
    /// Which of the tenant's rows a caller meets whose roles cover single accounts or namespaces. `None`: nobody has
    /// decided, so none of them; a test of the product's catalogue refuses that.
    pub account: Option<AccountScope>,
    /// Such a caller meets only rows whose column is the person.
    pub own: Option<ColumnId>,
    /// Whatever their roles, everybody meets and changes the rows whose column is them, and no others.
    pub private: Option<ColumnId>,
    /// What of its rows is kept beside them by columns, for sums over very many.
    pub segments: Option<Segments>,
    /// Whose words are kept for searching.
    pub searched: Option<SearchColumns>,
    /// Columns with a mark that is another one after every change of them: see `@marked` in `schema/README.md`. Empty: there is none.
    pub marked: Vec<ColumnId>,
    pub(crate) columns_by_name: HashMap<String, ColumnId>,
    pub(crate) relationships_by_name: HashMap<String, RelationshipId>,
}

impl Table {
    pub fn column(&self, id: ColumnId) -> &Column {
        &self.columns[usize::from(id.0)]
    }

    /// The column of that name; for an alias the column it stands for.
    pub fn find_column(&self, name: &str) -> Option<ColumnId> {
        self.columns_by_name.get(name).copied()
    }

    /// Whether a column itself has that name, not an alias.
    pub fn has_stored_column(&self, name: &str) -> bool {
        self.find_column(name).is_some_and(|id| self.column(id).name == name)
    }

    /// The columns as the interface lists them: those of the database, then aliases.
    pub fn interface_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().chain(self.aliases.iter().map(|alias| &alias.column))
    }

    pub fn relationship(&self, id: RelationshipId) -> &Relationship {
        &self.relationships[usize::from(id.0)]
    }

    pub fn find_relationship(&self, name: &str) -> Option<RelationshipId> {
        self.relationships_by_name.get(name).copied()
    }

    /// Every column with its id, in the order of the file.
    pub fn iter_columns(&self) -> impl Iterator<Item = (ColumnId, &Column)> {
        self.columns.iter().enumerate().map(|(index, column)| {
            (ColumnId(u16::try_from(index).expect("a table has fewer than 65,536 columns")), column)
        })
    }
}

#[derive(Debug, Clone)]
pub enum TableKind {
    Table,
    /// Rows come from `schema/views/<name>.sql`: one SELECT both databases understand.
    /// One with `parameters` (`:name` in the text) is no view of the database: it stands in the statements that read it.
    View {
        select: String,
        parameters: Vec<String>,
    },
    /// A list of allowed values. Its rows are part of the catalogue; `enum_name` is the GraphQL enum of its values, where
    /// the interface has one (`recommendation_status_type_enum`). `values` are (value, description).
    Lookup {
        enum_name: Option<String>,
        values: Vec<LookupValue>,
    },
}

/// A value of a lookup or of an enum without a table.
#[derive(Debug, Clone)]
pub struct LookupValue {
    pub value: String,
    /// When it applies.
    pub description: String,
    /// The row of the lookup: every cell it has (value and description among them). Empty for an enum without a table.
    pub cells: Vec<(ColumnId, crate::Value)>,
}

/// An enum of the interface whose values are in no table.
#[derive(Debug, Clone)]
pub struct EnumType {
    pub name: String,
    pub description: String,
    /// Like [`Table::area`].
    pub area: String,
    pub values: Vec<LookupValue>,
    /// A type of the database that the interface shows as a scalar: its values have an order, the one they stand in.
    pub is_scalar: bool,
}

/// Which rows a tenant's caller may meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Lookups and other rows that belong to nobody.
    Everyone,
    /// Rows whose column equals the caller's tenant.
    Tenant(ColumnId),
    /// Rows whose related row (through any of the two kinds of relationship) the caller may meet.
    Through(RelationshipId),
    /// The service's own rows; never for a tenant's caller.
    House,
}

/// Which rows of a tenant a caller meets whose roles cover single accounts or namespaces only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountScope {
    /// None: the table is for roles over the whole tenant.
    None,
    /// All that the tenant's callers meet (its own row, general knowledge). Never to write.
    All,
    /// Rows whose column is an account of the caller; with a namespace also rows of the caller's namespaces. Where
    /// both are the same column, the row is the account: whoever has a namespace of it reads it.
    Column { account: ColumnId, namespace: Option<ColumnId> },
    /// Rows whose related row the caller meets.
    Through(RelationshipId),
}

/// Who may change rows of a table through the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    /// Nobody: the service keeps them (`write: false`).
    Nobody,
    /// Roles that write the whole tenant (`write: tenant`).
    Tenant,
    /// Those, and roles that write the row's account or namespace.
    Accounts,
}

/// By what a table's rows are searched: see `@searched` in `schema/README.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchColumns {
    pub text: ColumnId,
    /// What a row is a part of: vectors are kept for all parts of one thing together.
    pub of: ColumnId,
}

/// What is kept of a table's rows beside them, column by column: see `@segments` in `schema/README.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segments {
    /// When a row counts; µs since 1970, UTC.
    pub time: ColumnId,
    /// What rows are grouped and filtered by, beside `time`.
    pub by: Vec<Dimension>,
    /// Exact numbers that are added up.
    pub sums: Vec<ColumnId>,
    /// Sums kept ready.
    pub cubes: Vec<Cube>,
}

/// What rows are grouped and filtered by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dimension {
    Column(ColumnId),
    /// The text under a key of a JSON column.
    Key(ColumnId, String),
    /// The text at a place of a JSON column (`$.a[0]`).
    Path(ColumnId, String),
    /// The first that is not null, of columns that hold texts and places in JSON.
    First(Vec<Dimension>),
}

impl Dimension {
    /// The columns it is told from.
    pub fn columns(&self) -> Vec<ColumnId> {
        match self {
            Self::Column(column) | Self::Key(column, _) | Self::Path(column, _) => vec![*column],
            Self::First(members) => members.iter().flat_map(Self::columns).collect(),
        }
    }
}

/// Sums of a table kept ready for each unit of time and combination of columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cube {
    pub every: Every,
    /// Some of [`Segments::by`].
    pub by: Vec<Dimension>,
}

/// The units of time of a [`Cube`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Every {
    Day,
    Month,
}

#[derive(Debug, Clone)]
pub struct Unique {
    /// The constraint's name in the interface (`T_constraint`).
    pub name: String,
    pub columns: Vec<ColumnId>,
    /// The constraint binds rows in which this column is null, and leaves the others alone.
    pub unless: Option<ColumnId>,
}

#[derive(Debug, Clone)]
pub struct Index {
    pub name: String,
    pub columns: Vec<ColumnId>,
}

#[derive(Debug, Clone)]
pub struct Relationship {
    pub name: String,
    pub description: String,
    pub kind: RelationshipKind,
    pub target: TableId,
    /// Pairs of (column here, column there) that must be equal.
    pub join: Vec<(ColumnId, ColumnId)>,
    /// `One` only: whether the interface promises a row.
    pub nullable: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelationshipKind {
    One,
    Many,
}

/// The table of the audit trail (`@trail`), and its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trail {
    pub table: TableId,
    /// Whose row was changed.
    pub tenant: ColumnId,
    /// The person who changed it; null for the service itself.
    pub person: ColumnId,
    /// The time of the change.
    pub time: ColumnId,
    /// The name of the table whose row it was, and the row's key as a JSON object.
    pub row_table: ColumnId,
    pub row_key: ColumnId,
    /// `insert`, `update` or `delete`.
    pub change: ColumnId,
    /// The root field that changed it.
    pub operation: ColumnId,
    /// JSON objects of what stood there and what stands there now.
    pub before: ColumnId,
    pub after: ColumnId,
}
