//! Prometheus rules: rule files with `groups:` and the response of `/api/v1/rules`.
//!
//! <https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/>

use crate::head::Head;
use crate::kubernetes::json_path::{str_at, value_at};
use crate::kubernetes::rule::Origin;
use crate::read_error::ReadError;
use crate::record::Record;
use crate::shape::yaml::{self, Piece};
use crate::sink::{Position, Sink};
use serde_json::Value;
use std::io::Read;

/// The certainty that a file contains rules: it has `groups:` at the beginning of a line, and alerting or recording rules.
pub fn certainty(head: &Head<'_>) -> u8 {
    if head.outline().is_some() {
        return 0;
    }
    let text = String::from_utf8_lossy(head.bytes);
    let has = |key: &str| text.lines().any(|line| line.trim_start_matches([' ', '-']).starts_with(key));
    let has_groups = text.lines().any(|line| line.trim_end() == "groups:");
    if has_groups && has("rules:") && (has("alert:") || has("record:")) { 92 } else { 0 }
}

/// Whether a document is the response of `/api/v1/rules`.
pub fn is_answer(document: &Value) -> bool {
    value_at(document, &["data", "groups"]).is_array() && str_at(document, &["status"]).is_some()
}

/// Reads a rule file.
pub fn read(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let all = yaml::text(bytes)?;
    let mut documents = 0;
    yaml::pieces(&all, &mut |piece| {
        let (Piece::Document(document, _) | Piece::Item(_, document)) = piece;
        let prefix = if documents == 0 { "$".to_owned() } else { format!("document {} $", documents + 1) };
        documents += 1;
        if document.as_object().is_none_or(serde_json::Map::is_empty) {
            return Ok(());
        }
        groups(&document, &["groups"], &Origin::default(), &prefix, sink)
    })
}

/// Reads the response of `/api/v1/rules`.
pub fn answer(document: &Value, place: &Position, sink: &mut dyn Sink) -> Result<(), ReadError> {
    groups(document, &["data", "groups"], &Origin::default(), &place.0, sink)
}

fn groups(
    document: &Value,
    path: &[&str],
    origin: &Origin,
    prefix: &str,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    let Some(all) = value_at(document, path).as_array() else {
        let found = format!("{prefix}.{} is no list", path.join("."));
        return Err(ReadError::Refused {
            message: format!("The file looks like rules of Prometheus, but {found}. Nothing was imported."),
            expected: format!("a list of groups under {}", path.join(".")),
            found,
        });
    };
    for (number, group) in all.iter().enumerate() {
        let here = format!("{prefix}.{}[{number}]", path.join("."));
        let Some(rules) = value_at(group, &["rules"]).as_array() else {
            sink.skip(
                &Position(format!("{here}.rules")),
                "a group without rules",
                str_at(group, &["name"]).unwrap_or_default(),
            )?;
            continue;
        };
        for (index, rule) in rules.iter().enumerate() {
            let place = Position(format!("{here}.rules[{index}]"));
            match origin.rule(group, rule) {
                Ok(rule) => sink.record(&place, Record::AlertRule(Box::new(rule)))?,
                Err(reason) => {
                    let quote =
                        str_at(rule, &["record"]).or_else(|| str_at(rule, &["alert"])).unwrap_or_default();
                    sink.skip(&place, reason, quote)?;
                }
            }
        }
    }
    Ok(())
}
