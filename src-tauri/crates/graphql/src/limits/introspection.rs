//! What introspection answers grows with the schema, not with the data: selections count as often as they are answered.

use super::{FRAGMENTS, LimitMeter};
use crate::error::{GraphqlError, Path};
use async_graphql_parser::Positioned;
use async_graphql_parser::types::{ExecutableDocument, Field, Selection, SelectionSet};

/// Lists of members inside lists of members of the schema. Types have fields, whose types have fields, …: every step
/// multiplies the answer. Tools need one step below `types`.
const MEMBER_LISTS: usize = 2;
/// Values of the schema in one answer, as they are estimated here: more than twice what the query of the usual tools answers.
const MEMBERS: usize = 1_000_000;
/// A request is copied for every field that is introspected: each byte of its text counts as so many values.
const MEMBERS_A_BYTE: usize = 4;

/// About how many members a list of the schema has, on average or where one type is asked for.
struct Members {
    types: usize,
    of_each: usize,
    of_one: usize,
    arguments: usize,
}

/// Counted in schema/generated/schema.graphql.
const USUAL: Members = Members { types: 3_500, of_each: 3, of_one: 800, arguments: 2 };

impl LimitMeter {
    /// Counts what is selected of the schema (`__schema`, `__type`).
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

/// Goes through selections of the schema, fragments opened.
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
    /// About how often what stands here is answered.
    answers: usize,
    /// Whether this is one type that was asked for by name.
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
            // What is wrapped is wrapped a few times at most.
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
