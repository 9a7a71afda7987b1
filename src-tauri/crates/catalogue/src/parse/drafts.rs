//! The definitions of all files, sorted by kind; references are not yet resolved.

use std::collections::HashMap;

use super::directives::{self, Directive};
use super::problems::{Problems, SourceLine};
use crate::Root;
use async_graphql_parser::Positioned;
use async_graphql_parser::types::{EnumValueDefinition, FieldDefinition, TypeDefinition};

/// The definitions of all files, sorted by kind; references are not yet resolved.
#[derive(Default)]
pub(super) struct Drafts<'a> {
    /// Tables, views and lookups, in file order.
    pub tables: Vec<TableDraft<'a>>,
    pub enums: Vec<EnumDraft<'a>>,
    /// Fields of `query_root` that are listings.
    pub listings: Vec<(SourceLine<'a>, &'a FieldDefinition, Directive<'a>)>,
    /// Fields of `query_root` over views with arguments.
    pub view_fields: Vec<(SourceLine<'a>, &'a FieldDefinition, Directive<'a>)>,
    /// Root fields implemented in code.
    pub operations: Vec<OperationDraft<'a>>,
    /// Object types of `operations/` by name, including row types of listings.
    pub rows: HashMap<&'a str, RowDraft<'a>>,
    /// All types of `operations/` except enums.
    pub types: Vec<TypeDraft<'a>>,
}

/// A table, view or lookup as written.
pub(super) struct TableDraft<'a> {
    pub place: SourceLine<'a>,
    pub name: &'a str,
    pub description: &'a str,
    pub kind: DraftKind<'a>,
    /// `@table`, `@view` or `@lookup`.
    pub head: Directive<'a>,
    /// The other directives on the table.
    pub directives: Vec<Directive<'a>>,
    pub fields: Vec<Field<'a>>,
}

pub(super) enum DraftKind<'a> {
    Table,
    View { select: &'a str },
    Lookup { values: &'a [Positioned<EnumValueDefinition>] },
}

/// A field of a table with its recognised directives.
pub(super) struct Field<'a> {
    pub place: SourceLine<'a>,
    pub definition: &'a FieldDefinition,
    pub directives: Vec<Directive<'a>>,
}

impl<'a> Field<'a> {
    pub fn name(&self) -> &'a str {
        &self.definition.name.node
    }

    pub fn find(&self, directive: &str) -> Option<&Directive<'a>> {
        directives::find(&self.directives, directive)
    }

    /// Whether it is a second name of a column.
    pub fn is_alias(&self) -> bool {
        self.find("same_as").is_some()
    }

    /// Whether it is a relationship; otherwise it is a column.
    pub fn is_relationship(&self) -> bool {
        self.find("one").is_some() || self.find("many").is_some()
    }
}

/// An enum without a table.
pub(super) struct EnumDraft<'a> {
    pub place: SourceLine<'a>,
    pub name: &'a str,
    pub description: &'a str,
    pub values: &'a [Positioned<EnumValueDefinition>],
    /// Whether it is shown as a scalar (`@scalar`).
    pub is_scalar: bool,
}

/// A root field implemented in code.
pub(super) struct OperationDraft<'a> {
    pub place: SourceLine<'a>,
    pub root: Root,
    pub field: &'a FieldDefinition,
    pub directive: Directive<'a>,
}

/// A type of `operations/`.
pub(super) struct TypeDraft<'a> {
    pub place: SourceLine<'a>,
    pub definition: &'a TypeDefinition,
}

/// The row type of a listing.
pub(super) struct RowDraft<'a> {
    pub fields: &'a [Positioned<FieldDefinition>],
    pub file: &'a str,
}

const SCOPE: [&str; 3] = ["tenant", "through", "scope"];

impl<'a> TableDraft<'a> {
    /// The scope argument: its name and value. Exactly one must be given.
    pub fn scope(&self, problems: &mut Problems) -> Option<(&'static str, &'a str)> {
        let mut said = SCOPE
            .iter()
            .filter_map(|argument| Some((*argument, self.head.text(argument, problems)?)))
            .collect::<Vec<_>>();
        if said.len() == 1 {
            return said.pop();
        }
        let name = self.name;
        problems.add(
            self.place,
            format!("`{name}` must say whose rows they are, once: tenant: \"column\", through: \"relationship\", or scope: everyone or house"),
        );
        None
    }

    /// The table's directives of this name.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &Directive<'a>> {
        self.directives.iter().filter(move |directive| directive.name == name)
    }
}
