//! Parses amounts of money in recommendations.

use catalogue::Decimal;
use serde_json::Value;

/// An exact decimal from a JSON number or string.
pub fn decimal(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => Decimal::parse(&number.to_string()).ok(),
        Value::String(text) => Decimal::parse(text.trim()).ok(),
        _ => None,
    }
}

/// An amount in whole units and billionths, as Google's APIs write money; the units are a string or a number.
pub fn units_and_nanos(money: &Value) -> Option<Decimal> {
    let units = match money.get("units") {
        Some(units) => decimal(units)?,
        None => Decimal::from(0),
    };
    let nanos = money.get("nanos").and_then(Value::as_i64).unwrap_or_default();
    units.checked_add(Decimal::from_parts(i128::from(nanos), 9)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn money_of_google_is_exact() {
        let money = |json: Value| units_and_nanos(&json).map(|sum| sum.to_string());
        assert_eq!(money(json!({"units": "-12", "nanos": -345_000_000})).as_deref(), Some("-12.345"));
        assert_eq!(money(json!({"nanos": -5_000_000})).as_deref(), Some("-0.005"));
        assert_eq!(money(json!({"units": "many"})), None);
    }
}
