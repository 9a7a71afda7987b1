//! What goes on when a backup is put back: what was decided since it was taken and a restore must not undo in silence.

use super::passphrase::GIVEN;
use crate::clock;
use auth::returned::{self, TokenSnapshot};
use catalogue::{Caller, ValueRef};
use model::{Read, row};
use std::collections::HashSet;
use store::{Store, StoreError, Transaction, eq};
use uuid::Uuid;

/// What stands in the database that is replaced.
#[derive(Debug)]
pub struct PostRestoreState {
    tokens: TokenSnapshot,
    /// The row of the passphrase that closes backups, as it is.
    passphrase: Option<String>,
    tenants: HashSet<Uuid>,
}

impl PostRestoreState {
    pub fn of(store: &Store) -> Result<Self, StoreError> {
        let (passphrase, tenants) = store.snapshot::<_, StoreError>(&Caller::house(), |rows| {
            let text = rows.find::<SettingValue>(GIVEN)?.map(|row| row.value.expose());
            Ok((text, tenants(rows)?))
        })?;
        Ok(Self { tokens: TokenSnapshot::of(store)?, passphrase, tenants })
    }

    /// Ends in the database that comes back what must not count again, and carries over what stands. With nothing known of the one it replaces, what the
    /// backup says of that counts.
    pub fn settle(stands: Option<&Self>, rows: &Transaction<'_>) -> Result<(), StoreError> {
        returned::settle(rows, stands.map(|stands| &stands.tokens), clock::now(), &mut rand::rng())?;
        stands.map_or(Ok(()), |stands| stands.carry_passphrase(rows))
    }

    /// Backups that are closed now stay closed, and those of the same house that are open stay open. One of another house comes with its own passphrase:
    /// the key here does not open it, which is told until somebody gives it again.
    fn carry_passphrase(&self, rows: &Transaction<'_>) -> Result<(), StoreError> {
        if let Some(text) = &self.passphrase {
            let time = ValueRef::Timestamp(clock::now());
            let row = [("name", GIVEN.into()), ("value", text.as_str().into()), ("updated_at", time)];
            return rows.upsert("setting", &["name"], &row, &[]);
        }
        if !self.tenants.is_disjoint(&tenants(rows)?) {
            rows.delete("setting", &[eq("name", GIVEN)])?;
        }
        Ok(())
    }
}

row! { struct SettingValue from setting { value } }
row! { struct TenantId from tenant { id } }

fn tenants(rows: &Transaction<'_>) -> Result<HashSet<Uuid>, StoreError> {
    Ok(rows.query::<TenantId>().rows()?.into_iter().map(|tenant| tenant.id.uuid()).collect())
}
