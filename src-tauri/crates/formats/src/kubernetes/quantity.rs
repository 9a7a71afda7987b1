//! Kubernetes quantities of CPU and memory: `100m`, `1.5`, `1Gi`, `500k`, `2e3`.

/// Fractions of one unit in a [`Quantity`].
const NANO: i128 = 1_000_000_000;

/// A quantity, exact to a billionth of its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantity(i128);

impl Quantity {
    /// Parses a quantity; `None` when the text is not one, is negative or is too large.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let end = text.find(|sign: char| !(sign.is_ascii_digit() || sign == '.')).unwrap_or(text.len());
        let (number, suffix) = text.split_at(end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && fraction.is_empty() || fraction.contains('.') || number.len() > 24 {
            return None;
        }
        let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
        let places = i32::try_from(fraction.len()).ok()?;
        let (factor, power) = unit(suffix)?;
        let scaled = digits.checked_mul(factor)?;
        let power = 9 + power - places;
        let nano = if power >= 0 {
            scaled.checked_mul(ten_to(power)?)?
        } else {
            // Finer than a billionth: round up, as Kubernetes does.
            let divisor = ten_to(-power)?;
            scaled.checked_add(divisor - 1)? / divisor
        };
        Some(Self(nano))
    }

    /// In thousandths, rounded up as Kubernetes does.
    pub fn milli(self) -> Option<u64> {
        u64::try_from((self.0 + NANO / 1_000 - 1) / (NANO / 1_000)).ok()
    }

    /// In whole units, rounded up.
    pub fn whole(self) -> Option<u64> {
        u64::try_from((self.0 + NANO - 1) / NANO).ok()
    }

    /// The sum of two quantities.
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// As a floating-point number, for metrics.
    #[allow(clippy::cast_precision_loss)] // Metrics are stored as floating-point numbers.
    pub fn measured(self) -> f64 {
        self.0 as f64 / NANO as f64
    }
}

/// The meaning of a suffix: a factor and a power of ten.
fn unit(suffix: &str) -> Option<(i128, i32)> {
    Some(match suffix {
        "" => (1, 0),
        "n" => (1, -9),
        "u" => (1, -6),
        "m" => (1, -3),
        "k" => (1, 3),
        "M" => (1, 6),
        "G" => (1, 9),
        "T" => (1, 12),
        "P" => (1, 15),
        "E" => (1, 18),
        "Ki" => (1 << 10, 0),
        "Mi" => (1 << 20, 0),
        "Gi" => (1 << 30, 0),
        "Ti" => (1 << 40, 0),
        "Pi" => (1 << 50, 0),
        "Ei" => (1 << 60, 0),
        _ => {
            let power: i32 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
            ((-18..=18).contains(&power)).then_some((1, power))?
        }
    })
}

fn ten_to(power: i32) -> Option<i128> {
    10_i128.checked_pow(u32::try_from(power).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_exact() {
        let milli = |text: &str| Quantity::parse(text).and_then(Quantity::milli);
        let whole = |text: &str| Quantity::parse(text).and_then(Quantity::whole);
        assert_eq!(milli("100m"), Some(100));
        assert_eq!(milli("1.5"), Some(1_500));
        assert_eq!(milli("0.1"), Some(100));
        assert_eq!(milli("250u"), Some(1));
        assert_eq!(milli("3n"), Some(1));
        assert_eq!(milli("2"), Some(2_000));
        assert_eq!(whole("1Gi"), Some(1 << 30));
        assert_eq!(whole("1.5Gi"), Some(3 << 29));
        assert_eq!(whole("500k"), Some(500_000));
        assert_eq!(whole("30770604Ki"), Some(30_770_604 * 1_024));
        assert_eq!(whole("128974848"), Some(128_974_848));
        assert_eq!(whole("129e6"), Some(129_000_000));
        assert_eq!(whole("128974848000m"), Some(128_974_848));
    }

    #[test]
    fn what_is_no_quantity_is_refused() {
        for text in ["", "m", "-1", "1.2.3", "1 Gi", "12x", "e", "1e99", "999999999999999999999999Ei"] {
            assert_eq!(Quantity::parse(text).and_then(Quantity::whole), None, "{text}");
        }
    }
}
