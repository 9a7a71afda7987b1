//! Reads arguments and input objects by name. They are already validated against their declaration; the checks here are those that a declaration
//! cannot express.

use catalogue::parse_timestamp;
use graphql::Refusal;
use serde_json::{Map, Value};
use uuid::Uuid;

/// The arguments of a call, or one of its input objects.
#[derive(Clone, Copy)]
pub(crate) struct Arguments<'a>(pub &'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// The value, unless it is absent or null.
    pub(crate) fn value(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// An input object; empty if it is absent.
    pub(crate) fn object(self, name: &str) -> Self {
        static NONE: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
        Self(self.value(name).and_then(Value::as_object).unwrap_or(&NONE))
    }

    pub(crate) fn text(self, name: &str) -> Option<&'a str> {
        self.value(name)?.as_str()
    }

    /// A required text that is not empty.
    pub(crate) fn needed(self, name: &str) -> Result<&'a str, Refusal> {
        let missing = || Refusal::invalid(format!("`{name}` is empty: expected a text"));
        self.text(name).filter(|text| !text.trim().is_empty()).ok_or_else(missing)
    }

    pub(crate) fn flag(self, name: &str) -> Option<bool> {
        self.value(name)?.as_bool()
    }

    pub(crate) fn whole(self, name: &str) -> Option<i64> {
        self.value(name)?.as_i64()
    }

    /// A UUID that the schema declares as `String`.
    pub(crate) fn id(self, name: &str) -> Result<Option<Uuid>, Refusal> {
        let read = |text: &str| {
            let wrong = |_| Refusal::invalid(format!("`{name}` is \"{text}\": expected a UUID"));
            Uuid::parse_str(text).map_err(wrong)
        };
        self.text(name).filter(|text| !text.is_empty()).map(read).transpose()
    }

    /// Like [`Self::id`], but required.
    pub(crate) fn needed_id(self, name: &str) -> Result<Uuid, Refusal> {
        self.id(name)?.ok_or_else(|| Refusal::invalid(format!("`{name}` is missing: expected a UUID")))
    }

    /// A time that the schema declares as `String`, µs since 1970 UTC.
    pub(crate) fn time(self, name: &str) -> Result<Option<i64>, Refusal> {
        let read = |text: &str| {
            let wrong = || {
                Refusal::invalid(format!(
                    "`{name}` is \"{text}\": expected a time such as 2026-11-20T06:38:00Z"
                ))
            };
            parse_timestamp(text).ok_or_else(wrong)
        };
        self.text(name).filter(|text| !text.is_empty()).map(read).transpose()
    }

    /// One of the allowed words.
    pub(crate) fn word(self, name: &str, allowed: &[&'static str]) -> Result<Option<&'static str>, Refusal> {
        let read = |text: &str| {
            let found = allowed.iter().find(|word| **word == text).copied();
            found.ok_or_else(|| {
                Refusal::invalid(format!("`{name}` is \"{text}\": expected one of {}", allowed.join(", ")))
            })
        };
        self.text(name).map(read).transpose()
    }
}
