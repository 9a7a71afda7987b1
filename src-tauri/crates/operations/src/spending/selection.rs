//! Which charges a rule is about: conditions of a budget, and tags that charges lack.

use super::dimension::{Dimension, texts};
use super::scope::Scope;
use catalogue::{Table, Value};
use graphql::Refusal;
use serde_json::{Map, Value as Json};
use store::query::{Filter, Operator, Subject, Test};

const UNTAGGED: &str = "untagged";

/// Which charges: conditions of a budget, and tags that charges lack.
#[derive(Debug, Clone, Default)]
pub(super) struct Selection {
    scope: Scope,
    untagged: Vec<Dimension>,
}

impl Selection {
    /// Reads a scope that may name `untagged`.
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

    /// Whether it asks for a tag that rules derive.
    pub(super) fn has_virtual_tag(&self) -> bool {
        self.scope.has_virtual_tag() || self.untagged.iter().any(Dimension::is_virtual)
    }

    /// That a charge is meant.
    pub(super) fn filter(&self, charges: &Table) -> Result<Filter, Refusal> {
        let mut conditions = self.scope.filter(charges)?;
        for tag in &self.untagged {
            conditions.push(Filter::Or(lacks(tag, charges)?));
        }
        Ok(Filter::And(conditions))
    }

    /// The charges that it does not mean. (`NOT` alone leaves those out whose column is null.)
    pub(super) fn outside(&self, charges: &Table) -> Result<Filter, Refusal> {
        let mut conditions = self.scope.outside(charges)?;
        for tag in &self.untagged {
            conditions.push(has(tag, charges)?);
        }
        Ok(Filter::Or(conditions))
    }
}

/// That a charge has no value under a key of its tags, one of which holds: there is none, or it is empty.
pub(super) fn lacks(tag: &Dimension, charges: &Table) -> Result<Vec<Filter>, Refusal> {
    let test = |test: Test| -> Result<Filter, Refusal> {
        Ok(Filter::Test { subject: Subject::Key(tag.key(charges)?), test })
    };
    Ok(vec![test(Test::IsNull)?, test(Test::Compare(Operator::Equal, Value::Text(String::new())))?])
}

/// That a charge has a value under a key of its tags that is not empty.
pub(super) fn has(tag: &Dimension, charges: &Table) -> Result<Filter, Refusal> {
    let has = lacks(tag, charges)?.into_iter().map(|lack| Filter::Not(Box::new(lack)));
    Ok(Filter::And(has.collect()))
}
