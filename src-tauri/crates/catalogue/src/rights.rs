//! Which tables a caller may use at all, according to the catalogue. The store adds the filter on rows.

use crate::{AccountScope, Caller, Catalogue, Reach, Right, Scope, Table, TableId, TableKind, Writers};

impl Catalogue {
    /// Whether the table can have any row for which the caller has the right.
    pub fn allows(&self, caller: &Caller, right: Right, table: TableId) -> bool {
        let reach = caller.reach(right);
        let described = self.table(table);
        if reach == Reach::AllTenants {
            return true;
        }
        if described.scope == Scope::Service {
            return false;
        }
        match right {
            Right::Read => reach == Reach::Tenant || self.opens(reach, right, described),
            Right::Write => match described.writers() {
                Writers::Nobody => false,
                Writers::Tenant => reach == Reach::Tenant,
                Writers::Accounts => {
                    let is_own = described.private_user_column.is_some();
                    is_own || reach == Reach::Tenant || self.opens(reach, right, described)
                }
            },
        }
    }

    /// Whether a right that does not cover the whole tenant gives access to the table.
    fn opens(&self, reach: Reach, right: Right, table: &Table) -> bool {
        match table.account {
            Some(AccountScope::All) => right == Right::Read,
            Some(AccountScope::Column { account, namespace }) => {
                reach >= Reach::Accounts
                    || reach == Reach::Namespaces
                        && namespace.is_some_and(|namespace| right == Right::Read || namespace != account)
            }
            Some(AccountScope::Through(way)) => {
                let target = self.table(table.relationship(way).target);
                // A role over a namespace covers nothing else that belongs to the account.
                let is_account = matches!(
                    target.account,
                    Some(AccountScope::Column { account, namespace: Some(namespace) }) if account == namespace
                );
                if is_account { reach >= Reach::Accounts } else { self.opens(reach, right, target) }
            }
            Some(AccountScope::None) | None => false,
        }
    }
}

impl Table {
    /// Who may change rows through the interface. Always nobody for lookups, rows without a tenant, the tenant row itself and tables
    /// without a key, whatever the catalogue declares.
    pub fn writers(&self) -> Writers {
        let is_tenant = matches!(self.scope, Scope::Tenant(column) if self.primary_key == [column]);
        let is_open = matches!(self.kind, TableKind::Table)
            && matches!(self.scope, Scope::Tenant(_) | Scope::Through(_))
            && !self.primary_key.is_empty()
            && !is_tenant;
        if is_open { self.written_by } else { Writers::Nobody }
    }
}
