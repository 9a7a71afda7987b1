//! All queries of the contract, and the conventions its clients rely on, over the product's catalogue and a small test world.

mod conventions;
mod queries;

use crate::test_world::TestWorld;
use expect_test::Expect;
use std::sync::{Arc, Mutex, Weak};

/// The test world shared by all examples; dropped after the last use.
fn house() -> Arc<TestWorld> {
    static SHARED: Mutex<Weak<TestWorld>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap();
    shared.upgrade().unwrap_or_else(|| {
        let house = Arc::new(TestWorld::new());
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
