//! Limits introspection. Its result grows with the schema, not with the data, therefore selections count as often as they are answered.

use super::{FRAGMENTS, LimitMeter};
use crate::error::{GraphqlError, Path};
use async_graphql_parser::Positioned;
use async_graphql_parser::types::{ExecutableDocument, Field, Selection, SelectionSet};

/// Maximum nesting of member lists of the schema. Types have fields, whose types have fields, …: each level multiplies the result. Tools
/// need one level below `types`.
const MEMBER_LISTS: usize = 2;
/// Maximum number of schema values in a response, as estimated here: more than twice the result of the usual tools' query.
const MEMBERS: usize = 1_000_000;
/// The request is copied for every introspected field: each byte of its text counts as this many values.
const MEMBERS_A_BYTE: usize = 4;

/// Approximate length of schema lists: on average, or for a single requested type.
struct Members {
    types: usize,
    of_each: usize,
    of_one: usize,
    arguments: usize,
}

/// Counted in schema/generated/schema.graphql.
const USUAL: Members = Members { types: 3_500, of_each: 3, of_one: 800, arguments: 2 };

impl LimitMeter {
    /// Counts the selections on `__schema` and `__type`.
    pub(crate) fn introspection(
        &self,
        document: &ExecutableDocument,
        field: &Field,
        path: &Path<'_>,
    ) -> Result<(), GraphqlError> {
        let walk = Walk { spent: self, document, path };
        walk.count(self.text_bytes.saturating_mul(MEMBERS_A_BYTE))?;
        let is_type = field.name.node == "__type";
        let place = Place { depth: 2, fragments: 0, lists: 0, answers: 1, is_type };
        walk.set(&field.selection_set.node, place)
    }
}

/// Walks through selections on the schema, with fragments expanded.
struct Walk<'a> {
    spent: &'a LimitMeter,
    document: &'a ExecutableDocument,
    path: &'a Path<'a>,
}

#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    fragments: usize,
    lists: usize,
    /// Approximate number of times this selection is answered.
    answers: usize,
    /// Whether this is a single type requested by name.
    is_type: bool,
}

impl Walk<'_> {
    fn count(&self, more: usize) -> Result<(), GraphqlError> {
        let remedy = "ask for fewer of its fields at once, or read types one by one with __type";
        super::count(&self.spent.members, more, MEMBERS, self.path, "values of the schema", remedy)
    }

    fn set(&self, set: &SelectionSet, place: Place) -> Result<(), GraphqlError> {
        if place.fragments > FRAGMENTS {
            return Err(self.path.invalid("fragments nest too deeply or refer to themselves"));
        }
        set.items.iter().try_for_each(|item| self.item(item, place))
    }

    fn item(&self, item: &Positioned<Selection>, place: Place) -> Result<(), GraphqlError> {
        self.spent.field(self.path)?;
        let opened = Place { fragments: place.fragments + 1, ..place };
        match &item.node {
            Selection::InlineFragment(fragment) => self.set(&fragment.node.selection_set.node, opened),
            Selection::FragmentSpread(spread) => {
                match self.document.fragments.get(&spread.node.fragment_name.node) {
                    Some(fragment) => self.set(&fragment.node.selection_set.node, opened),
                    None => Ok(()),
                }
            }
            Selection::Field(field) => self.field(&field.node, place),
        }
    }

    fn field(&self, field: &Field, place: Place) -> Result<(), GraphqlError> {
        self.count(place.answers)?;
        let mut inner = Place { depth: place.depth + 1, is_type: false, ..place };
        let of = if place.is_type { USUAL.of_one } else { USUAL.of_each };
        match field.name.node.as_str() {
            "types" => (inner.lists, inner.answers) = (place.lists + 1, USUAL.types),
            "fields" | "inputFields" => {
                (inner.lists, inner.answers) = (place.lists + 1, place.answers.saturating_mul(of));
            }
            "possibleTypes" | "interfaces" => inner.lists += 1,
            "args" => inner.answers = place.answers.saturating_mul(USUAL.arguments),
            "enumValues" if place.is_type => inner.answers = USUAL.of_one,
            // Types are wrapped a few times at most.
            "ofType" => inner.answers = (place.answers / 2).max(1),
            _ => {}
        }
        if inner.lists > MEMBER_LISTS {
            let remedy = "read types one by one with __type";
            let what = "lists of the schema inside lists";
            return Err(self.path.exceeded(what, MEMBER_LISTS, inner.lists, remedy));
        }
        let set = &field.selection_set.node;
        if !set.items.is_empty() {
            self.spent.check_depth(inner.depth, self.path)?;
        }
        self.set(set, inner)
    }
}
