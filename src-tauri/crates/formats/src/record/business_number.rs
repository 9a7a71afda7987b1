//! A number of the business.

use catalogue::Decimal;

/// What somebody counts on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusinessNumber {
    /// What is counted, such as `orders`.
    pub name: String,
    /// Whose it is; empty when it is not told apart.
    pub group: String,
    /// Days since 1970.
    pub day: i32,
    pub value: Decimal,
}
