//! Cell types that Rust has no standard type for: typed ids, times, JSON, secrets.

use crate::cell::Cell;
use catalogue::{Value, format_date, format_timestamp, format_timestamptz, parse_date, parse_timestamp};
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::Value as Document;
use std::fmt::{Debug, Display, Formatter};
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use uuid::Uuid;

/// The primary key of a row of table `T`.
pub struct Id<T> {
    uuid: Uuid,
    marker: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    pub const fn new(uuid: Uuid) -> Self {
        Self { uuid, marker: PhantomData }
    }

    pub const fn uuid(self) -> Uuid {
        self.uuid
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.uuid == other.uuid
    }
}

impl<T> Eq for Id<T> {}

impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.uuid.cmp(&other.uuid)
    }
}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.uuid.hash(state);
    }
}

impl<T> Debug for Id<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        Debug::fmt(&self.uuid, f)
    }
}

impl<T> Display for Id<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(&self.uuid, f)
    }
}

impl<T> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.uuid.serialize(serializer)
    }
}

impl<T> From<Uuid> for Id<T> {
    fn from(uuid: Uuid) -> Self {
        Self::new(uuid)
    }
}

impl<T> From<Id<T>> for Uuid {
    fn from(id: Id<T>) -> Self {
        id.uuid
    }
}

impl<T> From<Id<T>> for catalogue::ValueRef<'_> {
    fn from(id: Id<T>) -> Self {
        Self::Uuid(id.uuid)
    }
}

impl<T> Cell for Id<T> {
    type Plain = Self;
    const EXPECTED: &'static str = "a UUID";

    fn from_value(value: Value) -> Result<Self, Value> {
        value.as_uuid().map(Self::new).ok_or(value)
    }

    fn into_value(self) -> Value {
        Value::Uuid(self.uuid)
    }

    fn from_json(json: &Document) -> Option<Self> {
        Uuid::from_json(json).map(Self::new)
    }
}

/// Defines a time type. Arguments: name, formatting function, parsing function, variant of [`Value`], expected type for messages.
macro_rules! time {
    ($(#[$about:meta])* $Name:ident($number:ty), $write:ident, $read:ident, $variant:ident, $expected:literal) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Name(pub $number);

        impl Display for $Name {
            fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$write(self.0))
            }
        }

        impl Serialize for $Name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&$write(self.0))
            }
        }

        impl From<$number> for $Name {
            fn from(number: $number) -> Self {
                Self(number)
            }
        }

        impl From<$Name> for catalogue::ValueRef<'_> {
            fn from(time: $Name) -> Self {
                Self::$variant(time.0)
            }
        }

        impl Cell for $Name {
            type Plain = Self;
            const EXPECTED: &'static str = $expected;

            fn from_value(value: Value) -> Result<Self, Value> {
                match value {
                    Value::$variant(number) => Ok(Self(number)),
                    other => Err(other),
                }
            }

            fn into_value(self) -> Value {
                Value::$variant(self.0)
            }

            fn from_json(json: &Document) -> Option<Self> {
                $read(json.as_str()?).map(Self)
            }
        }
    };
}

time! {
    /// A time, µs since 1970 UTC; GraphQL shows it without a zone.
    Timestamp(i64), format_timestamp, parse_timestamp, Timestamp, "a time"
}
time! {
    /// A time, µs since 1970 UTC; GraphQL shows it with `+00:00`.
    ZonedTimestamp(i64), format_timestamptz, parse_timestamp, Timestamp, "a time"
}
time! {
    /// A date, in days since 1970-01-01.
    Date(i32), format_date, parse_date, Date, "a day"
}

impl Timestamp {
    /// µs since 1970 UTC.
    pub const fn micros(self) -> i64 {
        self.0
    }
}

impl Date {
    /// Days since 1970-01-01.
    pub const fn days(self) -> i32 {
        self.0
    }
}

impl ZonedTimestamp {
    /// µs since 1970 UTC.
    pub const fn micros(self) -> i64 {
        self.0
    }
}

/// A JSON document as text; parsed only when needed.
#[derive(Debug, Clone, PartialEq)]
pub struct Json(String);

impl Json {
    /// The document as stored.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The parsed document; null if it is not valid JSON.
    pub fn value(&self) -> Document {
        serde_json::from_str(&self.0).unwrap_or_default()
    }

    /// Parses the document as a Rust type.
    pub fn parse<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(&self.0)
    }

    /// Serialises a value as a document.
    pub fn of(value: &impl Serialize) -> serde_json::Result<Self> {
        serde_json::to_string(value).map(Self)
    }
}

impl From<Document> for Json {
    fn from(value: Document) -> Self {
        Self(value.to_string())
    }
}

impl From<&Document> for Json {
    fn from(value: &Document) -> Self {
        Self(value.to_string())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &serde_json::value::RawValue =
            serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl Cell for Json {
    type Plain = Self;
    const EXPECTED: &'static str = "JSON";

    fn from_value(value: Value) -> Result<Self, Value> {
        match value {
            Value::Json(text) => Ok(Self(text)),
            other => Err(other),
        }
    }

    fn into_value(self) -> Value {
        Value::Json(self.0)
    }

    fn from_json(json: &Document) -> Option<Self> {
        Some(json.into())
    }
}

/// A value that must not be displayed: prints as `***`.
#[derive(Clone, PartialEq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Returns the secret value.
    pub fn expose(self) -> T {
        self.0
    }

    /// Borrows the secret value.
    pub const fn get(&self) -> &T {
        &self.0
    }
}

impl<T> Debug for Secret<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

impl<T> From<T> for Secret<T> {
    fn from(secret: T) -> Self {
        Self(secret)
    }
}

impl From<&str> for Secret<String> {
    fn from(secret: &str) -> Self {
        Self(secret.to_owned())
    }
}

impl<T: Cell> Cell for Secret<T> {
    type Plain = Secret<T::Plain>;
    const EXPECTED: &'static str = T::EXPECTED;

    fn from_value(value: Value) -> Result<Self, Value> {
        T::from_value(value).map(Self)
    }

    fn into_value(self) -> Value {
        self.0.into_value()
    }

    fn from_json(json: &Document) -> Option<Self> {
        T::from_json(json).map(Self)
    }
}
