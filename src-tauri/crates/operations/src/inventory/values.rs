//! The values by which resources can be filtered.

use crate::kit::{Look, text};
use catalogue::{ColumnId, Value};
use graphql::{Call, Refusal};
use serde_json::{Value as Json, json};
use store::query::{Filter, Grouping, GroupingShape, QueryKind, Subject, Term, Test};
use store::{Query, StoreError};
use uuid::Uuid;

/// Text fields of the response and their columns.
const TEXTS: [(&str, &str); 4] =
    [("services", "service_name"), ("types", "type"), ("regions", "region"), ("statuses", "status")];

/// The distinct values of each field; an empty text stands for resources without a value.
pub(super) fn values(call: &Call<'_>) -> Result<Json, Refusal> {
    let table = "cloud_resourses";
    let catalogue = call.rows.catalogue();
    let id = catalogue.find(table).ok_or_else(|| StoreError::UnknownTable(table.to_owned()))?;
    let column = |name: &str| -> Result<ColumnId, StoreError> {
        let unknown = || StoreError::UnknownColumn { table: table.to_owned(), column: name.to_owned() };
        catalogue.table(id).find_column(name).ok_or_else(unknown)
    };
    // One statement computes all values, so that the resources are scanned once.
    let mut terms = vec![("accounts".to_owned(), Term::Values(column("account")?))];
    for (name, text) in TEXTS {
        let is_null = Filter::Test { subject: Subject::Column(column(text)?), test: Test::IsNull };
        terms.push((name.to_owned(), Term::Values(column(text)?)));
        terms.push((without(name), Term::Only(Box::new(Term::Count), is_null)));
    }
    let (keys, order) = (Vec::new(), Vec::new());
    let grouping = Grouping {
        table: id,
        terms,
        keys,
        filter: None,
        order,
        limit: 1,
        offset: 0,
        shape: GroupingShape::List,
    };
    let query = Query { name: "values".to_owned(), kind: QueryKind::Grouped(grouping) };
    let found = call.rows.read(&query)?[0].take();
    let ids = list(&found["accounts"]).into_iter().filter_map(|id| Uuid::parse_str(&id).ok());
    let ids = ids.map(Value::Uuid).collect();
    let accounts = Look::at(call.rows, "cloud_accounts")?.one_of("id", ids)?.rows(&["id", "account_name"])?;
    let mut answer = json!({});
    answer["accounts"] = accounts
        .iter()
        .map(|account| json!({ "id": text(account, "id"), "name": text(account, "account_name") }))
        .collect();
    for (name, _) in TEXTS {
        let mut texts = list(&found[name]);
        let has_none = found[without(name)].as_u64().unwrap_or_default() > 0;
        if has_none && !texts.iter().any(String::is_empty) {
            texts.insert(0, String::new());
        }
        answer[name] = texts.into();
    }
    Ok(answer)
}

/// Parses a list that the store returns as JSON text.
fn list(figure: &Json) -> Vec<String> {
    figure.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// The name of the count of resources without a value.
fn without(name: &str) -> String {
    format!("no {name}")
}
