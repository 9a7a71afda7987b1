//! The values of a connection, and their validation.

use super::Field;
use catalogue::Decimal;
use std::collections::BTreeMap;
use url::Url;

const LONGEST_VALUE: usize = 20_000;

/// The values of a connection. They must not be shown.
#[derive(Clone, Default)]
pub(crate) struct Connection(pub BTreeMap<Field, String>);

impl Connection {
    pub(crate) fn get(&self, field: Field) -> Option<&str> {
        self.0.get(&field).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    pub(crate) fn secrets(&self) -> Vec<&str> {
        self.0.iter().filter(|(field, _)| field.is_secret()).map(|(_, value)| value.as_str()).collect()
    }
}

/// What is wrong with a value. Secret values are not repeated.
pub(crate) fn problem(field: Field, value: &str) -> Option<String> {
    if value.len() > LONGEST_VALUE {
        return Some(format!("is longer than {LONGEST_VALUE} letters"));
    }
    let number = |least: u32, most: u32| {
        let is_fine = value.parse::<u32>().is_ok_and(|number| (least..=most).contains(&number));
        (!is_fine).then(|| format!("is {value:?}: expected a whole number between {least} and {most}"))
    };
    match field {
        Field::Endpoint if value.contains("://") => {
            let expected = "expected an address such as https://models.example.com";
            match Url::parse(value) {
                Err(_) => Some(format!("is not a full URL: {expected}")),
                Ok(url) if !matches!(url.scheme(), "http" | "https") => {
                    Some(format!("begins with {}: — {expected}", url.scheme()))
                }
                Ok(url) if !url.username().is_empty() || url.password().is_some() => {
                    Some("holds a name or password; secrets have fields of their own".to_owned())
                }
                Ok(_) => None,
            }
        }
        Field::Dimensions => number(1, 65_536),
        Field::MaxTokens => number(1, 1_000_000),
        Field::MonthlyLimit => {
            let is_fine = Decimal::parse(value).is_ok_and(|limit| !limit.is_negative());
            (!is_fine).then(|| format!("is {value:?}: expected an amount such as 400.00"))
        }
        Field::Role if !is_role(value) => Some(format!(
            "is {value:?}: expected the ARN of a role, such as arn:aws:iam::123456789012:role/models"
        )),
        // A service account's key file is JSON with several lines.
        Field::Key if value.starts_with('{') => None,
        _ if value.bytes().any(|byte| !(0x20..0x7f).contains(&byte)) => {
            Some("holds letters that cannot be sent; copy it again, without line breaks".to_owned())
        }
        _ => None,
    }
}

/// Whether a text is the ARN of a role: `arn:aws:iam::ACCOUNT:role/NAME`; other partitions have names such as `aws-cn`.
fn is_role(text: &str) -> bool {
    let parts: Vec<&str> = text.splitn(6, ':').collect();
    matches!(parts.as_slice(), ["arn", partition, "iam", "", account, role]
        if partition.starts_with("aws")
            && account.len() == 12
            && account.bytes().all(|byte| byte.is_ascii_digit())
            && role.strip_prefix("role/").is_some_and(|name| !name.is_empty() && !name.contains(' ')))
}
