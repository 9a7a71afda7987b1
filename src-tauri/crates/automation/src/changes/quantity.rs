//! Kubernetes quantities: `250m`, `1.5`, `512Mi`, `2G`.
//!
//! Represented in thousandths of a core, or bytes.

use super::Amount;

/// Suffixes with their factors.
const MEMORY: [(&str, f64); 12] = [
    ("Ki", 1_024.0),
    ("Mi", 1_048_576.0),
    ("Gi", 1_073_741_824.0),
    ("Ti", 1_099_511_627_776.0),
    ("Pi", 1_125_899_906_842_624.0),
    ("k", 1e3),
    ("K", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
    ("P", 1e15),
    ("m", 1e-3),
];

/// Parses a quantity into thousandths of a core, or bytes.
pub fn read(amount: Amount, text: &str) -> Option<f64> {
    let text = text.trim();
    let number = |text: &str| {
        let is_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '.');
        text.parse::<f64>().ok().filter(|number| is_number && number.is_finite() && *number >= 0.0)
    };
    if amount == Amount::Cpu {
        return match text.strip_suffix('m') {
            Some(thousandths) => number(thousandths),
            None => number(text).map(|cores| cores * 1000.0),
        };
    }
    match MEMORY.iter().find(|(suffix, _)| text.ends_with(suffix)) {
        Some((suffix, factor)) => number(&text[..text.len() - suffix.len()]).map(|number| number * factor),
        None => number(text),
    }
}

/// Formats a quantity in Kubernetes notation: whole thousandths of a core or whole mebibytes, rounded up.
pub fn write(amount: Amount, number: f64) -> String {
    if amount == Amount::Cpu {
        return format!("{:.0}m", (number - 1e-6).ceil().max(1.0));
    }
    format!("{:.0}Mi", (number / 1_048_576.0 - 1e-6).ceil().max(1.0))
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use crate::changes::Amount::{Cpu, Memory};

    #[test]
    fn quantities_are_read_and_written() {
        for (amount, text, number, written) in [
            (Cpu, "250m", 250.0, "250m"),
            (Cpu, "1.5", 1500.0, "1500m"),
            (Cpu, "2", 2000.0, "2000m"),
            (Memory, "512Mi", 536_870_912.0, "512Mi"),
            (Memory, "1Gi", 1_073_741_824.0, "1024Mi"),
            (Memory, "1M", 1_000_000.0, "1Mi"),
            (Memory, "128974848", 128_974_848.0, "123Mi"),
        ] {
            assert_eq!(read(amount, text), Some(number), "{text}");
            assert_eq!(write(amount, number), written, "{text}");
        }
        for text in ["", "much", "-1", "NaN", "inf", "1e"] {
            assert_eq!(read(Cpu, text), None, "{text}");
        }
    }
}
