//! The resources that a request selects.

use crate::kit::{Arguments, Look};
use catalogue::{Reach, Right, Scalar, Value};
use graphql::{Call, Refusal};
use serde_json::Value as Json;
use store::query::{Filter, Operator, Subject, Test};
use store::{StoreError, Transaction};
use uuid::Uuid;

/// The largest number of search words: each is matched against five columns of every resource.
const MOST_WORDS: usize = 20;
const SEARCHED: [&str; 5] = ["name", "external_resource_id", "type", "service_name", "region"];

/// The resources that match the search and the filters of a request.
#[derive(Clone)]
pub(super) struct Selection<'a> {
    rows: &'a Transaction<'a>,
    conditions: Vec<Filter>,
}

impl<'a> Selection<'a> {
    /// Reads `filters` and `search` of a request. Every word of the search must match.
    pub(super) fn of(call: &Call<'a>, request: Arguments<'_>) -> Result<Self, Refusal> {
        let mut selection = Self { rows: call.rows, conditions: Vec::new() };
        for filter in request.value("filters").and_then(Json::as_array).into_iter().flatten() {
            let condition = selection.field(filter)?;
            selection.conditions.push(condition);
        }
        let words: Vec<&str> = request.text("search").unwrap_or_default().split_whitespace().collect();
        if words.len() > MOST_WORDS {
            let message = format!("`search` has {} words: expected {MOST_WORDS} at most", words.len());
            return Err(Refusal::invalid(message));
        }
        for word in words {
            let condition = selection.mentions(word)?;
            selection.conditions.push(condition);
        }
        Ok(selection)
    }

    /// The selection restricted by one more condition.
    pub(super) fn that(&self, condition: Filter) -> Self {
        let mut narrowed = self.clone();
        narrowed.conditions.push(condition);
        narrowed
    }

    pub(super) fn look(&self) -> Result<Look<'a>, Refusal> {
        Ok(Look::at(self.rows, "cloud_resourses")?.meeting(Filter::And(self.conditions.clone())))
    }

    /// The resources in the requested order; ties are ordered by id.
    pub(super) fn sorted(&self, sort: &str, direction: &str) -> Result<Look<'a>, Refusal> {
        let look = self.look()?;
        let look = match sort {
            "ACCOUNT" => look.ordered_through("cloud_account", "account_name", direction)?,
            "SERVICE" => look.ordered_as("service_name", direction)?,
            "TYPE" => look.ordered_as("type", direction)?,
            "REGION" => look.ordered_as("region", direction)?,
            "STATUS" => look.ordered_as("status", direction)?,
            "LAST_SEEN" => look.ordered_as("last_seen", direction)?,
            _ => look.ordered_as("name", direction)?,
        };
        look.ordered_as("external_resource_id", direction)?.ordered("id", false)
    }

    /// A condition on the resource of a charge; `None` if every resource meets it.
    pub(super) fn condition(&self) -> Option<Filter> {
        // A caller limited to single accounts may see a charge whose resource belongs to another account.
        let is_all = self.conditions.is_empty() && self.rows.caller().reach(Right::Read) >= Reach::Tenant;
        (!is_all).then(|| Filter::And(self.conditions.clone()))
    }

    fn test(&self, column: &str, test: Test) -> Result<Filter, StoreError> {
        let table = "cloud_resourses";
        let unknown = || StoreError::UnknownTable(table.to_owned());
        let id = self.rows.catalogue().find(table).ok_or_else(unknown)?;
        let unknown = || StoreError::UnknownColumn { table: table.to_owned(), column: column.to_owned() };
        let column = self.rows.catalogue().table(id).find_column(column).ok_or_else(unknown)?;
        Ok(Filter::Test { subject: Subject::Column(column), test })
    }

    /// Whether the word occurs in one of the searched columns.
    fn mentions(&self, word: &str) -> Result<Filter, Refusal> {
        let mut pattern = String::from("%");
        for letter in word.chars() {
            // In a LIKE pattern, % and _ are wildcards.
            if matches!(letter, '\\' | '%' | '_') {
                pattern.push('\\');
            }
            pattern.push(letter);
        }
        pattern.push('%');
        let test = Test::Compare(Operator::LikeAnyCase, Value::Text(pattern));
        let tests = SEARCHED.iter().map(|column| self.test(column, test.clone()));
        Ok(Filter::Or(tests.collect::<Result<_, _>>()?))
    }

    /// Whether a field has one of the values, or with `not`, none of them.
    fn field(&self, filter: &Json) -> Result<Filter, Refusal> {
        let column = match filter["field"].as_str().unwrap_or_default() {
            "ACCOUNT" => "account",
            "SERVICE" => "service_name",
            "TYPE" => "type",
            "REGION" => "region",
            _ => "status",
        };
        let scalar = Look::at(self.rows, "cloud_resourses")?.scalar(column)?;
        let texts = filter["values"].as_array().into_iter().flatten().filter_map(Json::as_str);
        let (none, texts): (Vec<&str>, Vec<&str>) = texts.partition(|text| text.is_empty());
        let values = texts.into_iter().map(|text| value(column, scalar, text)).collect::<Result<_, _>>()?;
        let is_one = self.test(column, Test::OneOf(values))?;
        let is_null = self.test(column, Test::IsNull)?;
        let not = |filter| Filter::Not(Box::new(filter));
        // A comparison with null is neither true nor false, therefore resources without a value are handled explicitly in all four cases.
        Ok(match (filter["not"].as_bool().unwrap_or_default(), none.is_empty()) {
            (false, true) => Filter::And(vec![not(is_null), is_one]),
            (false, false) => Filter::Or(vec![is_null, is_one]),
            (true, true) => Filter::Or(vec![is_null, not(is_one)]),
            (true, false) => Filter::And(vec![not(is_null), not(is_one)]),
        })
    }
}

fn value(column: &str, scalar: &Scalar, text: &str) -> Result<Value, Refusal> {
    if *scalar != Scalar::Uuid {
        return Ok(Value::Text(text.to_owned()));
    }
    let wrong = |_| Refusal::invalid(format!("`{column}` is compared with \"{text}\": expected a UUID"));
    Uuid::parse_str(text).map(Value::Uuid).map_err(wrong)
}
