//! Values by name in table `setting`.

use catalogue::ValueRef;
use model::{Read as _, row};
use store::{StoreError, Transaction, eq};

row! { struct SettingValue from setting { value } }

/// The value of that name; `None` when none was saved.
pub(crate) fn get(rows: &Transaction<'_>, name: &str) -> Result<Option<String>, StoreError> {
    Ok(rows.find::<SettingValue>(name)?.map(|saved| saved.value.expose()))
}

/// Saves a value; one of that name is replaced.
pub(crate) fn put(rows: &Transaction<'_>, name: &str, value: &str, now: i64) -> Result<(), StoreError> {
    let row = [("name", name.into()), ("value", value.into()), ("updated_at", ValueRef::Timestamp(now))];
    rows.upsert("setting", &["name"], &row, &[])
}

/// Removes the value of that name; there need not be one.
pub(crate) fn remove(rows: &Transaction<'_>, name: &str) -> Result<(), StoreError> {
    rows.delete("setting", &[eq("name", name)]).map(drop)
}
