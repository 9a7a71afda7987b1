//! Filters and tests in addition to those of Jinja, with the names and meaning of Ansible.

mod lists;
mod markup;
mod paths;
mod seeded_random;
mod texts;
mod times;

use super::values::{from_jinja, printed, to_jinja};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::value::{Kwargs, Rest, Value as Jinja};
use minijinja::{Environment, Error, ErrorKind};
use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value, json};

/// Maximum size of a compiled regular expression, in bytes.
const LARGEST_PATTERN: usize = 1024 * 1024;

/// `now` is µs since 1970 UTC.
pub(super) fn add(environment: &mut Environment<'static>, now: i64) {
    seeded_random::add(environment, now);
    lists::add(environment);
    markup::add(environment);
    paths::add(environment);
    texts::add(environment);
    times::add(environment, now);
    environment.add_filter("to_json", |value: Jinja| from_jinja(&value).to_string());
    environment.add_filter("tojson", |value: Jinja| from_jinja(&value).to_string());
    environment.add_filter("to_nice_json", |value: Jinja| nice(&from_jinja(&value)));
    environment.add_filter("from_json", from_json);
    environment.add_filter("regex_replace", regex_replace);
    environment.add_filter("regex_search", regex_search);
    environment.add_filter("regex_findall", regex_findall);
    environment.add_filter("regex_escape", |text: String| regex::escape(&text));
    environment.add_filter("combine", combine);
    environment.add_filter("dict2items", dict2items);
    environment.add_filter("items2dict", items2dict);
    environment.add_filter("ternary", ternary);
    environment.add_filter("string", |value: Jinja| printed(&value));
    environment.add_filter("bool", |value: Jinja| {
        matches!(printed(&value).to_lowercase().as_str(), "true" | "yes" | "on" | "1")
    });
    environment.add_filter("b64encode", |value: Jinja| STANDARD.encode(printed(&value)));
    environment.add_filter("b64decode", b64decode);
    environment.add_filter("basename", |path: String| last(&path).to_owned());
    environment.add_filter("dirname", |path: String| {
        path.rsplit_once('/').map(|(folder, _)| folder.to_owned()).unwrap_or_default()
    });
    environment.add_filter("quote", |value: Jinja| format!("'{}'", printed(&value).replace('\'', "'\\''")));
    environment
        .add_filter("human_readable", |value: Jinja| human_readable(f64::try_from(value).unwrap_or(0.0)));
    environment.add_filter("flatten", |value: Jinja| to_jinja(&Value::Array(flat(&from_jinja(&value)))));
    environment.add_test("match", |text: String, pattern: String| -> Result<bool, Error> {
        Ok(compile(&pattern, false)?.find(&text).is_some_and(|found| found.start() == 0))
    });
    environment.add_test("search", |text: String, pattern: String| -> Result<bool, Error> {
        Ok(compile(&pattern, false)?.is_match(&text))
    });
    environment.add_test("contains", |value: Jinja, part: Jinja| match from_jinja(&value) {
        Value::Array(list) => list.contains(&from_jinja(&part)),
        Value::Object(fields) => fields.contains_key(&printed(&part)),
        other => super::to_text(&other).contains(&printed(&part)),
    });
}

fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

fn compile(pattern: &str, ignores_case: bool) -> Result<Regex, Error> {
    let built = RegexBuilder::new(pattern).case_insensitive(ignores_case).size_limit(LARGEST_PATTERN).build();
    built.map_err(|error| wrong(format!("the pattern \"{pattern}\" cannot be read: {error}")))
}

fn from_json(value: Jinja) -> Result<Jinja, Error> {
    let Some(text) = value.as_str() else { return Ok(value) };
    let parsed: Value =
        serde_json::from_str(text).map_err(|error| wrong(format!("from_json expected JSON: {error}")))?;
    Ok(to_jinja(&parsed))
}

fn regex_replace(text: Jinja, pattern: String, by: Option<String>, options: Kwargs) -> Result<String, Error> {
    let regex = compile(&pattern, options.get::<Option<bool>>("ignorecase")?.unwrap_or_default())?;
    // Ansible writes groups as \1, the regex library as ${1}.
    let groups = compile(r"\\(\d+)", false)?;
    let by = by.unwrap_or_default().replace('$', "$$");
    Ok(regex.replace_all(&printed(&text), groups.replace_all(&by, "$${$1}").as_ref()).into_owned())
}

fn regex_search(text: Jinja, pattern: String, groups: Rest<Jinja>) -> Result<Jinja, Error> {
    let regex = compile(&pattern, false)?;
    let text = printed(&text);
    let Some(found) = regex.captures(&text) else { return Ok(Jinja::from(())) };
    let group = |group: &Jinja| {
        let number = printed(group).trim_start_matches('\\').parse::<usize>().unwrap_or_default();
        found.get(number).map_or("", |part| part.as_str()).to_owned()
    };
    let groups: Vec<String> = groups.iter().filter(|group| !group.is_kwargs()).map(group).collect();
    Ok(if groups.is_empty() { Jinja::from(found[0].to_owned()) } else { Jinja::from(groups) })
}

fn regex_findall(text: Jinja, pattern: String) -> Result<Vec<String>, Error> {
    let regex = compile(&pattern, false)?;
    let text = printed(&text);
    let all = regex
        .captures_iter(&text)
        .map(|found| found.get(usize::from(found.len() > 1)).map_or("", |part| part.as_str()).to_owned());
    Ok(all.collect())
}

fn combine(value: Jinja, others: Rest<Jinja>, options: Kwargs) -> Result<Jinja, Error> {
    let recursive = options.get::<Option<bool>>("recursive")?.unwrap_or_default();
    let mut whole = object(&value)?;
    for other in others.iter() {
        merge(&mut whole, object(other)?, recursive);
    }
    Ok(to_jinja(&Value::Object(whole)))
}

fn merge(whole: &mut Map<String, Value>, other: Map<String, Value>, recursive: bool) {
    for (key, value) in other {
        match (whole.get_mut(&key), value) {
            (Some(Value::Object(inner)), Value::Object(value)) if recursive => merge(inner, value, true),
            (_, value) => {
                whole.insert(key, value);
            }
        }
    }
}

fn object(value: &Jinja) -> Result<Map<String, Value>, Error> {
    match from_jinja(value) {
        Value::Object(fields) => Ok(fields),
        Value::Null => Ok(Map::new()),
        other => Err(wrong(format!("expected an object, found {other}"))),
    }
}

fn dict2items(value: Jinja) -> Result<Jinja, Error> {
    let items = object(&value)?.into_iter().map(|(key, value)| json!({ "key": key, "value": value }));
    Ok(to_jinja(&items.collect()))
}

fn items2dict(value: Jinja) -> Result<Jinja, Error> {
    let Value::Array(items) = from_jinja(&value) else { return Err(wrong("items2dict expected a list")) };
    let fields = items.into_iter().map(|mut item| (super::to_text(&item["key"]), item["value"].take()));
    Ok(to_jinja(&Value::Object(fields.collect())))
}

fn ternary(value: Jinja, yes: Jinja, no: Jinja) -> Jinja {
    if value.is_true() && printed(&value).to_lowercase() != "false" { yes } else { no }
}

fn b64decode(value: Jinja) -> Result<String, Error> {
    let bytes =
        STANDARD.decode(printed(&value).trim()).map_err(|error| wrong(format!("b64decode: {error}")))?;
    String::from_utf8(bytes).map_err(|_| wrong("b64decode expected text in base64"))
}

fn nice(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A size in Ansible's format: `1.00 MB`, with units of 1024.
fn human_readable(bytes: f64) -> String {
    let units = ["Bytes", "KB", "MB", "GB", "TB", "PB"];
    let mut size = bytes;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < units.len() {
        size /= 1024.0;
        unit += 1;
    }
    format!("{size:.2} {}", units[unit])
}

fn flat(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(list) => list.iter().flat_map(flat).collect(),
        other => vec![other.clone()],
    }
}
