//! A schema's text as maps that can be compared.

use async_graphql_parser::parse_schema;
use async_graphql_parser::types::{InputValueDefinition, TypeKind, TypeSystemDefinition};
use std::collections::BTreeMap;

/// One type.
pub struct Shape {
    /// `object`, `input`, `enum` or `scalar`.
    pub kind: &'static str,
    /// Fields or values.
    pub members: BTreeMap<String, Member>,
}

/// One field, input field or enum value (with an empty type).
#[derive(Default)]
pub struct Member {
    /// The type as written, `[uuid!]!`.
    pub kind: String,
    pub arguments: BTreeMap<String, String>,
}

/// All types of a schema by name.
pub fn shapes(sdl: &str) -> BTreeMap<String, Shape> {
    let document = parse_schema(sdl).expect("the schema is valid SDL");
    let mut shapes = BTreeMap::new();
    for definition in document.definitions {
        let TypeSystemDefinition::Type(definition) = definition else { continue };
        let (kind, members) = match definition.node.kind {
            TypeKind::Object(object) => {
                let fields = object.fields.into_iter().map(|field| {
                    let arguments =
                        field.node.arguments.iter().map(|argument| input(&argument.node)).collect();
                    let kind = field.node.ty.node.to_string();
                    (field.node.name.node.to_string(), Member { kind, arguments })
                });
                ("object", fields.collect())
            }
            TypeKind::InputObject(object) => {
                let fields = object.fields.iter().map(|field| {
                    let (name, kind) = input(&field.node);
                    (name, Member { kind, arguments: BTreeMap::new() })
                });
                ("input", fields.collect())
            }
            TypeKind::Enum(values) => {
                let values = values
                    .values
                    .into_iter()
                    .map(|value| (value.node.value.node.to_string(), Member::default()));
                ("enum", values.collect())
            }
            _ => ("scalar", BTreeMap::new()),
        };
        shapes.insert(definition.node.name.node.to_string(), Shape { kind, members });
    }
    shapes
}

fn input(value: &InputValueDefinition) -> (String, String) {
    (value.name.node.to_string(), value.ty.node.to_string())
}

/// The innermost type name: `uuid` of `[uuid!]!`.
pub fn base(kind: &str) -> &str {
    kind.trim_matches(['[', ']', '!'])
}
