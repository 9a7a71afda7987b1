//! Named values in table `setting`.

use catalogue::ValueRef;
use model::{Read as _, row};
use store::{StoreError, Transaction, eq};

row! { struct SettingValue from setting { value } }

/// The value with that name; `None` if none is stored.
pub(crate) fn get(rows: &Transaction<'_>, name: &str) -> Result<Option<String>, StoreError> {
    Ok(rows.find::<SettingValue>(name)?.map(|saved| saved.value.expose()))
}

/// Stores a value, replacing any with that name.
pub(crate) fn put(rows: &Transaction<'_>, name: &str, value: &str, now: i64) -> Result<(), StoreError> {
    let row = [("name", name.into()), ("value", value.into()), ("updated_at", ValueRef::Timestamp(now))];
    rows.upsert("setting", &["name"], &row, &[])
}

/// Removes the value with that name, if there is one.
pub(crate) fn remove(rows: &Transaction<'_>, name: &str) -> Result<(), StoreError> {
    rows.delete("setting", &[eq("name", name)]).map(drop)
}
