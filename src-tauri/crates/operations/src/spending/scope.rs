//! The scope of a budget: a stored filter of charges.

use super::dimension::{Dimension, texts};
use catalogue::Table;
use graphql::Refusal;
use serde_json::Value as Json;
use store::query::Filter;
use uuid::Uuid;

/// Conditions that a charge must meet; empty means every charge.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope(Vec<(Dimension, Vec<String>)>);

impl Scope {
    /// Reads `{"service_name": ["…"], "account_ids": ["…"]}`; refuses invalid scopes with the reason.
    pub(crate) fn read(scope: &Json) -> Result<Self, Refusal> {
        Self::read_as(scope, "scope")
    }

    /// Like [`Self::read`]; `place` is the field's name in messages.
    pub(super) fn read_as(scope: &Json, place: &str) -> Result<Self, Refusal> {
        let Json::Object(members) = scope else {
            return Err(Refusal::invalid(format!(
                "`{place}` is {scope}: expected an object of lists such as {{\"service_name\": [\"Amazon EC2\"]}}; {{}} is all charges"
            )));
        };
        let mut conditions = Vec::new();
        for (name, values) in members {
            let dimension = Dimension::find(name, place)?;
            let texts = texts(values).filter(|texts| !texts.is_empty() && !texts.contains(&String::new())).ok_or_else(|| {
                Refusal::invalid(format!(
                    "`{place}.{name}` is {values}: expected a list of texts that are not empty, one at least; leave `{name}` out for all"
                ))
            })?;
            for text in &texts {
                dimension.value(text)?;
            }
            conditions.push((dimension, texts));
        }
        Ok(Self(conditions))
    }

    /// Whether it refers to a virtual tag.
    pub(super) fn has_virtual_tag(&self) -> bool {
        self.0.iter().any(|(dimension, _)| dimension.is_virtual())
    }

    /// The charges of these accounts.
    pub(super) fn of_accounts(ids: Option<&Json>) -> Result<Self, Refusal> {
        let Some(ids) = ids.and_then(texts).filter(|ids| !ids.is_empty()) else { return Ok(Self::default()) };
        let accounts = Dimension::Column("cloud_account");
        for id in &ids {
            accounts.value(id)?;
        }
        Ok(Self(vec![(accounts, ids)]))
    }

    /// The charges that have one of these business units.
    pub(super) fn of_units(ids: impl IntoIterator<Item = Uuid>) -> Self {
        Self(vec![(Dimension::Column("business_unit"), ids.into_iter().map(|id| id.to_string()).collect())])
    }

    /// The charges of one account.
    pub(super) fn of_account(id: Uuid) -> Self {
        Self(vec![(Dimension::Column("cloud_account"), vec![id.to_string()])])
    }

    /// Only the conditions on accounts. The newest charge of the accounts shows up to which day the bill is known.
    pub(super) fn accounts(&self) -> Self {
        let of_accounts =
            |(dimension, _): &&(Dimension, Vec<String>)| *dimension == Dimension::Column("cloud_account");
        Self(self.0.iter().filter(of_accounts).cloned().collect())
    }

    pub(super) fn filter(&self, charges: &Table) -> Result<Vec<Filter>, Refusal> {
        self.0.iter().map(|(dimension, values)| dimension.is_one_of(charges, values)).collect()
    }

    /// One condition per condition of the scope; a charge outside the scope meets at least one of them.
    pub(super) fn outside(&self, charges: &Table) -> Result<Vec<Filter>, Refusal> {
        self.0.iter().map(|(dimension, values)| dimension.is_none_of(charges, values)).collect()
    }
}
