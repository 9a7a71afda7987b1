//! Charges that a rule applies to: the conditions of a budget's scope, plus tags that the charges lack.

use super::dimension::{Dimension, texts};
use super::scope::Scope;
use catalogue::{Table, Value};
use graphql::Refusal;
use serde_json::{Map, Value as Json};
use store::query::{Filter, Operator, Subject, Test};

const UNTAGGED: &str = "untagged";

/// A scope, plus tags that the charges lack.
#[derive(Debug, Clone, Default)]
pub(super) struct Selection {
    scope: Scope,
    untagged: Vec<Dimension>,
}

impl Selection {
    /// Reads a scope that may contain `untagged`.
    pub(super) fn read(value: &Json, name: &str) -> Result<Self, Refusal> {
        let Json::Object(members) = value else {
            return Err(Refusal::invalid(format!(
                "`{name}` is {value}: expected an object of lists such as {{\"service_name\": [\"AWS Support\"]}}"
            )));
        };
        let mut rest: Map<String, Json> = members.clone();
        let keys = match rest.remove(UNTAGGED) {
            None => Vec::new(),
            Some(keys) => texts(&keys)
                .filter(|keys| !keys.is_empty() && !keys.contains(&String::new()))
                .ok_or_else(|| {
                    Refusal::invalid(format!(
                        "`{name}.{UNTAGGED}` is {keys}: expected a list of keys of tags such as [\"team\"]"
                    ))
                })?,
        };
        Ok(Self {
            scope: Scope::read_as(&Json::Object(rest), name)?,
            untagged: keys.into_iter().map(Dimension::Tag).collect(),
        })
    }

    /// Whether it refers to a virtual tag.
    pub(super) fn has_virtual_tag(&self) -> bool {
        self.scope.has_virtual_tag() || self.untagged.iter().any(Dimension::is_virtual)
    }

    /// The condition that a charge is selected.
    pub(super) fn filter(&self, charges: &Table) -> Result<Filter, Refusal> {
        let mut conditions = self.scope.filter(charges)?;
        for tag in &self.untagged {
            conditions.push(Filter::Or(lacks(tag, charges)?));
        }
        Ok(Filter::And(conditions))
    }

    /// The condition that a charge is not selected. (`NOT` alone would miss charges whose column is null.)
    pub(super) fn outside(&self, charges: &Table) -> Result<Filter, Refusal> {
        let mut conditions = self.scope.outside(charges)?;
        for tag in &self.untagged {
            conditions.push(has(tag, charges)?);
        }
        Ok(Filter::Or(conditions))
    }
}

/// Conditions of which one holds if the charge lacks the tag: the tag is missing, or it is empty.
pub(super) fn lacks(tag: &Dimension, charges: &Table) -> Result<Vec<Filter>, Refusal> {
    let test = |test: Test| -> Result<Filter, Refusal> {
        Ok(Filter::Test { subject: Subject::Key(tag.key(charges)?), test })
    };
    Ok(vec![test(Test::IsNull)?, test(Test::Compare(Operator::Equal, Value::Text(String::new())))?])
}

/// The condition that a charge has a value of the tag that is not empty.
pub(super) fn has(tag: &Dimension, charges: &Table) -> Result<Filter, Refusal> {
    let has = lacks(tag, charges)?.into_iter().map(|lack| Filter::Not(Box::new(lack)));
    Ok(Filter::And(has.collect()))
}
