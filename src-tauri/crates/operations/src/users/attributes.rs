//! Settings of a tenant. Only settings that the service uses are accepted, and only with valid values.

use super::refusal;
use crate::kit::in_account::one_of_words;
use crate::kit::{Arguments, text};
use auth::user::tenant_role;
use catalogue::ValueRef;
use graphql::{Call, Refusal};
use model::tables::tenant_attrs;
use model::{Read as _, row};
use serde::Serialize;
use serde_json::Value;
use store::eq;

row! {
    /// A setting in the API's form.
    #[derive(Serialize)]
    pub(super) struct Attribute from tenant_attrs { id, tenant_id, name, value, created_at, updated_at }
}

/// Validates a value and converts it to its stored form.
type Check = fn(&str) -> Result<String, Refusal>;

/// The largest number of words that are replaced in addition to names.
const MOST_WORDS: usize = 500;

/// The settings (semantics §9 and §14).
const KNOWN: &[(&str, Check)] = &[
    ("allowed_domains", domains),
    ("auth_default_role", role),
    ("assistant_replace_names", replacing),
    ("assistant_replace_words", words),
    ("spend_anomaly_baseline_days", number),
    ("spend_anomaly_min_baseline_days", number),
    ("spend_anomaly_min_mean", number),
    ("spend_anomaly_z_score", number),
    ("spend_anomaly_min_change", number),
    ("spend_anomaly_min_change_percent", number),
];

/// `tenant_attribute_upsert`
pub(super) fn upsert(call: &Call<'_>) -> Result<Vec<Attribute>, Refusal> {
    let list = Arguments(call.arguments).value("object").and_then(Value::as_array);
    let mut written = Vec::new();
    for attribute in list.into_iter().flatten() {
        let (name, value) = (text(attribute, "name"), text(attribute, "value"));
        let (name, check) = known(name)?;
        let value = check(value)?;
        let stored = || call.rows.query::<Attribute>().filter(tenant_attrs::name.eq(name)).first();
        match stored()?.map(|row| row.id.uuid()) {
            Some(id) => {
                let set = [("value", value.as_str().into()), ("updated_at", ValueRef::Timestamp(call.now))];
                call.rows.update("tenant_attrs", &[eq("id", id)], &set)?;
            }
            None => {
                call.rows
                    .insert("tenant_attrs", &[("name", name.into()), ("value", value.as_str().into())])?;
            }
        }
        written.extend(stored()?);
    }
    Ok(written)
}

fn known(name: &str) -> Result<(&'static str, Check), Refusal> {
    let found = KNOWN.iter().find(|(known, _)| *known == name).copied();
    found.ok_or_else(|| {
        let names: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
        Refusal::invalid(format!(
            "\"{name}\" is no setting of a tenant: expected one of {}",
            names.join(", ")
        ))
    })
}

/// A JSON list of domains, stored in lower case because they are compared in lower case.
fn domains(value: &str) -> Result<String, Refusal> {
    let wrong = |found: &str| {
        Refusal::invalid(format!(
            "allowed_domains has {found}: expected a JSON list such as [\"example.com\"]"
        ))
    };
    let list: Vec<String> = serde_json::from_str(value).map_err(|_| wrong(value))?;
    let mut domains = Vec::new();
    for domain in list {
        let plain = domain.trim().to_lowercase();
        let is_domain = plain.split('.').count() > 1
            && plain.split('.').all(|part| {
                let fits = |letter: char| letter.is_alphanumeric() || letter == '-';
                !part.is_empty() && part.chars().all(fits)
            });
        if !is_domain {
            return Err(wrong(&format!("\"{domain}\"")));
        }
        if !domains.contains(&plain) {
            domains.push(plain);
        }
    }
    as_json(&domains)
}

/// When names are replaced in requests to language models.
fn replacing(value: &str) -> Result<String, Refusal> {
    one_of_words("assistant_replace_names", value.trim(), &["outside", "always", "never"]).map(str::to_owned)
}

/// A JSON list of distinct words that are replaced in addition to names. Words of fewer than three characters occur in other words and are
/// refused.
fn words(value: &str) -> Result<String, Refusal> {
    let wrong = |found: String| {
        Refusal::invalid(format!(
            "assistant_replace_words has {found}: expected a JSON list of at most {MOST_WORDS} words of 3 to 100 \
             characters, such as [\"Project Falcon\"]"
        ))
    };
    let list: Vec<String> = serde_json::from_str(value).map_err(|_| wrong(value.to_owned()))?;
    if list.len() > MOST_WORDS {
        return Err(wrong(format!("{} words", list.len())));
    }
    let mut kept: Vec<&str> = Vec::new();
    for word in list.iter().map(|word| word.trim()) {
        if !(3..=100).contains(&word.chars().count()) {
            return Err(wrong(format!("\"{word}\"")));
        }
        if !kept.contains(&word) {
            kept.push(word);
        }
    }
    as_json(&kept)
}

fn as_json(list: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(list).map_err(|error| Refusal::new("unexpected", error.to_string()))
}

fn role(value: &str) -> Result<String, Refusal> {
    tenant_role(value.trim()).map(|role| role.name().to_owned()).map_err(refusal)
}

fn number(value: &str) -> Result<String, Refusal> {
    let found = value.trim();
    match found.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(found.to_owned()),
        _ => Err(Refusal::invalid(format!(
            "\"{value}\" is no threshold: expected a number that is not negative"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::{domains, known, number, replacing, role, words};

    #[test]
    fn domains_are_kept_in_lower_case_and_once() {
        assert_eq!(
            domains(r#"["Example.com", "example.com", "a-b.co.uk"]"#).unwrap(),
            r#"["example.com","a-b.co.uk"]"#
        );
    }

    #[test]
    fn what_is_no_domain_is_refused() {
        for wrong in ["example.com", r#"["ada@example.com"]"#, r#"["localhost"]"#, r#"["a..b"]"#, "{}"] {
            assert!(domains(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn settings_nothing_reads_are_refused() {
        assert!(known("spend_anomaly_z_score").is_ok());
        let refused = known("favourite_colour").unwrap_err();
        assert!(
            refused.message.starts_with("\"favourite_colour\" is no setting of a tenant"),
            "{}",
            refused.message
        );
    }

    #[test]
    fn words_to_be_replaced_are_kept_once_and_short_ones_refused() {
        assert_eq!(words(r#"[" Falcon ", "Falcon", "Blue Heron"]"#).unwrap(), r#"["Falcon","Blue Heron"]"#);
        assert!(words(r#"["ab"]"#).is_err() && words("Falcon").is_err());
        assert_eq!(replacing(" always ").unwrap(), "always");
        assert!(replacing("sometimes").is_err());
    }

    #[test]
    fn values_are_of_their_kind() {
        assert_eq!(role(" tenant_admin_readonly ").unwrap(), "tenant_admin_readonly");
        assert!(role("account_admin").is_err());
        assert_eq!(number(" 3.5 ").unwrap(), "3.5");
        assert!(number("-1").is_err() && number("NaN").is_err());
    }
}
