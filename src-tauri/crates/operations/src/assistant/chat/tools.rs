//! The tools of a model. They read data with the rights of the user; none of them writes or calls a model.

use super::costs;
use super::evidence::{EvidenceItem, Kind, figures};
use super::prompt::QuestionContext;
use super::send::ModelContext;
use crate::assistant::root_cause;
use crate::kit::in_account::{id, place_of};
use crate::knowledge::search;
use catalogue::Right;
use graphql::{Refusal, Request};
use llm::{Tool, ToolCall};
use serde_json::{Map, Value, json};

/// Maximum length of a tool's result that the model reads, in characters.
const MAX_RESULT_LENGTH: usize = 12_000;
const PASSAGES: usize = 6;
/// Maximum number of row ids in a reference.
const MAX_IDS: usize = 100;

/// The tool descriptions that a model receives.
pub(super) fn all() -> Vec<Tool> {
    let tool = |name: &str, description: &str, parameters: Value| Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
    };
    vec![
        tool(
            "spend",
            "Billed cost from the imported bills, added up. Group by service, account, region, category, day or month. Dates are YYYY-MM-DD; `until` is not included. Without dates all there is.",
            json!({
                "type": "object",
                "properties": {
                    "group_by": { "type": "string", "enum": costs::GROUPS.iter().map(|(name, _)| *name).collect::<Vec<_>>() },
                    "from": { "type": "string" },
                    "until": { "type": "string" },
                    "service": { "type": "string", "description": "Only this service, as the bill names it." },
                    "all_accounts": { "type": "boolean", "description": "Every account the person may read, not only the one in question." },
                    "limit": { "type": "integer", "minimum": 1, "maximum": 100 }
                },
                "required": ["group_by"]
            }),
        ),
        tool(
            "query",
            "Any GraphQL query of this console (no mutation). Ask `fields` first for the fields of a table. Tables: spends, cloud_accounts, cloud_resourses, events, anomaly, recommendation, k8s_workloads, knowledge_graph_node, audit_trail. Each has where, order_by, limit, and <table>_aggregate.",
            json!({
                "type": "object",
                "properties": {
                    "title": { "type": "string", "description": "What it finds, in a few words." },
                    "query": { "type": "string" },
                    "variables": { "type": "object" }
                },
                "required": ["title", "query"]
            }),
        ),
        tool(
            "fields",
            "The fields of a table with their types.",
            json!({ "type": "object", "properties": { "table": { "type": "string" } }, "required": ["table"] }),
        ),
        tool(
            "search_documents",
            "Passages of the account's knowledge bases (runbooks, contracts, notes) that fit a question.",
            json!({ "type": "object", "properties": { "question": { "type": "string" } }, "required": ["question"] }),
        ),
        tool(
            "explain_event",
            "Why an event may have happened, worked out by rules from changes, other events, logs and spend.",
            json!({ "type": "object", "properties": { "event_id": { "type": "string" } }, "required": ["event_id"] }),
        ),
    ]
}

/// A short title of a tool call for the user.
pub(super) fn title(call: &ToolCall) -> String {
    let given = |name: &str| call.arguments[name].as_str().unwrap_or_default();
    match call.name.as_str() {
        "spend" => costs::title(&call.arguments),
        "query" if !given("title").is_empty() => short(given("title")),
        "query" => "A query".to_owned(),
        "fields" => format!("Fields of {}", short(given("table"))),
        "search_documents" => format!("Documents: {}", short(given("question"))),
        "explain_event" => "Likely causes of the event".to_owned(),
        other => format!("Unknown tool {}", short(other)),
    }
}

fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Makes one tool call.
pub(super) fn run(
    context: &ModelContext<'_>,
    question_context: &QuestionContext,
    call: &ToolCall,
) -> Result<EvidenceItem, Refusal> {
    let given = |name: &str| call.arguments[name].as_str().unwrap_or_default();
    match call.name.as_str() {
        "spend" => {
            let (query, variables) = costs::query(question_context.account, &call.arguments)?;
            ask(context, title(call), &query, &variables)
        }
        "query" => {
            let variables = call.arguments["variables"].as_object().cloned().unwrap_or_default();
            ask(context, title(call), given("query"), &variables)
        }
        "fields" => fields(context, given("table")),
        "search_documents" => documents(context, question_context, given("question")),
        "explain_event" => event(context, question_context, given("event_id")),
        other => {
            let known: Vec<String> = all().into_iter().map(|tool| tool.name).collect();
            Err(Refusal::invalid(format!("there is no tool {other:?}: there are {}", known.join(", "))))
        }
    }
}

/// Runs a query as the user, with the user's tenant, rights and limits.
fn ask(
    context: &ModelContext<'_>,
    title: String,
    query: &str,
    variables: &Map<String, Value>,
) -> Result<EvidenceItem, Refusal> {
    let request =
        Request { query: query.to_owned(), variables: Some(variables.clone()), ..Request::default() };
    let body = context.engine.execute_query_only(context.caller, &request, context.cancel, |_| ());
    let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
    if let Some(error) = answer["errors"].get(0) {
        let message = error["message"].as_str().unwrap_or("the query was refused");
        return Err(Refusal::invalid(message));
    }
    let data = &answer["data"];
    Ok(EvidenceItem {
        kind: Kind::Query,
        title,
        query: Some((query.to_owned(), Value::Object(variables.clone()))),
        rows: rows(data),
        of: data.as_object().and_then(|fields| fields.keys().next().cloned()).unwrap_or_default(),
        ids: ids(data),
        text: truncate(&data.to_string()),
        figures: figures(data),
    })
}

/// The ids of the rows in a response, if the query selected them.
fn ids(data: &Value) -> Vec<String> {
    let rows = |field: &Value| match field {
        Value::Array(rows) => rows.clone(),
        other => other["rows"].as_array().cloned().unwrap_or_default(),
    };
    let rows = data.as_object().into_iter().flat_map(Map::values).flat_map(rows);
    rows.filter_map(|row| row["id"].as_str().map(str::to_owned)).take(MAX_IDS).collect()
}

/// Number of rows in a response: members of its lists, or of its lists named `rows`.
fn rows(data: &Value) -> usize {
    let count = |field: &Value| match field {
        Value::Array(rows) => rows.len(),
        other => other["rows"].as_array().map_or(1, Vec::len),
    };
    data.as_object().into_iter().flat_map(Map::values).map(count).sum()
}

fn truncate(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_RESULT_LENGTH {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MAX_RESULT_LENGTH).collect();
    format!("{cut}\n… cut off: {MAX_RESULT_LENGTH} of {length} characters. Ask for fewer rows or columns.")
}

fn fields(context: &ModelContext<'_>, table: &str) -> Result<EvidenceItem, Refusal> {
    let query = "query Fields($name: String!) { __type(name: $name) { fields { name type { name kind ofType { name kind } } } } }";
    let variables = Map::from_iter([("name".to_owned(), table.into())]);
    let found = ask(context, format!("Fields of {}", short(table)), query, &variables)?;
    if found.text.contains("\"__type\":null") {
        return Err(Refusal::not_found(format!("there is no table {table:?}")));
    }
    // Column names do not prove figures.
    Ok(EvidenceItem { figures: Vec::new(), ..found })
}

fn documents(
    context: &ModelContext<'_>,
    question_context: &QuestionContext,
    question: &str,
) -> Result<EvidenceItem, Refusal> {
    let embedding = search::embed_question(context.models, question);
    let passages = context.engine.store().snapshot(context.caller, |rows| {
        place_of(context.caller, rows, Right::Read, &question_context.account.to_string(), |place| {
            search::search(place, question, None, embedding.as_ref(), PASSAGES)
        })
    })?;
    let list: Vec<Value> = passages
        .iter()
        .map(|passage| {
            json!({ "document": passage.kb_name, "place": passage.place, "text": passage.text, "passage": passage.id })
        })
        .collect();
    let list = Value::Array(list);
    let query = "query Passages($request: SearchKBRequest!) { ai_search_kb(request: $request) { data { passages { id kb_name place text } } } }";
    let request = json!({ "request": { "account_id": question_context.account, "query": question, "limit": PASSAGES } });
    Ok(EvidenceItem {
        kind: Kind::Passage,
        title: passages.first().map_or_else(
            || "No passage fits".to_owned(),
            |first| format!("{}, {}", first.kb_name, first.place),
        ),
        query: Some((query.to_owned(), request)),
        rows: passages.len(),
        of: "llm_passage".to_owned(),
        ids: passages.iter().map(|passage| passage.id.to_string()).collect(),
        text: truncate(&list.to_string()),
        figures: passages.iter().flat_map(|passage| numbers(&passage.text)).collect(),
    })
}

fn event(
    context: &ModelContext<'_>,
    question_context: &QuestionContext,
    event: &str,
) -> Result<EvidenceItem, Refusal> {
    let event = id("event_id", event)?;
    let (row, analysis) = context.engine.store().snapshot(context.caller, |rows| {
        root_cause::by_rules(context.caller, rows, question_context.account, event)
    })?;
    let title = row.get("title").and_then(Value::as_str).unwrap_or_default();
    let text = analysis.text();
    let query = "query Cause($account: String!, $event: String!) { ai_get_rca(account_id: $account, event_id: $event, generate: false) { data } }";
    Ok(EvidenceItem {
        kind: Kind::Event,
        title: short(title),
        query: Some((query.to_owned(), json!({ "account": question_context.account, "event": event }))),
        rows: analysis.evidence.len(),
        of: "events".to_owned(),
        ids: vec![event.to_string()],
        figures: numbers(&text),
        text: truncate(&text),
    })
}

/// The numbers in a text.
fn numbers(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','));
    words
        .map(|word| word.trim_matches(['.', ',']).replace(',', ""))
        .filter(|word| word.parse::<f64>().is_ok())
        .collect()
}
