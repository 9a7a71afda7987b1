//! Parses root fields implemented in code, and the plain types of their arguments and results.

use super::columns::area;
use super::directives::{self, Directive};
use super::drafts::{Drafts, OperationDraft, TypeDraft};
use super::problems::{Problems, SourceLine};
use crate::{
    Catalogue, Listing, Member, Operation, PlainType, Role, Root, TypeBase, TypeShape, TypeUse, scalar,
};
use async_graphql_parser::Positioned;
use async_graphql_parser::types::{BaseType, FieldDefinition, InputValueDefinition, Type, TypeKind};

/// Adds the types and operations of the drafts to the catalogue.
pub(super) fn build(drafts: &Drafts<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    for draft in &drafts.types {
        let name = draft.definition.name.node.as_str();
        // The row type of a listing becomes a type of its own only if an operation returns such a row.
        if let Some(listing) = catalogue.listings.iter().find(|listing| listing.row_type == name) {
            if drafts.operations.iter().any(|one| type_use(&one.field.ty.node).name() == name) {
                let row = row(draft, listing);
                catalogue.types.push(row);
            }
            continue;
        }
        let is_known = catalogue.find(name).is_some() || catalogue.enum_values(name).is_some();
        let is_listing = catalogue
            .listings
            .iter()
            .any(|one| one.where_type.as_deref() == Some(name) || one.response_type.as_deref() == Some(name));
        if is_known || is_listing {
            problems.add(draft.place, format!("there are two things called `{name}`"));
        }
        let plain = plain(draft, problems);
        catalogue.types.push(plain);
    }
    let mut uses = Uses { catalogue, problems };
    for draft in &drafts.types {
        uses.check_members(draft);
    }
    for draft in &drafts.operations {
        uses.check_operation(draft);
    }
    for draft in &drafts.operations {
        let operation = operation(draft, problems);
        let same = |other: &Operation| other.name == operation.name && other.root == operation.root;
        let is_table = catalogue.find(&operation.name).is_some_and(|_| operation.root == Root::Query);
        let is_listing = catalogue.listings.iter().any(|listing| listing.name == operation.name);
        if catalogue.operations.iter().any(same) || is_table || is_listing && operation.root == Root::Query {
            problems.add(draft.place, format!("root field `{}` is defined twice", operation.name));
        }
        catalogue.operations.push(operation);
    }
}

fn operation(draft: &OperationDraft<'_>, problems: &mut Problems) -> Operation {
    let name = draft.field.name.node.as_str();
    let description = text(draft.field.description.as_ref());
    if description.is_empty() {
        problems.add(draft.place, format!("`{name}` needs a description: what does it do?"));
    }
    Operation {
        name: name.to_owned(),
        description,
        area: area(draft.place.file).to_owned(),
        root: draft.root,
        arguments: draft.field.arguments.iter().map(|argument| input(&argument.node)).collect(),
        answer: type_use(&draft.field.ty.node),
        roles: roles(&draft.directive, problems),
    }
}

fn roles(directive: &Directive<'_>, problems: &mut Problems) -> Vec<Role> {
    let names = directive.texts("roles", problems);
    if names.is_empty() {
        problems.add(directive.place, "@operation needs `roles`: who may call it?");
    }
    let mut roles = Vec::with_capacity(names.len());
    for name in names {
        if let Some(role) = Role::find(name) {
            roles.push(role);
        } else {
            let known = Role::ALL.map(Role::name).join(", ");
            problems.add(directive.place, format!("there is no role `{name}`; known: {known}"));
        }
    }
    roles.sort_unstable();
    roles.dedup();
    roles
}

fn plain(draft: &TypeDraft<'_>, problems: &mut Problems) -> PlainType {
    let definition = draft.definition;
    directives::read(draft.place.file, &definition.directives, &[], problems);
    let shape = match &definition.kind {
        TypeKind::Object(object) => {
            TypeShape::Object(object.fields.iter().map(|member| field(&member.node)).collect())
        }
        TypeKind::InputObject(object) => {
            TypeShape::Input(object.fields.iter().map(|member| input(&member.node)).collect())
        }
        _ => TypeShape::Scalar,
    };
    PlainType {
        name: definition.name.node.to_string(),
        description: text(definition.description.as_ref()),
        area: area(draft.place.file).to_owned(),
        shape,
    }
}

/// The row type of a listing, without columns that exist only in `where`.
fn row(draft: &TypeDraft<'_>, listing: &Listing) -> PlainType {
    let definition = draft.definition;
    let is_shown =
        |name: &str| listing.columns.iter().any(|column| column.name == name && column.row_type.is_some());
    let members = match &definition.kind {
        TypeKind::Object(object) => object.fields.iter().map(|member| field(&member.node)).collect(),
        _ => Vec::new(),
    };
    let shown = members.into_iter().filter(|member: &Member| is_shown(&member.name)).collect();
    PlainType {
        name: listing.row_type.clone(),
        description: text(definition.description.as_ref()),
        area: area(draft.place.file).to_owned(),
        shape: TypeShape::Object(shown),
    }
}

fn field(definition: &FieldDefinition) -> Member {
    Member {
        name: definition.name.node.to_string(),
        description: text(definition.description.as_ref()),
        kind: type_use(&definition.ty.node),
        default: None,
    }
}

fn input(definition: &InputValueDefinition) -> Member {
    let default = definition.default_value.as_ref();
    Member {
        name: definition.name.node.to_string(),
        description: text(definition.description.as_ref()),
        kind: type_use(&definition.ty.node),
        default: default.and_then(|value| serde_json::to_value(&value.node).ok()),
    }
}

fn type_use(ty: &Type) -> TypeUse {
    let base = match &ty.base {
        BaseType::Named(name) => TypeBase::Named(name.to_string()),
        BaseType::List(item) => TypeBase::List(Box::new(type_use(item))),
    };
    TypeUse { base, nullable: ty.nullable }
}

fn text(description: Option<&Positioned<String>>) -> String {
    description.map(|text| text.node.clone()).unwrap_or_default()
}

/// Checks that every type reference is valid where it is used.
struct Uses<'a, 'p> {
    catalogue: &'a Catalogue,
    problems: &'p mut Problems,
}

impl Uses<'_, '_> {
    fn check_members(&mut self, draft: &TypeDraft<'_>) {
        let file = draft.place.file;
        let mut names = Vec::new();
        match &draft.definition.kind {
            TypeKind::Object(_) if self.is_row(&draft.definition.name.node) => {}
            TypeKind::Object(object) => {
                for member in &object.fields {
                    let place = SourceLine { file, line: member.node.name.pos.line };
                    names.push((place, member.node.name.node.as_str()));
                    directives::read(file, &member.node.directives, &[], self.problems);
                    self.check_use(place, &member.node.ty.node, false);
                    if !member.node.arguments.is_empty() {
                        self.problems.add(place, "a field of a plain type takes no arguments");
                    }
                }
            }
            TypeKind::InputObject(object) => {
                for member in &object.fields {
                    let place = SourceLine { file, line: member.node.name.pos.line };
                    names.push((place, member.node.name.node.as_str()));
                    directives::read(file, &member.node.directives, &[], self.problems);
                    self.check_use(place, &member.node.ty.node, true);
                }
            }
            _ => {}
        }
        for (at, (place, name)) in names.iter().enumerate() {
            if names[..at].iter().any(|(_, other)| other == name) {
                self.problems.add(*place, format!("`{name}` is defined twice"));
            }
        }
    }

    /// Whether the type is a listing's row type, whose members the listing has already checked.
    fn is_row(&self, name: &str) -> bool {
        self.catalogue.listings.iter().any(|listing| listing.row_type == name)
    }

    fn check_operation(&mut self, draft: &OperationDraft<'_>) {
        self.check_use(draft.place, &draft.field.ty.node, false);
        for argument in &draft.field.arguments {
            let place = SourceLine { file: draft.place.file, line: argument.node.name.pos.line };
            self.check_use(place, &argument.node.ty.node, true);
        }
    }

    fn check_use(&mut self, place: SourceLine<'_>, ty: &Type, is_input: bool) {
        let used = type_use(ty);
        let name = used.name();
        if scalar(name).is_some() || self.catalogue.enum_values(name).is_some() {
            return;
        }
        let wrong = match (self.catalogue.find_type(name).map(|plain| &plain.shape), is_input) {
            (None, _) => {
                "is neither a scalar, an enum of the catalogue, nor a type of operations/".to_owned()
            }
            (Some(TypeShape::Object(_)), true) => "is a type of answers: arguments need an input".to_owned(),
            (Some(TypeShape::Input(_)), false) => "is an input: answers need a type".to_owned(),
            _ => return,
        };
        self.problems.add(place, format!("`{name}` {wrong}"));
    }
}
