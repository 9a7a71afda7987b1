//! A business number, such as orders per day.

use catalogue::Decimal;

/// The value of a business metric on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusinessNumber {
    /// The metric's name, such as `orders`.
    pub name: String,
    /// The group the value belongs to, such as a team or product; empty without groups.
    pub group: String,
    /// Days since 1970.
    pub day: i32,
    pub value: Decimal,
}
