//! The root fields of the catalogue, by name.

use catalogue::{Caller, CallerScope, Catalogue, Operation, Right, Role, TableId};
use std::collections::HashMap;

/// The kind of a root field that reads.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Root {
    List(TableId),
    Aggregate(TableId),
    ByKey(TableId),
    /// Index in [`Catalogue::listings`].
    Listing(usize),
    /// Index in [`Catalogue::view_fields`].
    ViewField(usize),
    /// Index in [`Catalogue::operations`].
    Operation(usize),
}

/// The kind of a root field that writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Write {
    Insert,
    InsertOne,
    Update,
    UpdateByKey,
    UpdateMany,
    Delete,
    DeleteByKey,
}

impl Write {
    pub(crate) const ALL: [Self; 7] = [
        Self::Insert,
        Self::InsertOne,
        Self::Update,
        Self::UpdateByKey,
        Self::UpdateMany,
        Self::Delete,
        Self::DeleteByKey,
    ];

    /// The name of the root field for a table.
    pub(crate) fn field(self, table: &str) -> String {
        match self {
            Self::Insert => format!("insert_{table}"),
            Self::InsertOne => format!("insert_{table}_one"),
            Self::Update => format!("update_{table}"),
            Self::UpdateByKey => format!("update_{table}_by_pk"),
            Self::UpdateMany => format!("update_{table}_many"),
            Self::Delete => format!("delete_{table}"),
            Self::DeleteByKey => format!("delete_{table}_by_pk"),
        }
    }
}

/// The root fields a caller may use.
pub(crate) struct Roots {
    reads: HashMap<String, Root>,
    writes: HashMap<String, (Write, TableId)>,
    /// By table: whether it is visible to the caller.
    shown: Vec<bool>,
    /// Operations that write, by index in [`Catalogue::operations`].
    calls: HashMap<String, usize>,
    /// Operations for which the caller has no role, by index in [`Catalogue::operations`].
    forbidden: HashMap<(catalogue::Root, String), usize>,
    /// The caller's strongest role.
    pub(crate) role: Role,
}

impl Roots {
    pub(crate) fn new(catalogue: &Catalogue, caller: &Caller) -> Self {
        let mut roots = HashMap::new();
        let is_read = |id| catalogue.allows(caller, Right::Read, id);
        let tables = catalogue.iter().filter(|(_, table)| table.exposed && table.root);
        for (id, table) in tables.filter(|(id, _)| is_read(*id)) {
            roots.insert(table.name.clone(), Root::List(id));
            roots.insert(format!("{}_aggregate", table.name), Root::Aggregate(id));
            if !table.primary_key.is_empty() {
                roots.insert(format!("{}_by_pk", table.name), Root::ByKey(id));
            }
        }
        let listings = catalogue.listings.iter().enumerate();
        for (place, listing) in listings.filter(|(_, listing)| is_read(listing.table)) {
            roots.insert(listing.name.clone(), Root::Listing(place));
        }
        let fields = catalogue.view_fields.iter().enumerate();
        for (place, field) in fields.filter(|(_, field)| is_read(field.table)) {
            roots.insert(field.name.clone(), Root::ViewField(place));
        }
        let mut calls = HashMap::new();
        let mut forbidden = HashMap::new();
        for (place, operation) in catalogue.operations.iter().enumerate() {
            if !is_called(operation, caller) {
                forbidden.insert((operation.root, operation.name.clone()), place);
                continue;
            }
            match operation.root {
                catalogue::Root::Query => drop(roots.insert(operation.name.clone(), Root::Operation(place))),
                catalogue::Root::Mutation => drop(calls.insert(operation.name.clone(), place)),
            }
        }
        let tables = catalogue.iter().filter(|(id, _)| is_written(catalogue, caller, *id));
        let writes = tables
            .flat_map(|(id, table)| Write::ALL.map(|write| (write.field(&table.name), (write, id))))
            .collect();
        let shown = catalogue.iter().map(|(id, table)| table.exposed && is_read(id)).collect();
        let role = caller.roles.iter().min().copied().unwrap_or(Role::TenantUsage);
        Self { reads: roots, writes, calls, shown, forbidden, role }
    }

    /// Whether fields, conditions and orders may refer to the table.
    pub(crate) fn show(&self, table: TableId) -> bool {
        self.shown[usize::from(table.0)]
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Root> {
        self.reads.get(name)
    }

    /// The index of an operation for which the caller has no role.
    pub(crate) fn find_forbidden(&self, root: catalogue::Root, name: &str) -> Option<usize> {
        self.forbidden.get(&(root, name.to_owned())).copied()
    }

    /// The index of an operation that writes.
    pub(crate) fn find_call(&self, name: &str) -> Option<usize> {
        self.calls.get(name).copied()
    }

    pub(crate) fn find_write(&self, name: &str) -> Option<(Write, TableId)> {
        self.writes.get(name).copied()
    }
}

/// Whether the caller has one of the operation's roles.
pub(crate) fn is_called(operation: &Operation, caller: &Caller) -> bool {
    caller.scope == CallerScope::AllTenants || operation.roles.iter().any(|role| caller.roles.contains(role))
}

/// Whether the caller sees root fields that write the table. The whole interface has them for every table with a key; the store refuses
/// writes that nobody may make.
pub(crate) fn is_written(catalogue: &Catalogue, caller: &Caller, id: TableId) -> bool {
    let table = catalogue.table(id);
    table.exposed && table.root && !table.primary_key.is_empty() && catalogue.allows(caller, Right::Write, id)
}
