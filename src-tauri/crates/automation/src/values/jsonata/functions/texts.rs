//! Functions of texts.

use super::{text, whole};
use crate::values::jsonata::machine::{Evaluation, Machine};
use crate::values::jsonata::value::{Val, to_json};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeMap;

/// Applies a change to the text in the first argument.
fn changed<'e>(
    machine: &mut Machine<'e>,
    arguments: &[Val<'e>],
    change: impl FnOnce(&str) -> Result<String, String>,
) -> Evaluation<'e> {
    let Some(given) = text(&arguments[0])? else { return Ok(Val::Nothing) };
    machine.fuel.text(given.len())?;
    let made = change(given)?;
    machine.fuel.text(made.len())?;
    Ok(Val::text(made))
}

pub(super) fn string<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let value = &arguments[0];
    if value.is_nothing() || matches!(value, Val::Text(_)) {
        return Ok(value.clone());
    }
    let made = if arguments[1].is_true() {
        let json = to_json(value, &mut machine.fuel)?;
        serde_json::to_string_pretty(&json).map_err(|error| error.to_string())?
    } else {
        machine.text_of(value)?
    };
    machine.fuel.text(made.len())?;
    Ok(Val::text(made))
}

pub(super) fn length<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let Some(given) = text(&arguments[0])? else { return Ok(Val::Nothing) };
    machine.fuel.text(given.len())?;
    Ok(Val::count(given.chars().count()))
}

pub(super) fn uppercase<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    changed(machine, &arguments, |text| Ok(text.to_uppercase()))
}

pub(super) fn lowercase<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    changed(machine, &arguments, |text| Ok(text.to_lowercase()))
}

/// Trims, and collapses inner white space.
pub(super) fn trim<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    changed(machine, &arguments, |text| Ok(text.split_whitespace().collect::<Vec<_>>().join(" ")))
}

pub(super) fn base64_encode<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    changed(machine, &arguments, |text| Ok(STANDARD.encode(text)))
}

pub(super) fn base64_decode<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    changed(machine, &arguments, |text| {
        let bytes = STANDARD.decode(text.trim()).map_err(|error| format!("this is not base64: {error}"))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    })
}

pub(super) fn encode_url_component<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    changed(machine, &arguments, |text| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
        let one = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
        Ok(text.bytes().map(one).collect())
    })
}

pub(super) fn decode_url_component<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    changed(machine, &arguments, |text| {
        let mut bytes = Vec::new();
        let mut rest = text.bytes();
        while let Some(byte) = rest.next() {
            if byte == b'%' {
                let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
                let (Some(high), Some(low)) = (digit(rest.next()), digit(rest.next())) else {
                    return Err("% stands without two hex digits".to_owned());
                };
                bytes.push(u8::try_from(high * 16 + low).unwrap_or_default());
            } else {
                bytes.push(byte);
            }
        }
        String::from_utf8(bytes).map_err(|_| "what it stands for is no text".to_owned())
    })
}

/// By characters; a negative start counts from the end.
pub(super) fn substring<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let start = whole(&arguments[1])?.unwrap_or_default();
    let length = whole(&arguments[2])?;
    changed(machine, &arguments, |text| {
        let count = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        let start = if start < 0 { (count + start).max(0) } else { start };
        let length = length.unwrap_or(count).max(0);
        let size = |number: i64| usize::try_from(number).unwrap_or_default();
        Ok(text.chars().skip(size(start)).take(size(length)).collect())
    })
}

pub(super) fn substring_before<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let Some(part) = text(&arguments[1])?.map(str::to_owned) else { return Ok(arguments[0].clone()) };
    changed(machine, &arguments, |text| {
        Ok(text.split_once(&part).map_or(text, |(before, _)| before).to_owned())
    })
}

pub(super) fn substring_after<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let Some(part) = text(&arguments[1])?.map(str::to_owned) else { return Ok(arguments[0].clone()) };
    changed(machine, &arguments, |text| {
        Ok(text.split_once(&part).map_or(text, |(_, after)| after).to_owned())
    })
}

/// A negative width pads on the left.
pub(super) fn pad<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let width = whole(&arguments[1])?.unwrap_or_default();
    let filling = text(&arguments[2])?.filter(|text| !text.is_empty()).unwrap_or(" ").to_owned();
    let Some(given) = text(&arguments[0])? else { return Ok(Val::Nothing) };
    let wanted = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX);
    let missing = wanted.saturating_sub(given.chars().count());
    // Charge fuel before creating the text.
    machine.fuel.text(missing.saturating_mul(4))?;
    let filling: String = filling.chars().cycle().take(missing).collect();
    changed(machine, &arguments, |text| {
        Ok(if width < 0 { format!("{filling}{text}") } else { format!("{text}{filling}") })
    })
}

pub(super) fn contains<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let Some(given) = text(&arguments[0])? else { return Ok(Val::Nothing) };
    machine.fuel.text(given.len())?;
    Ok(Val::Bool(match &arguments[1] {
        Val::Pattern(pattern) => pattern.is_match(given),
        Val::Text(part) => given.contains(&**part),
        other => return Err(format!("expected a text to look for, found {}", other.kind())),
    }))
}

pub(super) fn split<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let Some(given) = text(&arguments[0])? else { return Ok(Val::Nothing) };
    let most = whole(&arguments[2])?.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or_default());
    machine.fuel.text(given.len())?;
    machine.fuel.burn(given.len())?;
    let parts: Vec<Val<'e>> = match &arguments[1] {
        Val::Pattern(pattern) => pattern.split(given).take(most).map(Val::text).collect(),
        Val::Text(by) if by.is_empty() => {
            given.chars().take(most).map(|letter| Val::text(letter.to_string())).collect()
        }
        Val::Text(by) => given.split(&**by).take(most).map(Val::text).collect(),
        other => return Err(format!("expected a text to split by, found {}", other.kind())),
    };
    Val::list(parts)
}

pub(super) fn join<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    if arguments[0].is_nothing() {
        return Ok(Val::Nothing);
    }
    let by = text(&arguments[1])?.unwrap_or_default();
    let mut joined = String::new();
    for (place, item) in arguments[0].items().iter().enumerate() {
        if place > 0 {
            joined.push_str(by);
        }
        let item = text(item)?.unwrap_or_default();
        machine.fuel.text(by.len() + item.len())?;
        joined.push_str(item);
    }
    Ok(Val::text(joined))
}

/// A list of objects with `match`, `index` and `groups`.
pub(super) fn matches<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let Some(given) = text(&arguments[0])? else { return Ok(Val::Nothing) };
    let Val::Pattern(pattern) = &arguments[1] else {
        return Err(format!("expected a pattern such as /a+/, found {}", arguments[1].kind()));
    };
    let most = whole(&arguments[2])?.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or_default());
    let mut found = Vec::new();
    for captures in pattern.captures_iter(given).take(most) {
        machine.fuel.text(given.len() / 8 + captures.len() * 16)?;
        let group = |place| captures.get(place).map_or("", |part: regex::Match<'_>| part.as_str());
        let groups = (1..captures.len()).map(|place| Val::text(group(place))).collect();
        let start = captures.get(0).map_or(0, |part| given[..part.start()].chars().count());
        found.push(Val::object(BTreeMap::from([
            ("match".to_owned(), Val::text(group(0))),
            ("index".to_owned(), Val::count(start)),
            ("groups".to_owned(), Val::list(groups)?),
        ]))?);
    }
    Val::sequence(found)
}

/// Replaces a text or a pattern: by a text, which can contain $1 for a pattern, or by the result of a function of the match.
pub(super) fn replace<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let [given, what, by, most] = arguments.as_slice() else { return Ok(Val::Nothing) };
    let Some(given) = text(given)? else { return Ok(Val::Nothing) };
    let most = whole(most)?.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or_default());
    let Some(by) = text(by)? else { return Err("expected a text to put in its place".to_owned()) };
    machine.fuel.text(given.len())?;
    let mut made = String::new();
    let mut rest = 0;
    let add = |machine: &mut Machine<'e>, made: &mut String, part: &str| {
        machine.fuel.text(part.len())?;
        made.push_str(part);
        Ok::<(), String>(())
    };
    match what {
        Val::Text(what) if what.is_empty() => {
            return Err("expected a text to look for, found an empty one".to_owned());
        }
        Val::Text(what) => {
            for (start, found) in given.match_indices(&**what).take(most) {
                add(machine, &mut made, &given[rest..start])?;
                add(machine, &mut made, by)?;
                rest = start + found.len();
            }
        }
        Val::Pattern(pattern) => {
            for captures in pattern.captures_iter(given).take(most) {
                let Some(found) = captures.get(0) else { break };
                add(machine, &mut made, &given[rest..found.start()])?;
                let mut put = String::new();
                captures.expand(&braced(by), &mut put);
                add(machine, &mut made, &put)?;
                rest = found.end();
            }
        }
        other => return Err(format!("expected a text to look for, found {}", other.kind())),
    }
    add(machine, &mut made, &given[rest..])?;
    Ok(Val::text(made))
}

/// `$1` in the notation of the regex library, with braces to separate it from following characters.
fn braced(by: &str) -> String {
    let mut made = String::new();
    let mut letters = by.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '$' {
            made.push(letter);
            continue;
        }
        match letters.peek() {
            Some('$') => {
                letters.next();
                made.push_str("$$");
            }
            Some(digit) if digit.is_ascii_digit() => {
                made.push_str(&format!("${{{digit}}}"));
                letters.next();
            }
            _ => made.push_str("$$"),
        }
    }
    made
}
