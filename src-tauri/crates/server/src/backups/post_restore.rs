//! State that survives a restore: decisions made after the backup was taken that a restore must not silently undo.

use super::passphrase::GIVEN;
use crate::clock;
use auth::post_restore::{self, TokenSnapshot};
use catalogue::{Caller, ValueRef};
use model::{Read, row};
use std::collections::HashSet;
use store::{Store, StoreError, Transaction, eq};
use uuid::Uuid;

/// The state of the database that is being replaced.
#[derive(Debug)]
pub struct PostRestoreState {
    tokens: TokenSnapshot,
    /// The stored row of the backup passphrase, unchanged.
    passphrase: Option<String>,
    tenants: HashSet<Uuid>,
}

impl PostRestoreState {
    pub fn of(store: &Store) -> Result<Self, StoreError> {
        let (passphrase, tenants) = store.snapshot::<_, StoreError>(&Caller::system(), |rows| {
            let text = rows.find::<SettingValue>(GIVEN)?.map(|row| row.value.expose());
            Ok((text, tenants(rows)?))
        })?;
        Ok(Self { tokens: TokenSnapshot::of(store)?, passphrase, tenants })
    }

    /// Revokes in the restored database what must not become valid again, and carries over the surviving state. If the replaced database is unknown
    /// (`None`), the restored data is used as it is.
    pub fn settle(stands: Option<&Self>, rows: &Transaction<'_>) -> Result<(), StoreError> {
        post_restore::settle(rows, stands.map(|stands| &stands.tokens), clock::now(), &mut rand::rng())?;
        stands.map_or(Ok(()), |stands| stands.carry_passphrase(rows))
    }

    /// Backups that are encrypted now stay encrypted, and those that are not stay unencrypted if the restored database has a tenant in common with
    /// the replaced one. A database of another instance brings its own passphrase, which the key of this data directory cannot decrypt; an
    /// administrator is asked to enter it again.
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
