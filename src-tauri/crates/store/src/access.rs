//! Who sees which rows: the one place that adds the caller's tenant to what a plan touches.

use crate::StoreError;
use catalogue::{Caller, CallerScope, Catalogue, Column, Scalar, Scope, TableId, ValueRef};
use uuid::Uuid;

/// The parameter every statement binds the caller's tenant to.
pub(crate) const TENANT_PARAMETER: &str = "?1";

/// Refuses callers who may read nothing of a tenant.
///
/// Roles over single accounts or namespaces do not open tables yet, so they are refused rather than shown too much.
pub(crate) fn check_read(caller: &Caller) -> Result<(), StoreError> {
    if caller.reads_tenant() { Ok(()) } else { Err(StoreError::Denied) }
}

/// Refuses callers who may change nothing of a tenant.
pub(crate) fn check_write(caller: &Caller) -> Result<(), StoreError> {
    if caller.writes_tenant() { Ok(()) } else { Err(StoreError::Denied) }
}

/// The condition that rows of `table`, standing under `alias`, must meet for `caller`; `None` when all rows may be met.
pub(crate) fn row_condition(
    catalogue: &Catalogue,
    caller: &Caller,
    table: TableId,
    alias: &str,
) -> Option<String> {
    if caller.scope == CallerScope::House {
        return None;
    }
    let described = catalogue.table(table);
    match described.scope {
        Scope::Everyone => None,
        Scope::House => Some("0".to_owned()),
        Scope::Tenant(column) => {
            let column = described.column(column);
            Some(match column.scalar {
                Scalar::Uuid => format!("{alias}.\"{}\" = {TENANT_PARAMETER}", column.name),
                _ => format!("{alias}.\"{}\" = uuid_text({TENANT_PARAMETER})", column.name),
            })
        }
        Scope::Through(relationship) => {
            let relationship = described.relationship(relationship);
            let target = catalogue.table(relationship.target);
            let inner = format!("{alias}s");
            let mut conditions: Vec<String> = relationship
                .join
                .iter()
                .map(|(here, there)| {
                    format!(
                        "{inner}.\"{}\" = {alias}.\"{}\"",
                        target.column(*there).name,
                        described.column(*here).name
                    )
                })
                .collect();
            conditions.extend(row_condition(catalogue, caller, relationship.target, &inner));
            Some(format!(
                "EXISTS (SELECT 1 FROM \"{}\" {inner} WHERE {})",
                target.name,
                conditions.join(" AND ")
            ))
        }
    }
}

/// Whether a cell of a tenant column names `tenant`. The interface has tenants as UUIDs and, in one table, as text.
pub(crate) fn names_tenant(cell: ValueRef<'_>, tenant: Uuid) -> bool {
    match cell {
        ValueRef::Uuid(found) => found == tenant,
        ValueRef::Text(found) => Uuid::parse_str(found) == Ok(tenant),
        _ => false,
    }
}

/// Whether a tenant column holds text.
pub(crate) fn is_text_tenant(column: &Column) -> bool {
    column.scalar != Scalar::Uuid
}
