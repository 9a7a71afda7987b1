//! Every query the contract shows, and the conventions its clients rely on, over the project's catalogue and a small house.

mod conventions;
mod queries;

use crate::house::House;
use expect_test::Expect;
use std::sync::LazyLock;

static HOUSE: LazyLock<House> = LazyLock::new(House::new);

#[track_caller]
fn check(query: &str, expected: &Expect) {
    check_with(query, &serde_json::Value::Null, expected);
}

#[track_caller]
fn check_with(query: &str, variables: &serde_json::Value, expected: &Expect) {
    expected.assert_eq(&HOUSE.ask(query, variables));
}
