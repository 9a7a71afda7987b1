//! The tenant with sample data, for users who want to try the product.
//!
//! It is the only tenant that can be removed.
//!
//! A row of `setting` identifies the tenant and the import that fills it. Its name does not, since users can choose the same.

mod contents;
#[cfg(test)]
mod tests;

use crate::{AccountError, setting, tenancy, tenant, user};
use catalogue::{Caller, Catalogue, RelationshipKind, Role, Scalar, Scope, Table, TableKind};
use rand::CryptoRng;
use store::{Condition, Store, StoreError, Transaction, eq};
use uuid::Uuid;

pub use contents::{Contents, ImportedFile, RowCount, contents};

/// Name of the sample data's tenant.
pub const TENANT_NAME: &str = "Sample data";

const SETTING: &str = "sample";

/// The sample data's tenant, and the import that fills it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    pub tenant: Uuid,
    /// The first import, that of the bill. The ids of the others are the following numbers.
    pub import: Uuid,
}

/// Maximum number of files of the sample.
const MOST_FILES: u128 = 16;

impl Sample {
    /// The id of the import of the file at an index, from 0.
    pub fn import_at(&self, place: u8) -> Uuid {
        Uuid::from_u128(self.import.as_u128().wrapping_add(place.into()))
    }

    /// Whether an import belongs to the sample itself.
    fn has_import(&self, id: Uuid) -> bool {
        id.as_u128().wrapping_sub(self.import.as_u128()) < MOST_FILES
    }
}

/// The sample data; `None` if there is none.
pub fn find(store: &Store) -> Result<Option<Sample>, StoreError> {
    store.snapshot(&Caller::system(), read)
}

/// The sample data's tenant, whichever caller the rows act for.
pub fn tenant_of(rows: &Transaction<'_>) -> Result<Option<Uuid>, StoreError> {
    let system = Caller::system();
    Ok(read(&rows.as_caller(&system))?.map(|sample| sample.tenant))
}

/// Why files may not be imported into this tenant; `None` if they may.
///
/// Sample data is removed with its whole tenant, which must therefore contain no files of users.
pub fn refuses_files(store: &Store, tenant: Uuid) -> Result<Option<String>, AccountError> {
    store.snapshot(&Caller::system(), |rows| {
        if read(rows)?.is_none_or(|sample| sample.tenant != tenant) {
            return Ok(None);
        }
        let name = tenant::name(rows, tenant)?.unwrap_or_default();
        Ok(Some(format!(
            "The tenant {name:?} holds the sample data, and files imported into it would be removed with it. \
             Nothing was imported. Import them into a tenant of your own"
        )))
    })
}

/// Returns the sample data. If there is none, creates its tenant with `person` as administrator and returns true: the caller then starts the
/// import.
pub fn find_or_create(
    store: &Store,
    person: Uuid,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<(Sample, bool), AccountError> {
    store.transaction(&Caller::system(), |rows| {
        if let Some(sample) = read(rows)? {
            return Ok((sample, false));
        }
        let tenant = tenancy::create(rows, &free_name(rows)?, now, rng)?.id;
        if !tenant::has_member(rows, tenant, person)? {
            user::join(rows, person, tenant, person, false, now, rng)?;
            user::grant(rows, person, tenant, Role::TenantAdmin, person, now, rng)?;
        }
        let sample = Sample { tenant, import: crate::secret::new_id(rng) };
        setting::put(rows, SETTING, &format!("{} {}", sample.tenant, sample.import), now)?;
        Ok((sample, true))
    })
}

/// Removes the sample data with its tenant and all rows of the tenant, in one transaction. Does nothing without sample data.
pub fn remove(store: &Store) -> Result<(), StoreError> {
    store.transaction(&Caller::system(), |rows| {
        let Some(sample) = read(rows)? else { return Ok(()) };
        clear(rows, sample.tenant)?;
        setting::remove(rows, SETTING)
    })
}

fn read(rows: &Transaction<'_>) -> Result<Option<Sample>, StoreError> {
    Ok(setting::get(rows, SETTING)?.and_then(|value| {
        let (tenant, import) = value.split_once(' ')?;
        Some(Sample { tenant: tenant.parse().ok()?, import: import.parse().ok()? })
    }))
}

/// [`TENANT_NAME`], with a number appended if another tenant has that name.
fn free_name(rows: &Transaction<'_>) -> Result<String, StoreError> {
    let mut name = TENANT_NAME.to_owned();
    let mut count = 1;
    while rows.count("tenant", &[eq("name", name.as_str())])? > 0 {
        count += 1;
        name = format!("{TENANT_NAME} {count}");
    }
    Ok(name)
}

/// Removes a tenant and all of its rows. Foreign keys are checked at commit; a row of another tenant that refers to one of these would roll
/// everything back.
fn clear(rows: &Transaction<'_>, tenant: Uuid) -> Result<(), StoreError> {
    let own = Caller::system_for(tenant);
    let catalogue = rows.catalogue();
    // These rows are found through their parents, so they are deleted first.
    let mut parts: Vec<(usize, &Table)> = tables(catalogue)
        .filter_map(|table| Some((depth(catalogue, table)?, table)))
        .filter(|(depth, _)| *depth > 0)
        .collect();
    parts.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
    for (_, table) in parts {
        rows.as_caller(&own).delete(&table.name, &[])?;
    }
    let entity = tenant.to_string();
    for table in referring_first(catalogue) {
        for column in tenant_columns(catalogue, table) {
            rows.delete(&table.name, &[is_of(table, column, tenant, &entity)])?;
        }
    }
    rows.delete("user_roles", &[eq("entity_id", entity.as_str())])?;
    rows.delete("user_auths", &[eq("tenant_id", tenant)])?;
    Ok(())
}

/// The condition that a column names the tenant, as an id or as text.
fn is_of<'a>(table: &Table, column: &'a str, tenant: Uuid, text: &'a str) -> Condition<'a> {
    let is_id = table.find_column(column).is_some_and(|id| table.column(id).scalar == Scalar::Uuid);
    if is_id { eq(column, tenant) } else { eq(column, text) }
}

/// The tables, each after those that refer to it: some foreign keys are checked at once.
fn referring_first(catalogue: &Catalogue) -> Vec<&Table> {
    fn visit<'a>(
        catalogue: &'a Catalogue,
        table: &'a Table,
        seen: &mut Vec<&'a str>,
        found: &mut Vec<&'a Table>,
    ) {
        if seen.contains(&table.name.as_str()) {
            return;
        }
        seen.push(&table.name);
        let leads = |other: &&Table| {
            let mut references = other.columns.iter().filter_map(|column| column.references.as_ref());
            references.any(|to| catalogue.table(to.table).name == table.name)
        };
        for other in tables(catalogue).filter(leads) {
            visit(catalogue, other, seen, found);
        }
        found.push(table);
    }
    let (mut seen, mut found) = (Vec::new(), Vec::new());
    for table in tables(catalogue) {
        visit(catalogue, table, &mut seen, &mut found);
    }
    found
}

/// The tables that hold rows: no views and no lookups.
fn tables(catalogue: &Catalogue) -> impl Iterator<Item = &Table> {
    catalogue.iter().map(|(_, table)| table).filter(|table| matches!(table.kind, TableKind::Table))
}

/// The number of parents between a row of the table and its tenant; `None` for tables not scoped to a tenant, such as users.
fn depth(catalogue: &Catalogue, table: &Table) -> Option<usize> {
    match table.scope {
        Scope::Tenant(_) => Some(0),
        Scope::Through(id) => {
            let relationship = table.relationship(id);
            match relationship.kind {
                RelationshipKind::One => Some(depth(catalogue, catalogue.table(relationship.target))? + 1),
                RelationshipKind::Many => None,
            }
        }
        Scope::Everyone | Scope::Service => None,
    }
}

/// The columns with the tenant of a row.
fn tenant_columns<'a>(catalogue: &'a Catalogue, table: &'a Table) -> impl Iterator<Item = &'a str> {
    let scope = match table.scope {
        Scope::Tenant(id) => Some(table.column(id).name.as_str()),
        _ => None,
    };
    table
        .columns
        .iter()
        .filter(move |column| {
            let leads =
                column.references.as_ref().is_some_and(|to| catalogue.table(to.table).name == "tenant");
            leads || scope == Some(column.name.as_str())
        })
        .map(|column| column.name.as_str())
}
