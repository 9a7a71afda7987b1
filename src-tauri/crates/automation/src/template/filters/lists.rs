//! Filters that treat lists and objects as sets.

use super::super::values::{from_jinja, printed, to_jinja};
use super::wrong;
use minijinja::value::{Kwargs, Value as Jinja};
use minijinja::{Environment, Error};
use serde_json::{Value, json};

pub(super) fn add(environment: &mut Environment<'static>) {
    environment.add_filter("union", |one: Jinja, other: Jinja| {
        Ok::<_, Error>(set(list(&one)?.into_iter().chain(list(&other)?)))
    });
    environment.add_filter("intersect", |one: Jinja, other: Jinja| {
        let other = list(&other)?;
        Ok::<_, Error>(set(list(&one)?.into_iter().filter(|item| other.contains(item))))
    });
    environment.add_filter("difference", |one: Jinja, other: Jinja| {
        let other = list(&other)?;
        Ok::<_, Error>(set(list(&one)?.into_iter().filter(|item| !other.contains(item))))
    });
    environment.add_filter("symmetric_difference", |one: Jinja, other: Jinja| {
        let (one, other) = (list(&one)?, list(&other)?);
        let (left, right) = (one.clone(), other.clone());
        let left = left.into_iter().filter(|item| !other.contains(item));
        Ok::<_, Error>(set(left.chain(right.into_iter().filter(|item| !one.contains(item)))))
    });
    environment.add_filter("extract", extract);
    environment.add_filter("ans_groupby", group_by);
    environment.add_filter("subelements", subelements);
    environment.add_filter("mandatory", |value: Jinja, message: Option<String>| {
        let is_missing = value.is_undefined() || value.is_none() || printed(&value).is_empty();
        let message = message.unwrap_or_else(|| "a value that is mandatory is not there".to_owned());
        if is_missing { Err(wrong(message)) } else { Ok(value) }
    });
    environment.add_filter("type_debug", |value: Jinja| value.kind().to_string());
}

fn list(value: &Jinja) -> Result<Vec<Value>, Error> {
    match from_jinja(value) {
        Value::Array(items) => Ok(items),
        Value::Null => Ok(Vec::new()),
        other => Err(wrong(format!("expected a list, found {other}"))),
    }
}

/// The distinct items, in their original order.
fn set(items: impl Iterator<Item = Value>) -> Jinja {
    let mut found: Vec<Value> = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    to_jinja(&Value::Array(found))
}

/// The value of a container at a key, or the values at several keys.
fn extract(keys: Jinja, container: Jinja) -> Jinja {
    let container = from_jinja(&container);
    let one = |key: &Value| match (&container, key) {
        (Value::Array(items), Value::Number(place)) => {
            let place = place.as_u64().and_then(|place| usize::try_from(place).ok());
            place.and_then(|place| items.get(place)).cloned().unwrap_or_default()
        }
        (container, key) => container.get(super::super::to_text(key)).cloned().unwrap_or_default(),
    };
    to_jinja(&match from_jinja(&keys) {
        Value::Array(keys) => keys.iter().map(one).collect(),
        key => one(&key),
    })
}

/// Pairs of each object with each item of the list at a path in it.
fn subelements(items: Jinja, path: Jinja, options: Kwargs) -> Result<Jinja, Error> {
    let skips = options.get::<Option<bool>>("skip_missing")?.unwrap_or_default();
    let keys: Vec<String> = match from_jinja(&path) {
        Value::Array(keys) => keys.iter().map(super::super::to_text).collect(),
        key => super::super::to_text(&key).split('.').map(str::to_owned).collect(),
    };
    let items = match from_jinja(&items) {
        Value::Object(fields) => fields.into_values().collect(),
        items => list(&to_jinja(&items))?,
    };
    let mut pairs = Vec::new();
    for item in items {
        match keys.iter().try_fold(&item, |value, key| value.get(key)) {
            Some(Value::Array(inner)) => pairs.extend(inner.iter().map(|one| json!([item, one]))),
            _ if skips => {}
            _ => {
                let path = keys.join(".");
                return Err(wrong(format!(
                    "subelements expected a list under \"{path}\" of every item; skip_missing=true leaves others out"
                )));
            }
        }
    }
    Ok(to_jinja(&Value::Array(pairs)))
}

/// Groups objects by the value at a key: pairs of the value and the group.
fn group_by(items: Jinja, key: String) -> Result<Jinja, Error> {
    let mut groups: Vec<(Value, Vec<Value>)> = Vec::new();
    for item in list(&items)? {
        let of = item.get(&key).cloned().unwrap_or_default();
        match groups.iter_mut().find(|(known, _)| *known == of) {
            Some((_, group)) => group.push(item),
            None => groups.push((of, vec![item])),
        }
    }
    Ok(to_jinja(&groups.into_iter().map(|(of, group)| json!([of, group])).collect()))
}
