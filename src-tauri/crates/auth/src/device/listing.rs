//! Lists, checks and revokes the devices that users have approved.

use crate::{tenant, user};
use catalogue::{Caller, ValueRef};
use model::tables::device;
use model::{Device, Read as _, Secret, row};
use std::collections::HashMap;
use store::{Store, StoreError, Transaction, eq, is_null};
use uuid::Uuid;

/// A device as pages show it. Times in µs since 1970 UTC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceEntry {
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

/// The devices of one tenant or of all, and of one user or of all, including recently ended ones; most recently seen first.
pub fn list(store: &Store, tenant: Option<Uuid>, user: Option<Uuid>) -> Result<Vec<DeviceEntry>, StoreError> {
    store.snapshot(&Caller::system(), |rows| {
        let devices = rows
            .query::<Device>()
            .filter_some(tenant.map(|tenant| device::tenant_id.eq(tenant)))
            .filter_some(user.map(|user| device::user_id.eq(user)))
            .order(device::seen_at.desc())
            .rows()?;
        let users = user::names(rows, devices.iter().map(|device| device.user_id))?;
        let tenants: HashMap<Uuid, String> =
            tenant::all(rows)?.into_iter().map(|tenant| (tenant.id, tenant.name)).collect();
        let shown = |device: Device| {
            let user = users.get(&device.user_id);
            DeviceEntry {
                id: device.id.uuid(),
                user: device.user_id.uuid(),
                tenant_name: tenants.get(&device.tenant_id.uuid()).cloned().unwrap_or_default(),
                email: user.map(|user| user.username.clone()).unwrap_or_default(),
                user_name: user.map(|user| user.display_name.clone()).unwrap_or_default(),
                name: device.name,
                platform: device.platform,
                kept_in: device.kept_in,
                address: device.address,
                created_at: device.created_at.micros(),
                seen_at: device.seen_at.micros(),
                expires_at: device.expires_at.micros(),
                revoked_at: device.revoked_at.map(model::ZonedTimestamp::micros),
                revoked_by: device.revoked_by,
            }
        };
        Ok(devices.into_iter().map(shown).collect())
    })
}

row! { struct Owner from device { id, user_id, tenant_id, name } }
row! { struct TokenDevice from device_token { device_id } }

/// The device with that id, unless it has ended.
fn counting(rows: &Transaction<'_>, device: Uuid) -> Result<Option<Owner>, StoreError> {
    rows.query::<Owner>().filter(device::id.eq(device)).filter(device::revoked_at.is_null()).first()
}

/// Whether the tokens of a device are still valid.
pub fn is_allowed(store: &Store, device: Uuid) -> Result<bool, StoreError> {
    store.snapshot(&Caller::system(), |rows| Ok(counting(rows, device)?.is_some()))
}

/// A device that was just revoked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevokedDevice {
    pub user: Uuid,
    pub tenant: Uuid,
    pub name: String,
}

/// Revokes a device. Returns `None` if no active device has that id.
pub fn revoke(store: &Store, device: Uuid, by: &str, now: i64) -> Result<Option<RevokedDevice>, StoreError> {
    store.transaction(&Caller::system(), |rows| end_one(rows, device, by, now))
}

/// Revokes every device of a user and returns their number.
pub fn revoke_all(store: &Store, user: Uuid, now: i64) -> Result<usize, StoreError> {
    store.transaction(&Caller::system(), |rows| {
        let own = device::user_id.eq(user).and(device::revoked_at.is_null());
        let devices = rows.query::<Owner>().filter(own).rows()?;
        for device in &devices {
            end(rows, device.id.uuid(), "person", now)?;
        }
        Ok(devices.len())
    })
}

/// Revokes the device that a refresh token, used or not, belongs to. Returns `None` if no active device has that token.
pub fn sign_out(store: &Store, token: &str, now: i64) -> Result<Option<RevokedDevice>, StoreError> {
    let print = crate::secret::fingerprint(token);
    store.transaction(&Caller::system(), |rows| match rows.find::<TokenDevice>(Secret::from(print))? {
        Some(token) => end_one(rows, token.device_id.uuid(), "device", now),
        None => Ok(None),
    })
}

fn end_one(
    rows: &Transaction<'_>,
    device: Uuid,
    by: &str,
    now: i64,
) -> Result<Option<RevokedDevice>, StoreError> {
    let Some(owner) = counting(rows, device)? else { return Ok(None) };
    end(rows, device, by, now)?;
    Ok(Some(RevokedDevice { user: owner.user_id.uuid(), tenant: owner.tenant_id.uuid(), name: owner.name }))
}

/// The device's tokens are not deleted, to recognise one that is presented later.
pub(super) fn end(rows: &Transaction<'_>, device: Uuid, by: &str, now: i64) -> Result<(), StoreError> {
    let set = [("revoked_at", ValueRef::Timestamp(now)), ("revoked_by", by.into())];
    rows.update("device", &[eq("id", device), is_null("revoked_at")], &set)?;
    Ok(())
}
