//! Root fields with code, and the types their arguments and answers have.

use crate::{Role, Scalar};

/// Which root a field belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Root {
    Query,
    Mutation,
}

impl Root {
    /// The name of the root's type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Query => "query_root",
            Self::Mutation => "mutation_root",
        }
    }
}

/// A root field with code. Both roots may have one of the same name.
#[derive(Debug, Clone)]
pub struct Operation {
    pub name: String,
    pub description: String,
    /// Like [`crate::Table::area`].
    pub area: String,
    pub root: Root,
    pub arguments: Vec<Member>,
    pub answer: TypeUse,
    /// Who may call it: one of these is enough.
    pub roles: Vec<Role>,
}

/// A type of arguments or answers.
#[derive(Debug, Clone)]
pub struct PlainType {
    pub name: String,
    pub description: String,
    /// Like [`crate::Table::area`].
    pub area: String,
    pub shape: TypeShape,
}

#[derive(Debug, Clone)]
pub enum TypeShape {
    Object(Vec<Member>),
    Input(Vec<Member>),
    /// Any JSON, under a name of its own.
    Scalar,
}

/// A field of an object or input, or an argument.
#[derive(Debug, Clone)]
pub struct Member {
    pub name: String,
    pub description: String,
    pub kind: TypeUse,
    /// What an argument or input field is when it is left out.
    pub default: Option<serde_json::Value>,
}

/// A type as it is used: named or a list, null or never null.
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
    /// The innermost name.
    pub fn name(&self) -> &str {
        match &self.base {
            TypeBase::Named(name) => name,
            TypeBase::List(item) => item.name(),
        }
    }
}

/// As GraphQL writes it, `[uuid!]!`.
impl std::fmt::Display for TypeUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.base {
            TypeBase::Named(name) => f.write_str(name)?,
            TypeBase::List(item) => write!(f, "[{item}]")?,
        }
        f.write_str(if self.nullable { "" } else { "!" })
    }
}

/// The scalar of that name that every catalogue knows; `Float` and `ID` are read like `float8` and `String`.
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
