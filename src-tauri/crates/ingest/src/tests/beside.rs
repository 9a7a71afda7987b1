//! Writes of others during an import or undo of charges.

use super::kit::{House, PARTIES, focus};
use crate::undo::{UndoRequest, preview, undo};
use catalogue::Caller;
use std::sync::atomic::{AtomicU32, Ordering};
use store::{Store, StoreError};
use uuid::Uuid;

/// Adds a tag key in another transaction.
fn write(store: &Store, caller: &Caller, key: &str) -> Result<(), StoreError> {
    store.transaction(caller, |rows| rows.insert("spend_tag_keys", &[("key", key.into())]))
}

#[test]
fn with_postgresql_others_write_while_charges_are_read() {
    let Some(mut house) = House::on_postgresql() else { return };
    let (store, caller) = (house.store.clone(), house.caller.clone());
    let times = AtomicU32::new(0);
    house.is_still_due = Some(Box::new(move |_| {
        match (times.fetch_add(1, Ordering::Relaxed), write(&store, &caller, "beside")) {
            // On the second call, the import is deciding about replacement.
            (0, Ok(())) | (1, Err(StoreError::Busy { .. })) => {}
            other => panic!("{other:?}"),
        }
        Ok(true)
    }));
    let columns = format!("{PARTIES},ResourceId,Tags");
    let shop = "AWS,100,200,Shop,i-1,\"{\"\"team\"\":\"\"a\"\"}\"";
    let file = focus(&columns, &[("1 USD 2026-05-02", shop), ("2 USD 2026-05-03", shop)]);
    let report = house.import(&file);
    assert_eq!((report.rows_written, house.sum("amount", "USD").as_str()), (2, "3"));
    assert_eq!(house.rows("spend_tag_keys", &["key"], &[]), ["beside", "team"]);

    house.is_still_due = None;
    let newer = focus(&columns, &[("5 USD 2026-05-02", shop), ("2 USD 2026-05-03", shop)]);
    house.import(&newer);
    assert_eq!(house.sum("amount", "USD"), "7");
    let second = Uuid::from_u128(0x1000 + house.imports.get());
    let shown = preview(&house.store, &house.caller, second).unwrap();
    assert_eq!((shown.imports.len(), house.sum("amount", "USD").as_str()), (1, "7"));
    undo(&house.store, &house.caller, second, &[], UndoRequest { person: None, clock: || 0 }).unwrap();
    assert_eq!(house.sum("amount", "USD"), "3");
}
