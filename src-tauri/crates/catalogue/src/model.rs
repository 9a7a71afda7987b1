//! The parts of the catalogue: tables, columns, relationships, lookups, scopes.

mod column;

pub use column::{Alias, Column, Default, OnDelete, Reference, Scalar, SharedPosition};

use crate::{Migration, Operation, PlainType};
use std::collections::HashMap;

/// Index of a table in [`Catalogue::tables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub u16);

/// Index of a column in [`Table::columns`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub u16);

/// Index of a relationship in [`Table::relationships`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationshipId(pub u16);

/// The table of users.
const USERS: &str = "users";
/// Columns that name the user who wrote a row.
const AUTHORS: [&str; 3] = ["created_by", EDITOR, "user"];
/// The column that names the user who last changed a row.
const EDITOR: &str = "updated_by";

/// The validated content of `schema/`: every name it refers to exists.
#[derive(Debug, Clone)]
pub struct Catalogue {
    pub tables: Vec<Table>,
    /// Enums of the interface without a table. Enums of lookups are in the lookup's table.
    pub enums: Vec<EnumType>,
    /// Listings over tables: the `_v2` root fields.
    pub listings: Vec<crate::Listing>,
    /// Root fields over views with arguments.
    pub view_fields: Vec<crate::ViewField>,
    /// Argument and result types of operations, in file order. Enums are in `enums`.
    pub types: Vec<PlainType>,
    /// Root fields implemented in code.
    pub operations: Vec<Operation>,
    /// The table of the audit trail, if the catalogue has one.
    pub trail: Option<Trail>,
    /// Migrations from earlier versions of the database, in order of their numbers.
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

    /// Finds a type of `operations/` by name. `None` for enums and for the scalars that every catalogue has.
    pub fn find_type(&self, name: &str) -> Option<&PlainType> {
        self.types.iter().find(|plain| plain.name == name)
    }

    /// Whether an exposed table has a root field of this name.
    pub(crate) fn is_root(&self, name: &str) -> bool {
        self.find(name).is_some_and(|id| self.table(id).exposed && self.table(id).root)
    }

    /// The values, in order, of an enum that the interface shows as a scalar.
    pub fn scalar_values(&self, scalar: &Scalar) -> Option<&[LookupValue]> {
        let Scalar::Enum { name, lookup: None } = scalar else { return None };
        let plain = self.enums.iter().find(|plain| plain.is_scalar && plain.name == *name)?;
        Some(&plain.values)
    }

    /// Whether the column names the user who wrote the row: it refers to `users` and has one of the names in `AUTHORS`.
    pub fn is_author(&self, column: &Column) -> bool {
        AUTHORS.contains(&column.name.as_str()) && self.refers_to_user(column)
    }

    /// Whether the column names the user who last changed the row.
    pub fn is_editor(&self, column: &Column) -> bool {
        column.name == EDITOR && self.refers_to_user(column)
    }

    fn refers_to_user(&self, column: &Column) -> bool {
        let people = self.find(USERS);
        column.references.as_ref().is_some_and(|reference| Some(reference.table) == people)
    }

    /// The values of a GraphQL enum, with or without a table.
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

    /// All tables with their ids, in file order.
    pub fn iter(&self) -> impl Iterator<Item = (TableId, &Table)> {
        self.tables.iter().enumerate().map(|(index, table)| {
            (TableId(u16::try_from(index).expect("a catalogue has fewer than 65,536 tables")), table)
        })
    }
}

/// A table, or a view that is queried like one.
#[derive(Debug, Clone)]
pub struct Table {
    pub name: String,
    /// What a row represents, for readers of the interface; one or two sentences.
    pub description: String,
    /// The name of its file, without folder and extension: `cost`, `recommendations`, …
    pub area: String,
    pub kind: TableKind,
    /// Whether GraphQL exposes it. The service's own tables (sessions, secrets) are not exposed.
    pub exposed: bool,
    /// Whether it has root fields (`T`, `T_aggregate`, `T_by_pk`). False for tables reached through relationships only.
    pub root: bool,
    /// Who may change rows through the interface, as written in `schema/`. [`Table::writers`] returns the effective value.
    pub written_by: Writers,
    pub columns: Vec<Column>,
    /// Second names of columns (`@same_as`). They store nothing: [`Table::find_column`] returns the original column.
    pub aliases: Vec<Alias>,
    /// Empty for a view without a key.
    pub primary_key: Vec<ColumnId>,
    /// The name of the key in GraphQL (`T_constraint`).
    pub primary_key_name: String,
    /// Unique constraints, without the primary key.
    pub unique: Vec<Unique>,
    /// Indices needed for reading.
    pub indices: Vec<Index>,
    pub relationships: Vec<Relationship>,
    pub scope: Scope,
    /// Which of the tenant's rows are visible to callers whose roles cover single accounts or namespaces. `None`: undecided, none of the
    /// rows are visible; a test of the product's catalogue refuses that.
    pub account: Option<AccountScope>,
    /// Callers whose roles cover single accounts or namespaces see only rows whose column holds their own user id.
    pub own_user_column: Option<ColumnId>,
    /// All callers, whatever their role, see and change only the rows whose column holds their own user id.
    pub private_user_column: Option<ColumnId>,
    /// The columns stored as column segments, for sums over very many rows.
    pub segments: Option<Segments>,
    /// The columns of the full-text search index.
    pub searched: Option<SearchColumns>,
    /// Columns with a change mark that is renewed whenever a row with that value changes: see `@marked` in `schema/README.md`. Empty if
    /// there are none.
    pub marked: Vec<ColumnId>,
    pub(crate) columns_by_name: HashMap<String, ColumnId>,
    pub(crate) relationships_by_name: HashMap<String, RelationshipId>,
}

impl Table {
    pub fn column(&self, id: ColumnId) -> &Column {
        &self.columns[usize::from(id.0)]
    }

    /// Finds a column by name; for an alias returns the column it stands for.
    pub fn find_column(&self, name: &str) -> Option<ColumnId> {
        self.columns_by_name.get(name).copied()
    }

    /// Whether the name belongs to a stored column, not to an alias.
    pub fn has_stored_column(&self, name: &str) -> bool {
        self.find_column(name).is_some_and(|id| self.column(id).name == name)
    }

    /// The columns as GraphQL lists them: stored columns first, then aliases.
    pub fn interface_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().chain(self.aliases.iter().map(|alias| &alias.column))
    }

    pub fn relationship(&self, id: RelationshipId) -> &Relationship {
        &self.relationships[usize::from(id.0)]
    }

    pub fn find_relationship(&self, name: &str) -> Option<RelationshipId> {
        self.relationships_by_name.get(name).copied()
    }

    /// All columns with their ids, in file order.
    pub fn iter_columns(&self) -> impl Iterator<Item = (ColumnId, &Column)> {
        self.columns.iter().enumerate().map(|(index, column)| {
            (ColumnId(u16::try_from(index).expect("a table has fewer than 65,536 columns")), column)
        })
    }
}

#[derive(Debug, Clone)]
pub enum TableKind {
    Table,
    /// Rows come from `schema/views/<name>.sql`: one SELECT that both databases understand. A view with `parameters` (`:name` in the text)
    /// is not created in the database: its SELECT is embedded in the statements that read it.
    View {
        select: String,
        parameters: Vec<String>,
    },
    /// A list of allowed values. Its rows are part of the catalogue. `enum_name` is the GraphQL enum of the values, if there is one
    /// (`recommendation_status_type_enum`). `values` are pairs of value and description.
    Lookup {
        enum_name: Option<String>,
        values: Vec<LookupValue>,
    },
}

/// A value of a lookup or of an enum without a table.
#[derive(Debug, Clone)]
pub struct LookupValue {
    pub value: String,
    /// When the value applies.
    pub description: String,
    /// All cells of the lookup row, including value and description. Empty for an enum without a table.
    pub cells: Vec<(ColumnId, crate::Value)>,
}

/// An enum of the interface whose values are not stored in a table.
#[derive(Debug, Clone)]
pub struct EnumType {
    pub name: String,
    pub description: String,
    /// The area, see [`Table::area`].
    pub area: String,
    pub values: Vec<LookupValue>,
    /// Whether the interface shows the enum as a scalar. Its values are ordered as written.
    pub is_scalar: bool,
}

/// Which rows of a table a tenant's caller may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All rows: lookups and other rows without a tenant.
    Everyone,
    /// Rows whose column equals the caller's tenant.
    Tenant(ColumnId),
    /// Rows whose related row the caller may see. The relationship may be of either kind.
    Through(RelationshipId),
    /// The service's own rows; never visible to a tenant's caller.
    Service,
}

/// Which of a tenant's rows are visible to callers whose roles cover single accounts or namespaces only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountScope {
    /// No rows: the table is for roles over the whole tenant.
    None,
    /// All rows the tenant's callers may see (the tenant's own row, general knowledge). Read-only.
    All,
    /// Rows whose column is one of the caller's accounts and, if `namespace` is set, rows of the caller's namespaces. If both are the same
    /// column, the row is the account itself: a caller with a namespace in it may read it.
    Column { account: ColumnId, namespace: Option<ColumnId> },
    /// Rows whose related row the caller may see.
    Through(RelationshipId),
}

/// Who may change rows of a table through GraphQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    /// Only the service (`write: false`).
    Nobody,
    /// Roles that may write the whole tenant (`write: tenant`).
    Tenant,
    /// Those of [`Self::Tenant`], and roles that may write the row's account or namespace.
    Accounts,
}

/// The columns of the full-text search: see `@searched` in `schema/README.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchColumns {
    pub text: ColumnId,
    /// The column that identifies the object a row is part of. Vectors are stored per object, for all its parts together.
    pub object: ColumnId,
}

/// The columns of a table stored as column segments: see `@segments` in `schema/README.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segments {
    /// The time of a row; µs since 1970, UTC.
    pub time: ColumnId,
    /// The dimensions for grouping and filtering, in addition to `time`.
    pub by: Vec<Dimension>,
    /// Exact numbers to add up.
    pub sums: Vec<ColumnId>,
    /// Precomputed sums.
    pub cubes: Vec<Cube>,
}

/// A dimension that rows are grouped and filtered by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dimension {
    Column(ColumnId),
    /// The text under a key of a JSON column.
    Key(ColumnId, String),
    /// The text at a path of a JSON column (`$.a[0]`).
    Path(ColumnId, String),
    /// The first value that is not null, among text columns and JSON paths.
    First(Vec<Dimension>),
}

impl Dimension {
    /// The columns the dimension is computed from.
    pub fn columns(&self) -> Vec<ColumnId> {
        match self {
            Self::Column(column) | Self::Key(column, _) | Self::Path(column, _) => vec![*column],
            Self::First(members) => members.iter().flat_map(Self::columns).collect(),
        }
    }
}

/// Precomputed sums of a table for each unit of time and each combination of columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cube {
    pub every: Every,
    /// A subset of [`Segments::by`].
    pub by: Vec<Dimension>,
}

/// The time units of a [`Cube`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Every {
    Day,
    Month,
}

#[derive(Debug, Clone)]
pub struct Unique {
    /// The name of the constraint in GraphQL (`T_constraint`).
    pub name: String,
    pub columns: Vec<ColumnId>,
    /// If set, the constraint applies only to rows in which this column is null.
    pub only_where_null: Option<ColumnId>,
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
    /// Pairs of (column of this table, column of the target) that must be equal.
    pub join: Vec<(ColumnId, ColumnId)>,
    /// For `One` only: `false` if the interface guarantees a row.
    pub nullable: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelationshipKind {
    One,
    Many,
}

/// The table of the audit trail (`@trail`) and its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trail {
    pub table: TableId,
    /// The tenant of the changed row.
    pub tenant: ColumnId,
    /// The user who made the change; null for the service itself.
    pub user: ColumnId,
    /// The time of the change.
    pub time: ColumnId,
    /// The table of the changed row, and the row's key as a JSON object.
    pub row_table: ColumnId,
    pub row_key: ColumnId,
    /// `insert`, `update` or `delete`.
    pub change: ColumnId,
    /// The root field that made the change.
    pub operation: ColumnId,
    /// JSON objects with the row's values before and after the change.
    pub before: ColumnId,
    pub after: ColumnId,
}
