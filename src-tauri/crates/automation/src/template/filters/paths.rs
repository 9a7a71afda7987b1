//! Filters for file paths of Unix and Windows.

use super::super::values::to_jinja;
use minijinja::Environment;
use serde_json::json;

pub(super) fn add(environment: &mut Environment<'static>) {
    environment.add_filter("normpath", |path: String| normal(&path));
    environment.add_filter("commonpath", |paths: Vec<String>| common(&paths));
    environment.add_filter("win_basename", |path: String| win_split(&path).1);
    environment.add_filter("win_dirname", |path: String| win_split(&path).0);
    environment.add_filter("win_splitdrive", |path: String| {
        let (drive, rest) = win_drive(&path);
        to_jinja(&json!([drive, rest]))
    });
}

/// Removes `.`, `..` and redundant slashes.
fn normal(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            ".." if is_absolute => {}
            part => parts.push(part),
        }
    }
    match (is_absolute, parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => parts.join("/"),
    }
}

/// The longest common parent path.
fn common(paths: &[String]) -> String {
    let split = |path: &String| -> Vec<String> {
        path.split('/').filter(|part| !matches!(*part, "" | ".")).map(str::to_owned).collect()
    };
    let mut all = paths.iter().map(split);
    let Some(mut shared) = all.next() else { return String::new() };
    for other in all {
        let alike = shared.iter().zip(&other).take_while(|(one, other)| one == other).count();
        shared.truncate(alike);
    }
    let root = if paths.iter().all(|path| path.starts_with('/')) { "/" } else { "" };
    format!("{root}{}", shared.join("/"))
}

/// The drive (`C:`, `\\server\share`) and the rest.
fn win_drive(path: &str) -> (&str, &str) {
    let is_slash = |byte: u8| matches!(byte, b'\\' | b'/');
    match path.as_bytes() {
        [first, second, ..] if is_slash(*first) && is_slash(*second) => {
            let mut slashes = path.bytes().enumerate().skip(2).filter(|(_, byte)| is_slash(*byte));
            let end = slashes.nth(1).map_or(path.len(), |(place, _)| place);
            path.split_at(end)
        }
        [letter, b':', ..] if letter.is_ascii_alphabetic() => path.split_at(2),
        _ => ("", path),
    }
}

/// The folder and the file name.
fn win_split(path: &str) -> (String, String) {
    let (drive, rest) = win_drive(path);
    let at = rest.rfind(['\\', '/']).map_or(0, |slash| slash + 1);
    let (folder, name) = rest.split_at(at);
    let trimmed = folder.trim_end_matches(['\\', '/']);
    (format!("{drive}{}", if trimmed.is_empty() { folder } else { trimmed }), name.to_owned())
}
