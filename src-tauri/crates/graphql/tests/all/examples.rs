//! Every query the contract shows, and the conventions its clients rely on, over the project's catalogue and a small house.

mod conventions;
mod queries;

use crate::house::House;
use expect_test::Expect;
use std::sync::{Arc, Mutex, Weak};

/// The house of all examples; it goes with the last that asks it.
fn house() -> Arc<House> {
    static SHARED: Mutex<Weak<House>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap();
    shared.upgrade().unwrap_or_else(|| {
        let house = Arc::new(House::new());
        *shared = Arc::downgrade(&house);
        house
    })
}

#[track_caller]
fn check(query: &str, expected: &Expect) {
    check_with(query, &serde_json::Value::Null, expected);
}

#[track_caller]
fn check_with(query: &str, variables: &serde_json::Value, expected: &Expect) {
    expected.assert_eq(&house().ask(query, variables));
}
