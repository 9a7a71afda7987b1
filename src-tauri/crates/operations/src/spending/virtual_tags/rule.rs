//! Virtual tags, stored or in a request, with validation and their translation to conditions on charges.

use super::super::charges::Charges;
use super::super::dimension::{Dimension, VIRTUAL, texts};
use super::super::selection::{Selection, has, lacks};
use crate::kit::{Look, text};
use graphql::Refusal;
use serde_json::{Map, Value as Json};
use store::query::Filter;
use store::{Member, MemberValue, Transaction};

pub(super) const TABLE: &str = "virtual_tag";
pub(super) const COLUMNS: [&str; 4] = ["key", "name", "rules", "other_value"];

/// The largest number of rules per tag.
const MOST_RULES: usize = 100;
/// The longest key and the longest value, in letters.
const LONGEST_KEY: usize = 60;
const LONGEST_VALUE: usize = 200;
const RESOURCE_NAME: &str = "resource_name_contains";

/// A valid virtual tag.
#[derive(Debug, Clone)]
pub(super) struct VirtualTag {
    pub key: String,
    pub rules: Rules,
    /// `rules` and `other_value` as stored.
    pub written: Json,
}

/// The rules of a tag: the first rule with a value for the charge applies, otherwise `other_value`.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules {
    rules: Vec<Rule>,
    pub other_value: Option<String>,
}

#[derive(Debug, Clone)]
struct Rule {
    scope: Selection,
    /// Parts of resource names, one of which the charge's resource must contain; empty matches every charge.
    resource_names: Vec<String>,
    value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Text(String),
    /// The value of the first of these tags that the charge has.
    Tags(Vec<String>),
}

/// The charges that get their value from one rule.
pub(super) struct Case {
    /// The number of the rule, from 1.
    pub rule: usize,
    /// The condition that a charge belongs to this case, ignoring earlier cases.
    pub takes: Filter,
    /// The condition that it does not. (`NOT` alone would miss charges whose column is null.)
    pub leaves: Filter,
    pub value: MemberValue,
}

impl VirtualTag {
    /// Its key in the tags of charges.
    pub(super) fn key_in_tags(key: &str) -> String {
        format!("{VIRTUAL}{key}")
    }

    /// How its values are computed in the tags of charges.
    pub(super) fn member(&self, charges: &Charges<'_>) -> Result<Member, Refusal> {
        let cases = self.rules.cases(charges)?;
        let mut values: Vec<_> = cases.into_iter().map(|case| (case.takes, case.value)).collect();
        if let Some(other) = &self.rules.other_value {
            values.push((Filter::And(Vec::new()), MemberValue::Text(other.clone())));
        }
        Ok(Member { key: Self::key_in_tags(&self.key), values })
    }
}

impl Rules {
    /// Reads `rules` and `other_value`; refuses invalid ones with the reason.
    pub(super) fn read(rules: &Json, other_value: Option<&str>) -> Result<Self, Refusal> {
        let list = rules.as_array().filter(|list| list.len() <= MOST_RULES).ok_or_else(|| {
            Refusal::invalid(format!(
                "`rules` is {rules}: expected a list of at most {MOST_RULES} rules such as {{\"scope\": {{\"service_name\": [\"Amazon EC2\"]}}, \"value\": \"web\"}}"
            ))
        })?;
        let rules = list.iter().enumerate().map(|(place, rule)| Rule::read(rule, place + 1));
        let other_value = other_value.map(|text| value(text, "other_value")).transpose()?;
        Ok(Self { rules: rules.collect::<Result<_, _>>()?, other_value })
    }

    /// Whether a value depends on names of resources, which can change without a change of the charge.
    pub(super) fn look_at_resources(&self) -> bool {
        self.rules.iter().any(|rule| !rule.resource_names.is_empty())
    }

    /// The rules as cases, in order. A rule with several tags becomes one case per tag.
    pub(super) fn cases(&self, charges: &Charges<'_>) -> Result<Vec<Case>, Refusal> {
        let mut cases = Vec::new();
        for (place, rule) in (1..).zip(&self.rules) {
            let (mut takes, mut leaves) =
                (vec![rule.scope.filter(charges.table)?], vec![rule.scope.outside(charges.table)?]);
            if !rule.resource_names.is_empty() {
                let is_named = charges.has_resource_named(&rule.resource_names)?;
                leaves.push(Filter::Not(Box::new(is_named.clone())));
                takes.push(is_named);
            }
            let tags = match &rule.value {
                Value::Text(text) => {
                    let value = MemberValue::Text(text.clone());
                    cases.push(Case {
                        rule: place,
                        takes: Filter::And(takes),
                        leaves: Filter::Or(leaves),
                        value,
                    });
                    continue;
                }
                Value::Tags(tags) => tags,
            };
            for key in tags {
                let tag = Dimension::Tag(key.clone());
                let (mut takes, mut leaves) = (takes.clone(), leaves.clone());
                takes.push(has(&tag, charges.table)?);
                leaves.extend(lacks(&tag, charges.table)?);
                let value = MemberValue::Member(key.clone());
                cases.push(Case {
                    rule: place,
                    takes: Filter::And(takes),
                    leaves: Filter::Or(leaves),
                    value,
                });
            }
        }
        Ok(cases)
    }
}

impl Rule {
    fn read(rule: &Json, place: usize) -> Result<Self, Refusal> {
        let name = |member: &str| format!("rules[{}].{member}", place - 1);
        let none = Json::Object(Map::new());
        let wrong = || {
            Refusal::invalid(format!(
                "`rules[{}]` is {rule}: expected a `scope` with either a `value` or `tags`",
                place - 1
            ))
        };
        let members = rule.as_object().ok_or_else(wrong)?;
        if members.keys().any(|key| !["scope", "value", "tags"].contains(&key.as_str())) {
            return Err(wrong());
        }
        let mut scope = members.get("scope").unwrap_or(&none).clone();
        let resource_names = match scope.as_object_mut().and_then(|scope| scope.remove(RESOURCE_NAME)) {
            None => Vec::new(),
            Some(parts) => list(&parts, &name(&format!("scope.{RESOURCE_NAME}")))?,
        };
        let scope = Selection::read(&scope, &name("scope"))?;
        let of_tags = match (members.get("value"), members.get("tags")) {
            (Some(Json::String(text)), None) => Value::Text(value(text, &name("value"))?),
            (None, Some(tags)) => Value::Tags(list(tags, &name("tags"))?),
            _ => return Err(wrong()),
        };
        let is_virtual = |key: &String| Dimension::Tag(key.clone()).is_virtual();
        if scope.has_virtual_tag() || matches!(&of_tags, Value::Tags(keys) if keys.iter().any(is_virtual)) {
            return Err(Refusal::invalid(format!(
                "`rules[{}]` looks at a virtual tag: expected tags of files alone",
                place - 1
            )));
        }
        Ok(Self { scope, resource_names, value: of_tags })
    }
}

/// A list of at least one text, none of which is empty.
fn list(value: &Json, name: &str) -> Result<Vec<String>, Refusal> {
    texts(value).filter(|texts| !texts.is_empty() && !texts.contains(&String::new())).ok_or_else(|| {
        Refusal::invalid(format!(
            "`{name}` is {value}: expected a list of texts that are not empty, one at least"
        ))
    })
}

fn value(text: &str, name: &str) -> Result<String, Refusal> {
    if text.trim().is_empty() || text.chars().count() > LONGEST_VALUE {
        return Err(Refusal::invalid(format!(
            "`{name}` is \"{text}\": expected a text of 1 to {LONGEST_VALUE} letters"
        )));
    }
    Ok(text.to_owned())
}

/// Refuses an invalid row.
pub(super) fn check(row: &Json) -> Result<(), Refusal> {
    if text(row, "name").trim().is_empty() {
        return Err(Refusal::invalid("`name` is empty: expected what people call the tag"));
    }
    read(row).map(drop)
}

/// Reads a row of `virtual_tag`; refuses an invalid one with the reason.
pub(super) fn read(row: &Json) -> Result<VirtualTag, Refusal> {
    let key = text(row, "key");
    let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'_' || letter == b'-';
    if key.is_empty() || key.len() > LONGEST_KEY || !key.bytes().all(is_plain) {
        return Err(Refusal::invalid(format!(
            "`key` is \"{key}\": expected 1 to {LONGEST_KEY} letters, digits, `_` and `-`"
        )));
    }
    let rules = Rules::read(&row["rules"], row["other_value"].as_str())?;
    let written = Json::Array(vec![row["rules"].clone(), row["other_value"].clone()]);
    Ok(VirtualTag { key: key.to_owned(), rules, written })
}

/// The tenant's active virtual tags.
pub(super) fn active(rows: &Transaction<'_>) -> Result<Vec<VirtualTag>, Refusal> {
    let look = Look::at(rows, TABLE)?.with("is_active", true)?.ordered("key", false)?;
    look.rows(&COLUMNS)?.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::{Rules, read};
    use serde_json::json;

    #[track_caller]
    fn refused(rule: serde_json::Value, why: &str) {
        let refusal = Rules::read(&json!([rule]), None).unwrap_err();
        assert!(refusal.message.contains(why), "{}", refusal.message);
    }

    #[test]
    fn a_rule_gives_a_text_or_the_value_of_tags() {
        let rules = json!([
            { "scope": { "service_name": ["Amazon EC2"], "untagged": ["team"] }, "value": "web" },
            { "scope": { "resource_name_contains": ["-db-"] }, "value": "data" },
            { "tags": ["env", "Env"] },
        ]);
        let read = Rules::read(&rules, Some("shared")).unwrap();
        assert!(read.look_at_resources());
        assert_eq!(read.other_value.as_deref(), Some("shared"));
    }

    #[test]
    fn rules_that_say_too_little_or_too_much_are_refused() {
        refused(json!({ "scope": {} }), "either a `value` or `tags`");
        refused(json!({ "value": "web", "tags": ["team"] }), "either a `value` or `tags`");
        refused(json!({ "valeu": "web" }), "either a `value` or `tags`");
        refused(json!({ "value": " " }), "`rules[0].value`");
        refused(json!({ "tags": [] }), "`rules[0].tags`");
        refused(
            json!({ "scope": { "resource_name_contains": [""] }, "value": "web" }),
            "resource_name_contains",
        );
        refused(json!({ "scope": { "tags.virtual:team": ["web"] }, "value": "a" }), "looks at a virtual tag");
        refused(json!({ "tags": ["virtual:team"] }), "looks at a virtual tag");
        assert!(Rules::read(&json!({}), None).is_err());
        assert!(Rules::read(&json!([]), Some("")).is_err());
    }

    #[test]
    fn a_key_has_letters_digits_and_two_signs() {
        let with = |key: &str| read(&json!({ "key": key, "rules": [], "other_value": null }));
        assert!(with("cost-center_2").is_ok());
        for key in ["", "cost center", "virtual:team", &"a".repeat(61)] {
            assert!(with(key).is_err(), "{key}");
        }
    }
}
