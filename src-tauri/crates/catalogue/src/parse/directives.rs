//! Reads directives and their arguments and checks their spelling.

use super::problems::{Problems, SourceLine};
use async_graphql_parser::Positioned;
use async_graphql_parser::types::ConstDirective;
use async_graphql_value::{ConstValue, Name};

/// The name of a directive and the arguments it accepts.
pub(super) type DirectiveRule = (&'static str, &'static [&'static str]);

/// A directive that is allowed where it is used.
#[derive(Clone, Copy)]
pub(super) struct Directive<'a> {
    pub place: SourceLine<'a>,
    pub name: &'a str,
    arguments: &'a [(Positioned<Name>, Positioned<ConstValue>)],
}

/// Returns the directives listed in `known`. Any other directive or an unknown argument is an error.
pub(super) fn read<'a>(
    file: &'a str,
    directives: &'a [Positioned<ConstDirective>],
    known: &[DirectiveRule],
    problems: &mut Problems,
) -> Vec<Directive<'a>> {
    let mut read = Vec::with_capacity(directives.len());
    for directive in directives {
        let name = directive.node.name.node.as_str();
        let place = SourceLine { file, line: directive.pos.line };
        let Some((_, arguments)) = known.iter().find(|(known, _)| *known == name) else {
            let expected = known.iter().map(|(name, _)| format!("@{name}")).collect::<Vec<_>>().join(", ");
            problems.add(place, format!("@{name} is unknown here; known: {expected}"));
            continue;
        };
        for (argument, _) in &directive.node.arguments {
            if !arguments.contains(&argument.node.as_str()) {
                let expected = if arguments.is_empty() { "none".to_owned() } else { arguments.join(", ") };
                problems
                    .add(place, format!("@{name} knows no argument `{}`; known: {expected}", argument.node));
            }
        }
        read.push(Directive { place, name, arguments: &directive.node.arguments });
    }
    read
}

pub(super) fn find<'a, 'b>(directives: &'b [Directive<'a>], name: &str) -> Option<&'b Directive<'a>> {
    directives.iter().find(|directive| directive.name == name)
}

impl<'a> Directive<'a> {
    /// The argument's value as written.
    pub fn value(&self, argument: &str) -> Option<&'a ConstValue> {
        self.arguments.iter().find(|(name, _)| name.node == argument).map(|(_, value)| &value.node)
    }

    /// The argument as text: a string or an enum word.
    pub fn text(&self, argument: &str, problems: &mut Problems) -> Option<&'a str> {
        let value = self.value(argument)?;
        let text = word(value);
        if text.is_none() {
            problems.add(self.place, format!("@{}({argument}: …) must be a text, not {value}", self.name));
        }
        text
    }

    /// The argument as [`Self::text`]; an absent argument is an error.
    pub fn required(&self, argument: &str, problems: &mut Problems) -> Option<&'a str> {
        if self.value(argument).is_none() {
            problems.add(self.place, format!("@{} needs `{argument}`", self.name));
        }
        self.text(argument, problems)
    }

    /// The argument as a list of texts; a single text gives a list of one, an absent argument an empty list.
    pub fn texts(&self, argument: &str, problems: &mut Problems) -> Vec<&'a str> {
        let Some(value) = self.value(argument) else {
            return Vec::new();
        };
        let texts = match value {
            ConstValue::List(items) => items.iter().map(word).collect::<Option<Vec<_>>>(),
            other => word(other).map(|text| vec![text]),
        };
        texts.unwrap_or_else(|| {
            problems.add(
                self.place,
                format!("@{}({argument}: …) must be a text or a list of texts, not {value}", self.name),
            );
            Vec::new()
        })
    }

    /// The argument as `true` or `false`; `otherwise` if absent.
    pub fn flag(&self, argument: &str, otherwise: bool, problems: &mut Problems) -> bool {
        match self.value(argument) {
            None => otherwise,
            Some(ConstValue::Boolean(flag)) => *flag,
            Some(value) => {
                problems.add(
                    self.place,
                    format!("@{}({argument}: …) must be true or false, not {value}", self.name),
                );
                otherwise
            }
        }
    }
}

fn word(value: &ConstValue) -> Option<&str> {
    match value {
        ConstValue::String(text) => Some(text),
        ConstValue::Enum(name) => Some(name),
        _ => None,
    }
}
