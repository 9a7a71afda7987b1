//! Reports how a response was computed, for requests with `extensions: {"explain": true}`.

use serde_json::{Map, Value, json};
use store::Explanation;

/// The `extensions` member of a response: the data source of each root field, and its cost.
pub(crate) fn extensions(explained: &[Explanation]) -> String {
    let fields: Map<String, Value> = explained
        .iter()
        .map(|one| {
            let told = json!({
                "chosen": one.chosen.name(),
                "why_not_better": one.why_not,
                "rows": one.rows,
                "segments": one.segments,
                "cube_parts": one.cube_parts,
                "rows_without_segment": one.loose_rows,
                "microseconds": u64::try_from(one.time.as_micros()).unwrap_or(u64::MAX),
            });
            (one.name.clone(), told)
        })
        .collect();
    format!(",\"extensions\":{}", json!({ "explain": fields }))
}

#[cfg(test)]
mod tests {
    use crate::body;
    use store::{AnswerSource, Explanation};

    #[test]
    fn the_answer_says_what_it_was_told_from_beside_the_data() {
        let one = Explanation {
            name: "costs".to_owned(),
            chosen: AnswerSource::Cube,
            rows: 7,
            cube_parts: 1,
            ..Explanation::default()
        };
        let told: serde_json::Value =
            serde_json::from_slice(&body(b"{\"costs\":[]}".to_vec().into(), &[], Some(&[one])).into_bytes())
                .unwrap();
        assert_eq!(told["data"]["costs"], serde_json::json!([]));
        let costs = &told["extensions"]["explain"]["costs"];
        assert_eq!((&costs["chosen"], &costs["rows"]), (&"cube".into(), &7.into()));
    }
}
