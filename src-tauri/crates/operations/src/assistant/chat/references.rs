//! Rows that a question refers to. They are read with the user's rights before the model is called, and the answer can cite them.

use crate::kit::in_account::{id, one_of_words};
use graphql::Refusal;
use llm::ToolCall;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Maximum number of rows per question.
pub(super) const MAX_REFERENCES: usize = 5;

/// A row that the user refers to in a question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(rename = "RowReference")]
pub struct Reference {
    /// The type of row: one of [`KINDS`].
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
}

/// The types of rows a question can refer to: the name in requests, a title, and the query that reads the row.
const KINDS: [(&str, &str, &str); 4] = [
    (
        "charge",
        "The charge",
        "query Charge($id: uuid!) {\n  spends(where: { id: { _eq: $id } }) {\n    id\n    date\n    period_end\n    amount\n    unit\n    effective_cost\n    list_cost\n    contracted_cost\n    charge_description\n    charge_category\n    service_name\n    region\n    pricing_quantity\n    pricing_unit\n    consumed_quantity\n    consumed_unit\n    commitment_discount_name\n    tags\n    source_line\n    cloudAccountByCloudAccount { account_name }\n    cloud_resourse { id name type external_resource_id }\n  }\n}",
    ),
    (
        "recommendation",
        "The recommendation",
        "query Recommendation($id: uuid!) {\n  recommendation(where: { id: { _eq: $id } }) {\n    id\n    rule_name\n    category\n    severity\n    status\n    recommendation_action\n    estimated_savings\n    account_object_id\n    recommendation\n    note\n    created_at\n    cloud_account { account_name }\n    cloud_resourse { id name type region external_resource_id }\n  }\n}",
    ),
    (
        "event",
        "The event",
        "query Event($id: uuid!) {\n  events(where: { id: { _eq: $id } }) {\n    id\n    title\n    description\n    aggregation_key\n    status\n    priority\n    starts_at\n    ends_at\n    cluster\n    subject_type\n    subject_namespace\n    subject_name\n    labels\n  }\n}",
    ),
    (
        "resource",
        "The resource",
        "query Resource($id: uuid!) {\n  cloud_resourses(where: { id: { _eq: $id } }) {\n    id\n    name\n    type\n    service_name\n    region\n    status\n    external_resource_id\n    first_seen\n    last_seen\n    tags\n    cloud_account { account_name }\n  }\n}",
    ),
];

/// The tool calls that read those rows.
///
/// # Errors
/// A reference is invalid, or there are too many.
pub(super) fn tool_calls(references: &[Reference]) -> Result<Vec<ToolCall>, Refusal> {
    if references.len() > MAX_REFERENCES {
        let count = references.len();
        return Err(Refusal::invalid(format!(
            "references has {count}: a question is about {MAX_REFERENCES} rows at most"
        )));
    }
    references.iter().enumerate().map(|(at, reference)| tool_call(at, reference)).collect()
}

fn tool_call(at: usize, reference: &Reference) -> Result<ToolCall, Refusal> {
    let words = KINDS.map(|(word, _, _)| word);
    let word = one_of_words("references.type", &reference.kind, &words)?;
    let id = id("references.id", &reference.id)?;
    let found = KINDS.iter().find(|(known, _, _)| *known == word);
    let (_, title, query) = found.ok_or_else(|| Refusal::invalid(format!("references.type is {word:?}")))?;
    let arguments = json!({ "title": title, "query": query, "variables": { "id": id } });
    Ok(ToolCall { id: format!("reference-{at}"), name: "query".to_owned(), arguments, signature: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(kind: &str, id: &str) -> Reference {
        Reference { kind: kind.to_owned(), id: id.to_owned() }
    }

    #[test]
    fn what_cannot_be_referred_to_is_refused_with_what_can() {
        let refused = tool_calls(&[reference("invoice", "x")]).unwrap_err();
        assert_eq!(
            refused.message,
            "references.type is \"invoice\": expected charge, recommendation, event or resource"
        );
        assert!(
            tool_calls(&[reference("event", "x")]).unwrap_err().message.starts_with("references.id is \"x\"")
        );
    }

    #[test]
    fn a_question_is_about_a_few_rows_only() {
        let many = vec![reference("event", "00000000-0000-0000-0000-000000000001"); MAX_REFERENCES + 1];
        assert_eq!(
            tool_calls(&many).unwrap_err().message,
            "references has 6: a question is about 5 rows at most"
        );
        assert_eq!(tool_calls(&many[1..]).unwrap().len(), MAX_REFERENCES);
    }
}
