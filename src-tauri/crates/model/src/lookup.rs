//! Lookups as enums of their allowed values.

/// Defines the enum of a lookup, with the text of each value.
macro_rules! lookup {
    ($(#[$about:meta])* $Name:ident { $($(#[$what:meta])* $Variant:ident = $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $Name {
            $($(#[$what])* $Variant,)*
        }

        impl $Name {
            /// All values, in catalogue order.
            pub const ALL: &'static [Self] = &[$(Self::$Variant),*];

            /// The value as stored and as used in GraphQL.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$Variant => $text,)*
                }
            }

            /// Finds a value by its text.
            pub fn find(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$Variant),)*
                    _ => None,
                }
            }
        }

        $crate::lookup::text_cell!($Name);
    };
}
pub(crate) use lookup;

/// Implements [`Cell`](crate::Cell) and [`Display`](std::fmt::Display) for a type stored as text.
macro_rules! text_cell {
    ($Name:ident) => {
        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $Name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $Name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                Self::find(&text).ok_or_else(|| serde::de::Error::custom(format!("unknown value \"{text}\"")))
            }
        }

        impl From<$Name> for catalogue::ValueRef<'_> {
            fn from(value: $Name) -> Self {
                Self::Text(value.as_str())
            }
        }

        impl $crate::Cell for $Name {
            type Plain = Self;
            const EXPECTED: &'static str = concat!("a value of ", stringify!($Name));

            fn from_value(value: catalogue::Value) -> Result<Self, catalogue::Value> {
                value.as_text().and_then(Self::find).ok_or(value)
            }

            fn into_value(self) -> catalogue::Value {
                catalogue::Value::Text(self.as_str().to_owned())
            }

            fn from_json(json: &serde_json::Value) -> Option<Self> {
                Self::find(json.as_str()?)
            }
        }
    };
}
pub(crate) use text_cell;
