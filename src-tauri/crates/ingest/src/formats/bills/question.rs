//! Questions about a bill that have to be answered before it can be read.

use crate::outcome::{Choice, Decision};

/// Currencies offered when a bill names none; the command line takes any code.
const CURRENCIES: [&str; 20] = [
    "USD", "EUR", "GBP", "AUD", "BRL", "CAD", "CHF", "CNY", "DKK", "INR", "JPY", "KRW", "MXN", "NOK", "NZD",
    "PLN", "SEK", "SGD", "TWD", "ZAR",
];

/// The question in which currency the costs are.
pub fn currency() -> Decision {
    let choice = |code: &&str| Choice {
        choice: format!("currency_{}", code.to_ascii_lowercase()),
        label: (*code).to_owned(),
        totals: Vec::new(),
    };
    Decision {
        reason: "currency".to_owned(),
        question: "The file does not name the currency of its costs. Which one is it?".to_owned(),
        choices: CURRENCIES.iter().map(choice).collect(),
        decided: None,
    }
}
