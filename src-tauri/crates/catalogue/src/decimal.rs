//! Exact decimal numbers: what money is held in.

/// An exact decimal: `mantissa × 10^-scale`, at most 38 significant digits. Kept canonical: no trailing zeros, `-0` is `0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Decimal {
    mantissa: i128,
    scale: u8,
}

/// Why a text is no decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    #[error("not a number")]
    NotANumber,
    #[error("more than 38 digits")]
    TooLong,
}

impl Decimal {
    /// Zero.
    pub const ZERO: Self = Self { mantissa: 0, scale: 0 };

    /// Reads `-12.50`, `6.123E-7`, `+.5`; no blanks, no grouping.
    pub fn parse(_text: &str) -> Result<Self, DecimalError> {
        unimplemented!()
    }

    /// The sum; `None` when it needs more than 38 digits.
    pub fn checked_add(self, _other: Self) -> Option<Self> {
        unimplemented!()
    }
}
