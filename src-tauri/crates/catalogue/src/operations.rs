//! Root fields implemented in code, and the types of their arguments and results.

use crate::{Role, Scalar};

/// The root type a field belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Root {
    Query,
    Mutation,
}

impl Root {
    /// The name of the root type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Query => "query_root",
            Self::Mutation => "mutation_root",
        }
    }
}

/// A root field implemented in code. Both roots may have a field of the same name.
#[derive(Debug, Clone)]
pub struct Operation {
    pub name: String,
    pub description: String,
    /// The area, see [`crate::Table::area`].
    pub area: String,
    pub root: Root,
    pub arguments: Vec<Member>,
    pub answer: TypeUse,
    /// Roles that may call it; one of them is enough.
    pub roles: Vec<Role>,
}

/// A type of arguments or results.
#[derive(Debug, Clone)]
pub struct PlainType {
    pub name: String,
    pub description: String,
    /// The area, see [`crate::Table::area`].
    pub area: String,
    pub shape: TypeShape,
}

#[derive(Debug, Clone)]
pub enum TypeShape {
    Object(Vec<Member>),
    Input(Vec<Member>),
    /// Any JSON, under its own scalar name.
    Scalar,
}

/// A field of an object or input, or an argument.
#[derive(Debug, Clone)]
pub struct Member {
    pub name: String,
    pub description: String,
    pub kind: TypeUse,
    /// The value of an argument or input field that the request omits.
    pub default: Option<serde_json::Value>,
}

/// A type reference: named or list, nullable or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeUse {
    pub base: TypeBase,
    pub nullable: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeBase {
    /// A scalar ([`scalar`]), an enum of the catalogue, or a type of its `types`.
    Named(String),
    List(Box<TypeUse>),
}

impl TypeUse {
    /// The innermost type name.
    pub fn name(&self) -> &str {
        match &self.base {
            TypeBase::Named(name) => name,
            TypeBase::List(item) => item.name(),
        }
    }
}

/// GraphQL notation: `[uuid!]!`.
impl std::fmt::Display for TypeUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.base {
            TypeBase::Named(name) => f.write_str(name)?,
            TypeBase::List(item) => write!(f, "[{item}]")?,
        }
        f.write_str(if self.nullable { "" } else { "!" })
    }
}

/// Finds a built-in scalar by name. `Float` is read as `float8` and `ID` as `String`.
pub fn scalar(name: &str) -> Option<Scalar> {
    Some(match name {
        "uuid" => Scalar::Uuid,
        "String" | "ID" => Scalar::String,
        "citext" => Scalar::Citext,
        "Int" => Scalar::Int,
        "bigint" => Scalar::Bigint,
        "float8" | "Float" => Scalar::Float8,
        "numeric" => Scalar::Numeric,
        "Boolean" => Scalar::Boolean,
        "timestamp" | "Datetime" => Scalar::Timestamp,
        "timestamptz" => Scalar::Timestamptz,
        "date" => Scalar::Date,
        "json" | "Json" => Scalar::Json,
        "jsonb" => Scalar::Jsonb,
        "bytea" => Scalar::Bytea,
        _ => return None,
    })
}
