//! Row-level access: the only place that adds the caller's tenant, accounts and namespaces to the conditions of a plan.

use crate::StoreError;
use crate::sql::Dialect;
use catalogue::{
    AccountScope, Caller, CallerAccounts, CallerScope, Catalogue, Column, ColumnId, Reach, RelationshipId,
    Right, Scalar, Scope, Table, TableId, ValueRef,
};
use uuid::Uuid;

/// The parameter bound to the caller's tenant in every statement. Accounts and namespaces are literals in the SQL text.
pub(crate) const TENANT_PARAMETER: &str = "?1";

/// The callers who may share a plan. The tenant is bound when a plan runs, therefore all callers who read a whole tenant share plans. The
/// accounts and namespaces of a narrower role are part of the plan's SQL text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PlanScope {
    Reaching(Reach),
    Only(Caller),
}

impl PlanScope {
    pub fn of(caller: &Caller) -> Self {
        match caller.reach(Right::Read) {
            reach @ (Reach::Tenant | Reach::AllTenants) => Self::Reaching(reach),
            _ => Self::Only(caller.clone()),
        }
    }
}

/// Refuses callers who may not write the whole tenant: product code writes on behalf of such callers only.
pub(crate) fn check_write(caller: &Caller) -> Result<(), StoreError> {
    if caller.writes_tenant() { Ok(()) } else { Err(StoreError::Denied) }
}

/// The SQL condition that rows of `table`, aliased as `alias`, must meet to be accessible to `caller`; `None` when all rows are.
pub(crate) fn row_condition(
    dialect: Dialect,
    catalogue: &Catalogue,
    caller: &Caller,
    right: Right,
    table: TableId,
    alias: &str,
) -> Option<String> {
    condition(Access { dialect, catalogue, caller, right, is_way: false }, table, alias)
}

fn condition(access: Access<'_>, table: TableId, alias: &str) -> Option<String> {
    let Access { catalogue, caller, right, .. } = access;
    if caller.scope == CallerScope::AllTenants {
        return None;
    }
    let described = catalogue.table(table);
    let mut conditions = Vec::new();
    match described.scope {
        Scope::Everyone if right == Right::Read => {}
        Scope::Everyone | Scope::Service => return Some(NOBODY.to_owned()),
        Scope::Tenant(column) => {
            let column = described.column(column);
            conditions.push(match column.scalar {
                Scalar::Uuid => format!("{alias}.\"{}\" = {TENANT_PARAMETER}", column.name),
                _ => format!("{alias}.\"{}\" = uuid_text({TENANT_PARAMETER})", column.name),
            });
        }
        Scope::Through(way) => conditions.push(access.related(described, way, alias)),
    }
    if let Some(person) = described.private_user_column {
        conditions.push(access.person(described.column(person), alias));
    } else if caller.reach(right) < Reach::Tenant {
        conditions.extend(access.part(described, alias));
    }
    (!conditions.is_empty()).then(|| conditions.join(" AND "))
}

/// The columns of a row that the caller may not change: the account columns, for a caller who may not move rows between accounts, and the
/// user column of private rows. Callers who write the whole tenant may change account columns.
pub(crate) fn fixed_columns(catalogue: &Catalogue, caller: &Caller, table: TableId) -> Vec<ColumnId> {
    let table = catalogue.table(table);
    let private = table.private_user_column.filter(|_| caller.scope != CallerScope::AllTenants);
    let mut columns: Vec<ColumnId> = private.into_iter().collect();
    if caller.reach(Right::Write) >= Reach::Tenant {
        return columns;
    }
    match table.account {
        Some(AccountScope::Column { account, .. }) => columns.push(account),
        Some(AccountScope::Through(way)) => {
            columns.extend(table.relationship(way).join.iter().map(|(here, _)| *here));
        }
        Some(AccountScope::None | AccountScope::All) | None => {}
    }
    columns
}

/// The columns that decide who may access a row, in addition to the tenant column.
pub(crate) fn scope_columns(catalogue: &Catalogue, table: TableId) -> Vec<ColumnId> {
    let table = catalogue.table(table);
    let joined = |way: RelationshipId| table.relationship(way).join.iter().map(|(here, _)| *here);
    let mut columns = Vec::new();
    if let Scope::Through(way) = table.scope {
        columns.extend(joined(way));
    }
    match table.account {
        Some(AccountScope::Column { account, .. }) => columns.push(account),
        Some(AccountScope::Through(way)) => columns.extend(joined(way)),
        Some(AccountScope::None | AccountScope::All) | None => {}
    }
    columns.extend(table.private_user_column);
    columns
}

/// A condition that is never true.
const NOBODY: &str = "FALSE";

#[derive(Clone, Copy)]
struct Access<'a> {
    dialect: Dialect,
    catalogue: &'a Catalogue,
    caller: &'a Caller,
    right: Right,
    /// Whether the condition is for a row that other rows belong to: a role over a namespace covers nothing else that belongs to the account.
    is_way: bool,
}

impl Access<'_> {
    /// Condition: a related row exists that the caller may access.
    fn related(&self, table: &Table, way: RelationshipId, alias: &str) -> String {
        let relationship = table.relationship(way);
        let target = self.catalogue.table(relationship.target);
        let inner = format!("{alias}s");
        let pair = |(here, there): &(_, _)| {
            let (here, there) = (&table.column(*here).name, &target.column(*there).name);
            format!("{inner}.\"{there}\" = {alias}.\"{here}\"")
        };
        let mut conditions: Vec<String> = relationship.join.iter().map(pair).collect();
        conditions.extend(condition(Self { is_way: true, ..*self }, relationship.target, &inner));
        format!("EXISTS (SELECT 1 FROM \"{}\" {inner} WHERE {})", target.name, conditions.join(" AND "))
    }

    /// Condition: the column holds the caller's user id.
    fn person(&self, column: &Column, alias: &str) -> String {
        match self.caller.user {
            Some(user) => format!("{alias}.\"{}\" = {}", column.name, self.dialect.uuid_literal(user)),
            None => NOBODY.to_owned(),
        }
    }

    /// Conditions in addition to the tenant for a caller whose roles cover part of the tenant.
    fn part(&self, table: &Table, alias: &str) -> Vec<String> {
        let mut conditions = Vec::new();
        match table.account {
            Some(AccountScope::All) if self.right == Right::Read => {}
            Some(AccountScope::Column { account, namespace }) => {
                let known = self.caller.accounts(self.right);
                let column = table.column(account);
                conditions.push(match namespace {
                    Some(namespace) if namespace == account => {
                        let is_opened = self.right == Right::Read && !self.is_way;
                        let opened = is_opened.then(|| known.with_accounts_of_namespaces());
                        places(self.dialect, opened.as_ref().unwrap_or(known), column, None, alias)
                    }
                    namespace => {
                        places(self.dialect, known, column, namespace.map(|id| table.column(id)), alias)
                    }
                });
            }
            // The condition for the tenant already follows this relationship.
            Some(AccountScope::Through(way)) if table.scope == Scope::Through(way) => {}
            Some(AccountScope::Through(way)) => conditions.push(self.related(table, way, alias)),
            Some(AccountScope::None | AccountScope::All) | None => conditions.push(NOBODY.to_owned()),
        }
        if let Some(own) = table.own_user_column {
            conditions.push(self.person(table.column(own), alias));
        }
        conditions
    }
}

/// Condition: the row belongs to one of the accounts or namespaces.
fn places(
    dialect: Dialect,
    places: &CallerAccounts,
    account: &Column,
    namespace: Option<&Column>,
    alias: &str,
) -> String {
    let literal = |id: Uuid| match account.scalar {
        Scalar::Uuid => dialect.uuid_literal(id),
        _ => dialect.text_literal(&id.to_string()),
    };
    let mut ways = Vec::new();
    if !places.accounts.is_empty() {
        let accounts: Vec<String> = places.accounts.iter().map(|id| literal(*id)).collect();
        ways.push(format!("{alias}.\"{}\" IN ({})", account.name, accounts.join(", ")));
    }
    if let Some(namespace) = namespace.filter(|_| !places.namespaces.is_empty()) {
        let pairs: Vec<String> = places
            .namespaces
            .iter()
            .map(|(id, name)| format!("({}, {})", literal(*id), dialect.text_literal(name)))
            .collect();
        ways.push(format!(
            "({alias}.\"{}\", {alias}.\"{}\") IN (VALUES {})",
            account.name,
            namespace.name,
            pairs.join(", ")
        ));
    }
    match ways.len() {
        0 => NOBODY.to_owned(),
        1 => ways.remove(0),
        _ => format!("({})", ways.join(" OR ")),
    }
}

/// Whether a cell of a tenant column holds `tenant`. Tenant columns are UUIDs, except for one table with text.
pub(crate) fn names_tenant(cell: ValueRef<'_>, tenant: Uuid) -> bool {
    match cell {
        ValueRef::Uuid(found) => found == tenant,
        ValueRef::Text(found) => Uuid::parse_str(found) == Ok(tenant),
        _ => false,
    }
}

/// Whether a tenant column is of type text.
pub(crate) fn is_text_tenant(column: &Column) -> bool {
    column.scalar != Scalar::Uuid
}
