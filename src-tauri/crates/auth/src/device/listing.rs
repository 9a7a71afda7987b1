//! The devices people let in: listed, asked about, ended.

use crate::household;
use crate::person::text;
use catalogue::{Caller, ValueRef};
use store::{Condition, Store, StoreError, Transaction, eq, is_null};
use uuid::Uuid;

/// A device as people see it. Times in µs since 1970 UTC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub id: Uuid,
    pub user: Uuid,
    pub tenant_name: String,
    pub email: String,
    pub user_name: String,
    pub name: String,
    pub platform: Option<String>,
    pub kept_in: Option<String>,
    pub address: Option<String>,
    pub created_at: i64,
    pub seen_at: i64,
    pub expires_at: i64,
    pub revoked_at: Option<i64>,
    pub revoked_by: Option<String>,
}

/// The devices of one tenant or all, and of one user or all, with those that ended lately; last seen first.
pub fn list(store: &Store, tenant: Option<Uuid>, user: Option<Uuid>) -> Result<Vec<Listed>, StoreError> {
    let columns = [
        "id",
        "user_id",
        "name",
        "platform",
        "kept_in",
        "address",
        "created_at",
        "seen_at",
        "expires_at",
        "revoked_at",
        "revoked_by",
        "tenant_id",
    ];
    store.snapshot(&Caller::house(), |rows| {
        let mut conditions: Vec<Condition<'_>> =
            tenant.map(|tenant| eq("tenant_id", tenant)).into_iter().collect();
        conditions.extend(user.map(|user| eq("user_id", user)));
        let mut devices = Vec::new();
        for row in rows.select("device", &columns, &conditions)? {
            let (Some(id), Some(user)) = (row[0].as_uuid(), row[1].as_uuid()) else { continue };
            let users = rows.select("users", &["username", "display_name"], &[eq("id", user)])?;
            let of_user = |at: usize| users.first().map(|row| text(&row[at])).unwrap_or_default();
            let optional = |at: usize| row[at].as_text().map(str::to_owned);
            let time = |at: usize| row[at].as_int().unwrap_or_default();
            devices.push(Listed {
                id,
                user,
                tenant_name: household::name(rows, row[11].as_uuid())?,
                email: of_user(0),
                user_name: of_user(1),
                name: text(&row[2]),
                platform: optional(3),
                kept_in: optional(4),
                address: optional(5),
                created_at: time(6),
                seen_at: time(7),
                expires_at: time(8),
                revoked_at: row[9].as_int(),
                revoked_by: optional(10),
            });
        }
        devices.sort_by_key(|device| std::cmp::Reverse(device.seen_at));
        Ok(devices)
    })
}

/// Whether what a device holds still counts.
pub fn is_allowed(store: &Store, device: Uuid) -> Result<bool, StoreError> {
    let found = store.snapshot(&Caller::house(), |rows| {
        rows.select("device", &["id"], &[eq("id", device), is_null("revoked_at")])
    })?;
    Ok(!found.is_empty())
}

/// A device that was just ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revoked {
    pub user: Uuid,
    pub tenant: Uuid,
    pub name: String,
}

/// Ends a device; `None` when there is none of that id that counts.
pub fn revoke(store: &Store, device: Uuid, by: &str, now: i64) -> Result<Option<Revoked>, StoreError> {
    store.transaction(&Caller::house(), |rows| end_one(rows, device, by, now))
}

/// Ends every device of a user; how many there were.
pub fn revoke_all(store: &Store, user: Uuid, now: i64) -> Result<usize, StoreError> {
    store.transaction(&Caller::house(), |rows| {
        let devices = rows.select("device", &["id"], &[eq("user_id", user), is_null("revoked_at")])?;
        let devices: Vec<Uuid> = devices.iter().filter_map(|row| row[0].as_uuid()).collect();
        for device in &devices {
            end(rows, *device, "person", now)?;
        }
        Ok(devices.len())
    })
}

/// Ends the device of a refresh token, used or not; `None` when there is none that counts.
pub fn sign_out(store: &Store, token: &str, now: i64) -> Result<Option<Revoked>, StoreError> {
    let print = crate::secret::fingerprint(token);
    store.transaction(&Caller::house(), |rows| {
        let found = rows.select("device_token", &["device_id"], &[eq("token_hash", &print)])?;
        match found.first().and_then(|row| row[0].as_uuid()) {
            Some(device) => end_one(rows, device, "device", now),
            None => Ok(None),
        }
    })
}

fn end_one(rows: &Transaction<'_>, device: Uuid, by: &str, now: i64) -> Result<Option<Revoked>, StoreError> {
    let mine = [eq("id", device), is_null("revoked_at")];
    let found = rows.select("device", &["user_id", "tenant_id", "name"], &mine)?;
    let Some((user, tenant, name)) =
        found.first().and_then(|row| Some((row[0].as_uuid()?, row[1].as_uuid()?, text(&row[2]))))
    else {
        return Ok(None);
    };
    end(rows, device, by, now)?;
    Ok(Some(Revoked { user, tenant, name }))
}

/// The tokens stay, so that one that comes again is known for what it is.
pub(super) fn end(rows: &Transaction<'_>, device: Uuid, by: &str, now: i64) -> Result<(), StoreError> {
    let set = [("revoked_at", ValueRef::Timestamp(now)), ("revoked_by", by.into())];
    rows.update("device", &[eq("id", device), is_null("revoked_at")], &set)?;
    Ok(())
}
