//! Numbers of GraphQL type `float8` in requests and responses; exact if they are money.

use catalogue::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A JSON number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An exact number.
    Exact(Decimal),
    /// A measurement or a ratio; written as null if it is not finite.
    Float(f64),
    Whole(i64),
}

impl Number {
    /// The nearest float.
    #[allow(clippy::cast_precision_loss, reason = "asked for as a float")]
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Exact(number) => number.to_f64(),
            Self::Float(number) => number,
            Self::Whole(number) => number as f64,
        }
    }

    /// The exact number; `None` if a float is not finite.
    pub fn to_decimal(self) -> Option<Decimal> {
        match self {
            Self::Exact(number) => Some(number),
            Self::Float(number) => Decimal::from_f64(number),
            Self::Whole(number) => Some(Decimal::from(number)),
        }
    }
}

impl From<Decimal> for Number {
    fn from(number: Decimal) -> Self {
        Self::Exact(number)
    }
}

impl From<f64> for Number {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Self::Whole(number)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Exact(number) => {
                let number: serde_json::Number =
                    number.to_text().as_str().parse().map_err(serde::ser::Error::custom)?;
                number.serialize(serializer)
            }
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Whole(number) => serializer.serialize_i64(*number),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        // A number with more digits than [`Decimal`] can hold is read as a float.
        let exact = Decimal::parse(number.as_str()).ok().map(Self::Exact);
        let float = || number.as_f64().map(Self::Float);
        exact.or_else(float).ok_or_else(|| serde::de::Error::custom("not a number"))
    }
}

#[cfg(test)]
mod tests {
    use super::Number;
    use catalogue::Decimal;

    #[test]
    fn money_keeps_its_digits_both_ways() {
        let text = "12345678901234567890.000000000000000001";
        let number: Number = serde_json::from_str(text).unwrap();
        assert_eq!(number.to_decimal(), Decimal::parse(text).ok());
        assert_eq!(serde_json::to_string(&number).unwrap(), text);
        assert_eq!(serde_json::to_value(number).unwrap().to_string(), text);
    }

    #[test]
    fn what_is_no_number_is_null() {
        assert_eq!(serde_json::to_value(Number::from(f64::NAN)).unwrap(), serde_json::Value::Null);
        assert_eq!(serde_json::to_string(&Number::from(0.1)).unwrap(), "0.1");
    }
}
