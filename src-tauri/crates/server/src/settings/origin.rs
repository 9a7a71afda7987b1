//! The origin of a value, and how its text is parsed.

use super::file::File;
use super::{Definition, SettingsError};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// The origin of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Flag,
    Environment,
    File(PathBuf),
    Default,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag => f.write_str("flag"),
            Self::Environment => f.write_str("environment"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// The value of a setting as text, and its origin.
#[derive(Debug, Clone)]
pub struct Origin {
    pub definition: &'static Definition,
    pub value: Option<String>,
    pub source: Source,
}

/// A setting with its effective value. Secret values are reported as set, not returned.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SettingLine")]
pub struct Line {
    pub name: &'static str,
    pub environment: &'static str,
    pub value: Option<String>,
    pub source: String,
    pub meaning: &'static str,
}

impl Origin {
    pub fn line(&self) -> Line {
        let definition = self.definition;
        let shown =
            |value: &String| if definition.is_secret { "(set, not shown)".to_owned() } else { value.clone() };
        Line {
            name: definition.name,
            environment: definition.environment,
            value: self.value.as_ref().map(shown),
            source: self.source.to_string(),
            meaning: definition.meaning,
        }
    }
}

/// The value of a setting from the strongest origin that has one.
pub(super) fn resolve(
    definition: &'static Definition,
    flag: Option<String>,
    environment: &dyn Fn(&str) -> Option<String>,
    file: Option<&File>,
) -> Result<Origin, SettingsError> {
    let from_file = || -> Result<Option<(String, Source)>, SettingsError> {
        let Some((file, entry)) = file.and_then(|file| Some((file, file.entries.get(definition.name)?)))
        else {
            return Ok(None);
        };
        let source = Source::File(file.path.clone());
        match scalar(entry) {
            Some(text) => Ok(Some((text, source))),
            None => Err(SettingsError::Wrong {
                name: definition.name,
                found: entry.type_str().to_owned(),
                from: source,
                expected: "a text, a number or a list of texts".to_owned(),
            }),
        }
    };
    let found = match flag {
        Some(value) => Some((value, Source::Flag)),
        None => match environment(definition.environment).filter(|value| !value.is_empty()) {
            Some(value) => Some((value, Source::Environment)),
            None => from_file()?,
        },
    };
    let (value, source) = match found {
        Some((value, source)) => (Some(value), source),
        None => (definition.default.map(str::to_owned), Source::Default),
    };
    Ok(Origin { definition, value, source })
}

fn scalar(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Array(entries) => {
            entries.iter().map(scalar).collect::<Option<Vec<_>>>().map(|texts| texts.join(","))
        }
        _ => None,
    }
}

pub(super) fn parse<T: std::str::FromStr>(
    origin: &Origin,
    expected: &'static str,
) -> Result<T, SettingsError> {
    origin.value.as_deref().unwrap_or_default().parse().map_err(|_| wrong(origin, expected))
}

pub(super) fn hours(origin: &Origin) -> Result<Duration, SettingsError> {
    let expected = "a whole number of hours between 1 and 8760";
    let hours: u64 = parse(origin, expected)?;
    if (1..=8760).contains(&hours) {
        Ok(Duration::from_secs(hours * 3600))
    } else {
        Err(wrong(origin, expected))
    }
}

pub(super) fn whole(origin: &Origin, most: usize) -> Result<usize, SettingsError> {
    let number = origin.value.as_deref().unwrap_or_default().parse();
    number.ok().filter(|number| (1..=most).contains(number)).ok_or_else(|| {
        wrong(
            origin,
            match most {
                usize::MAX => "a whole number from 1".to_owned(),
                most => format!("a whole number between 1 and {most}"),
            },
        )
    })
}

/// Parses a whole number from 0 to `most`.
pub(super) fn up_to(origin: &Origin, most: u64) -> Result<u64, SettingsError> {
    let number = origin.value.as_deref().unwrap_or_default().parse();
    number
        .ok()
        .filter(|number| *number <= most)
        .ok_or_else(|| wrong(origin, format!("a whole number between 0 and {most}")))
}

pub(super) fn words(origin: &Origin) -> Vec<String> {
    let value = origin.value.as_deref().unwrap_or_default();
    value.split(',').map(|word| word.trim().to_lowercase()).filter(|word| !word.is_empty()).collect()
}

pub(super) fn wrong(origin: &Origin, expected: impl Into<String>) -> SettingsError {
    SettingsError::Wrong {
        name: origin.definition.name,
        found: origin.value.clone().unwrap_or_default(),
        from: origin.source.clone(),
        expected: expected.into(),
    }
}
