//! Python methods of texts, lists and dicts: Jinja templates, and therefore definitions of the reference, call them.
//!
//! Methods that can produce large output from small input delegate to the corresponding filter, which charges fuel first.

use super::values::printed;
use minijinja::value::{Value as Jinja, ValueKind, from_args};
use minijinja::{Environment, Error, ErrorKind, State};

/// Maximum width for padding a text.
const MOST_WIDTH: usize = 10_000;

pub(super) fn add(environment: &mut Environment<'static>) {
    environment.set_unknown_method_callback(|state, value, method, args| match value.kind() {
        ValueKind::String => of_text(state, value, method, args),
        ValueKind::Map => of_dict(state, value, method, args),
        ValueKind::Seq | ValueKind::Iterable => of_list(value, method, args),
        // The value may only be missing now and exist in a run.
        ValueKind::Undefined => {
            Err(Error::new(ErrorKind::UndefinedError, format!("{method}() is called on nothing")))
        }
        _ => Err(unknown(value, method)),
    });
}

fn unknown(value: &Jinja, method: &str) -> Error {
    Error::new(ErrorKind::UnknownMethod, format!("{} has no method named {method}", value.kind()))
}

fn of_text(state: &mut State, value: &Jinja, method: &str, args: &[Jinja]) -> Result<Jinja, Error> {
    let text = value.as_str().unwrap_or_default();
    let filter = |state: &mut State, name: &str| {
        let all: Vec<Jinja> = std::iter::once(value.clone()).chain(args.iter().cloned()).collect();
        state.apply_filter(name, &all)
    };
    match method {
        "capitalize" | "lower" | "replace" | "split" | "title" | "upper" => filter(state, method),
        "strip" => filter(state, "trim"),
        "splitlines" => {
            let () = from_args(args)?;
            state.apply_filter("lines", std::slice::from_ref(value))
        }
        "join" => {
            let (list,): (Jinja,) = from_args(args)?;
            state.apply_filter("join", &[list, value.clone()])
        }
        "ljust" | "rjust" | "center" | "zfill" => filled(text, method, args),
        _ => parts(text, method, args)
            .or_else(|| looks(text, method, args))
            .unwrap_or_else(|| Err(unknown(value, method))),
    }
}

/// A text stripped of characters, a prefix or a suffix.
fn parts(text: &str, method: &str, args: &[Jinja]) -> Option<Result<Jinja, Error>> {
    let cut = |by: fn(&str, &str) -> String| -> Result<Jinja, Error> {
        let (what,): (Option<String>,) = from_args(args)?;
        Ok(Jinja::from(what.map_or_else(|| by(text, " \t\r\n\x0b\x0c"), |what| by(text, &what))))
    };
    Some(match method {
        "lstrip" => cut(|text, letters| text.trim_start_matches(|one| letters.contains(one)).to_owned()),
        "rstrip" => cut(|text, letters| text.trim_end_matches(|one| letters.contains(one)).to_owned()),
        "removeprefix" => cut(|text, prefix| text.strip_prefix(prefix).unwrap_or(text).to_owned()),
        "removesuffix" => cut(|text, suffix| text.strip_suffix(suffix).unwrap_or(text).to_owned()),
        _ => return None,
    })
}

/// Predicates and searches on a text. Positions are in characters.
fn looks(text: &str, method: &str, args: &[Jinja]) -> Option<Result<Jinja, Error>> {
    let all = |is: fn(char) -> bool| -> Result<Jinja, Error> {
        let () = from_args(args)?;
        Ok(Jinja::from(!text.is_empty() && text.chars().all(is)))
    };
    let cased = |is: fn(char) -> bool, is_not: fn(char) -> bool| -> Result<Jinja, Error> {
        let () = from_args(args)?;
        Ok(Jinja::from(text.chars().any(is) && !text.chars().any(is_not)))
    };
    let place = |found: Option<usize>| {
        let before = found.map(|bytes| text[..bytes].chars().count());
        Jinja::from(before.and_then(|before| i64::try_from(before).ok()).unwrap_or(-1))
    };
    let what = || from_args::<(String,)>(args).map(|(what,)| what);
    Some(match method {
        "startswith" => ends(args, |one| text.starts_with(one)),
        "endswith" => ends(args, |one| text.ends_with(one)),
        "find" => what().map(|what| place(text.find(&what))),
        "rfind" => what().map(|what| place(text.rfind(&what))),
        "count" => what().map(|what| Jinja::from(text.matches(&what).count())),
        "isalnum" => all(char::is_alphanumeric),
        "isalpha" => all(char::is_alphabetic),
        "isdigit" | "isnumeric" | "isdecimal" => all(char::is_numeric),
        "isspace" => all(char::is_whitespace),
        "isascii" => from_args(args).map(|()| Jinja::from(text.is_ascii())),
        "islower" => cased(char::is_lowercase, char::is_uppercase),
        "isupper" => cased(char::is_uppercase, char::is_lowercase),
        _ => return None,
    })
}

/// Whether a text begins or ends with one text, or with any of several.
fn ends(args: &[Jinja], is: impl Fn(&str) -> bool) -> Result<Jinja, Error> {
    let (what,): (Jinja,) = from_args(args)?;
    if let Some(one) = what.as_str() {
        return Ok(Jinja::from(is(one)));
    }
    Ok(Jinja::from(what.try_iter()?.any(|one| is(&printed(&one)))))
}

/// A text padded to a width.
fn filled(text: &str, method: &str, args: &[Jinja]) -> Result<Jinja, Error> {
    let (width, letter): (usize, Option<String>) = from_args(args)?;
    if width > MOST_WIDTH {
        return Err(Error::new(
            ErrorKind::InvalidOperation,
            format!("{method}({width}): a text is filled up to {MOST_WIDTH} letters at most"),
        ));
    }
    let letter = letter.and_then(|letter| letter.chars().next());
    let room = width.saturating_sub(text.chars().count());
    let fill = |count: usize, otherwise: char| letter.unwrap_or(otherwise).to_string().repeat(count);
    Ok(Jinja::from(match method {
        "ljust" => format!("{text}{}", fill(room, ' ')),
        "rjust" => format!("{}{text}", fill(room, ' ')),
        "zfill" => {
            let digits = text.trim_start_matches(['-', '+']);
            format!("{}{}{digits}", &text[..text.len() - digits.len()], fill(room, '0'))
        }
        _ => format!("{}{text}{}", fill(room / 2, ' '), fill(room - room / 2, ' ')),
    }))
}

fn of_dict(state: &mut State, value: &Jinja, method: &str, args: &[Jinja]) -> Result<Jinja, Error> {
    match method {
        "get" => {
            let (key, otherwise): (Jinja, Option<Jinja>) = from_args(args)?;
            let found = value.get_item(&key)?;
            let none = || otherwise.unwrap_or_else(|| Jinja::from(()));
            Ok(if found.is_undefined() { none() } else { found })
        }
        "items" => {
            let () = from_args(args)?;
            state.apply_filter("items", std::slice::from_ref(value))
        }
        "keys" => {
            let () = from_args(args)?;
            Ok(Jinja::from(value.try_iter()?.collect::<Vec<_>>()))
        }
        "values" => {
            let () = from_args(args)?;
            let found = value.try_iter()?.map(|key| value.get_item(&key));
            Ok(Jinja::from(found.collect::<Result<Vec<_>, _>>()?))
        }
        "copy" => from_args(args).map(|()| value.clone()),
        _ => Err(unknown(value, method)),
    }
}

fn of_list(value: &Jinja, method: &str, args: &[Jinja]) -> Result<Jinja, Error> {
    match method {
        "count" => {
            let (what,): (Jinja,) = from_args(args)?;
            Ok(Jinja::from(value.try_iter()?.filter(|one| *one == what).count()))
        }
        "index" => {
            let (what,): (Jinja,) = from_args(args)?;
            let found = value.try_iter()?.position(|one| one == what);
            found.map(Jinja::from).ok_or_else(|| {
                Error::new(
                    ErrorKind::InvalidOperation,
                    format!("index(): {} is not in the list", printed(&what)),
                )
            })
        }
        "copy" => from_args(args).map(|()| value.clone()),
        _ => Err(unknown(value, method)),
    }
}
