//! Which tables a caller may use at all, from what the catalogue says of each. Which rows of them is the store's to add.

use crate::{AccountScope, Caller, Catalogue, Reach, Right, Scope, Table, TableId, TableKind, Writers};

impl Catalogue {
    /// Whether there can be a row of the table for which the caller has the right.
    pub fn allows(&self, caller: &Caller, right: Right, table: TableId) -> bool {
        let reach = caller.reach(right);
        let described = self.table(table);
        if reach == Reach::House {
            return true;
        }
        if described.scope == Scope::House {
            return false;
        }
        match right {
            Right::Read => reach == Reach::Tenant || self.opens(reach, right, described),
            Right::Write => match described.writers() {
                Writers::Nobody => false,
                Writers::Tenant => reach == Reach::Tenant,
                Writers::Accounts => {
                    let is_own = described.private.is_some();
                    is_own || reach == Reach::Tenant || self.opens(reach, right, described)
                }
            },
        }
    }

    /// Whether a right that does not reach over the whole tenant opens the table.
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
                // Who covers a namespace of an account covers nothing else that belongs to it.
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
    /// Who changes rows through the interface. Lookups, what belongs to nobody, the tenant itself and rows without key are
    /// nobody's, whatever the catalogue says.
    pub fn writers(&self) -> Writers {
        let is_tenant = matches!(self.scope, Scope::Tenant(column) if self.primary_key == [column]);
        let is_open = matches!(self.kind, TableKind::Table)
            && matches!(self.scope, Scope::Tenant(_) | Scope::Through(_))
            && !self.primary_key.is_empty()
            && !is_tenant;
        if is_open { self.written_by } else { Writers::Nobody }
    }
}
