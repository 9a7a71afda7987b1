//! Has a model write up the analysis by rules, with next steps. A sentence that cites no evidence is dropped, therefore the model adds no facts.

use super::{CauseFindings, replace_stored};
use crate::assistant::chat::{ModelContext, RULES, SingleRequest, ask_once, wrapped};
use crate::assistant::chat::{cites, sentences, without_unknown};
use crate::kit::in_account::Object;
use graphql::Refusal;
use serde_json::{Value, json};

/// Has a model write an analysis of the given type. It is stored if the reader may read the whole account.
pub(super) fn write(
    context: &ModelContext<'_>,
    found: &CauseFindings,
    kind: &str,
    instruction: &str,
) -> Result<Object, Refusal> {
    let rules = found.analysis.text();
    let mut evidence = String::new();
    for known in &found.analysis.evidence {
        evidence.push_str(&format!("{}: {} ({})\n", known.id, known.title, known.table));
    }
    let title = found.event.get("title").and_then(Value::as_str).unwrap_or_default();
    let description = found.event.get("description").and_then(Value::as_str).unwrap_or_default();
    let question = format!(
        "{instruction}\n\nThe event:\n{}\nWhat rules found:\n{}\nEvidence:\n{}",
        wrapped("event", &format!("{title}\n{description}")),
        wrapped("analysis", &rules),
        wrapped("evidence", &evidence)
    );
    let system = format!(
        "You put a root-cause analysis into words for an engineer on call.\n{RULES}\nWrite at most eight sentences: first the likeliest \
         cause, then what speaks against it, then next steps. Every sentence ends with the name of its evidence in brackets."
    );
    let single = SingleRequest {
        account: found.account,
        source: "event",
        session: None,
        agent: None,
        chosen: None,
        system,
        question,
    };
    let asked = ask_once(context, single)?;
    let is_known = |id: &str| found.analysis.evidence.iter().any(|known| known.id == id);
    let text = without_unknown(&asked.text, is_known);
    let kept: Vec<&str> =
        sentences(&text).into_iter().filter(|sentence| !cites(sentence).is_empty()).collect();
    let Some(first) = kept.first() else {
        return Err(Refusal::new(
            "model-failed",
            "the model's answer named no evidence, so nothing of it is kept; the analysis by rules stands (generate: false)",
        ));
    };
    let (summary, text) = ((*first).to_owned(), kept.join("\n"));
    if found.may_be_shared {
        replace_stored(context.engine, context.caller, found, kind, &text, &summary)?;
    }
    let written =
        json!({ "analysis": text, "summary": summary, "status": "COMPLETED", "analysis_type": kind });
    Ok(written.as_object().cloned().unwrap_or_default())
}
