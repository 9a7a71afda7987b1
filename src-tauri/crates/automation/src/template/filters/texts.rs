//! Filters for texts: paths, URLs, YAML, digests, sizes and numbers.

use super::super::values::{from_jinja, printed, to_jinja};
use super::{hex, wrong};
use crate::yaml;
use md5::{Digest as _, Md5};
use minijinja::value::Value as Jinja;
use minijinja::{Environment, Error};
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use url::Url;

pub(super) fn add(environment: &mut Environment<'static>) {
    environment.add_filter("md5", |value: Jinja| hex(&Md5::digest(printed(&value))));
    environment.add_filter("sha1", |value: Jinja| sha1(&value));
    environment.add_filter("checksum", |value: Jinja| sha1(&value));
    environment.add_filter("hash", |value: Jinja, algorithm: Option<String>| {
        match algorithm.as_deref().unwrap_or("sha256") {
            "md5" => Ok(hex(&Md5::digest(printed(&value)))),
            "sha1" => Ok(sha1(&value)),
            "sha256" => Ok(hex(&Sha256::digest(printed(&value)))),
            other => Err(wrong(format!("hash expected md5, sha1 or sha256, found \"{other}\""))),
        }
    });
    environment.add_filter("from_yaml", |value: Jinja| {
        let Some(text) = value.as_str() else { return Ok(value) };
        yaml::read(text).map(|read| to_jinja(&read)).map_err(|error| wrong(format!("from_yaml: {error}")))
    });
    environment.add_filter("from_yaml_all", |value: Jinja| {
        let Some(text) = value.as_str() else { return Ok(value) };
        let read = yaml::read_all(text).map_err(|error| wrong(format!("from_yaml_all: {error}")))?;
        Ok(to_jinja(&read.into()))
    });
    environment.add_filter("to_uuid", |value: Jinja| uuid(&printed(&value)));
    environment.add_filter("to_yaml", |value: Jinja| yaml::write(&from_jinja(&value)));
    environment
        .add_filter("to_nice_yaml", |value: Jinja, _indent: Option<i64>| yaml::write(&from_jinja(&value)));
    environment.add_filter("splitext", |path: String| {
        let place = path.rfind('.').filter(|place| *place > path.rfind('/').map_or(0, |slash| slash + 1));
        let (root, extension) = path.split_at(place.unwrap_or(path.len()));
        to_jinja(&json!([root, extension]))
    });
    environment.add_filter("path_join", |parts: Vec<String>| {
        parts.iter().fold(String::new(), |path, part| match part.as_str() {
            part if path.is_empty() || part.starts_with('/') => part.to_owned(),
            part => format!("{}/{part}", path.trim_end_matches('/')),
        })
    });
    environment.add_filter("urlsplit", |text: String, part: Option<String>| split(&text, part.as_deref()));
    environment.add_filter("urldecode", |text: String| {
        let pairs = url::form_urlencoded::parse(text.as_bytes()).map(|(name, value)| match value.as_ref() {
            "" => name.into_owned(),
            value => format!("{name}={value}"),
        });
        pairs.collect::<Vec<_>>().join("&")
    });
    environment.add_filter("urlencode", |value: Jinja| {
        url::form_urlencoded::byte_serialize(printed(&value).as_bytes()).collect::<String>()
    });
    environment.add_filter("human_to_bytes", bytes);
    environment.add_filter("filesizeformat", |value: Jinja| {
        super::human_readable(f64::try_from(value).unwrap_or(0.0))
    });
    environment
        .add_filter("log", |value: f64, base: Option<f64>| base.map_or(value.ln(), |base| value.log(base)));
    environment.add_filter("pow", |value: f64, by: f64| value.powf(by));
    environment.add_filter("root", |value: f64, by: Option<f64>| value.powf(1.0 / by.unwrap_or(2.0)));
    environment.add_filter("center", |text: String, width: usize| {
        let room = width.min(MOST_WIDTH).saturating_sub(text.chars().count());
        format!("{}{text}{}", " ".repeat(room / 2), " ".repeat(room - room / 2))
    });
    environment
        .add_filter("wordwrap", |text: String, width: Option<usize>| wrapped(&text, width.unwrap_or(79)));
    environment.add_filter("comment", |text: String, style: Option<String>| {
        let sign = match style.as_deref() {
            Some("c" | "javascript") => "// ",
            Some("erlang") => "% ",
            _ => "# ",
        };
        text.lines().map(|line| format!("{sign}{line}")).collect::<Vec<_>>().join("\n")
    });
}

/// Maximum width for centring a text.
const MOST_WIDTH: usize = 10_000;

fn sha1(value: &Jinja) -> String {
    hex(digest(&SHA1_FOR_LEGACY_USE_ONLY, printed(value).as_bytes()).as_ref())
}

/// Ansible's namespace for version 5 UUIDs.
const NAMESPACE: [u8; 16] =
    [0x36, 0x1e, 0x6d, 0x51, 0xfa, 0xec, 0x44, 0x4a, 0x90, 0x79, 0x34, 0x13, 0x86, 0xda, 0x8e, 0x2e];

/// The version 5 UUID of a text (RFC 9562).
fn uuid(text: &str) -> String {
    let hash = digest(&SHA1_FOR_LEGACY_USE_ONLY, &[&NAMESPACE, text.as_bytes()].concat());
    let mut bytes: Vec<u8> = hash.as_ref().iter().take(16).copied().collect();
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let [first, second, third, fourth, last] =
        [0..4, 4..6, 6..8, 8..10, 10..16].map(|range| hex(&bytes[range]));
    format!("{first}-{second}-{third}-{fourth}-{last}")
}

/// The parts of a URL, or one of them.
fn split(text: &str, part: Option<&str>) -> Result<Jinja, Error> {
    let url = Url::parse(text).map_err(|error| wrong(format!("urlsplit: {error}")))?;
    let parts = json!({
        "scheme": url.scheme(), "hostname": url.host_str(), "port": url.port(), "path": url.path(),
        "netloc": url.authority(), "query": url.query().unwrap_or_default(), "fragment": url.fragment().unwrap_or_default(),
        "username": url.username(), "password": url.password(),
    });
    Ok(to_jinja(part.map_or(&parts, |part| &parts[part])))
}

/// The number of bytes of a size such as `1.5 GB`, with units of 1024.
fn bytes(text: String) -> Result<i64, Error> {
    let text = text.trim();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = unit.trim().to_uppercase();
    let unit = unit.trim_end_matches('B').trim_end_matches('I');
    let power = ["", "K", "M", "G", "T", "P", "E"].iter().position(|known| *known == unit);
    let found = number.parse::<f64>().ok().zip(power.and_then(|power| i32::try_from(power).ok()));
    let found = found.map(|(number, power)| number * 1024_f64.powi(power));
    #[allow(clippy::cast_possible_truncation)]
    let whole = found.filter(|found| *found < 9e18).map(|found| found as i64);
    whole.ok_or_else(|| wrong(format!("human_to_bytes expected a size such as 10M, found \"{text}\"")))
}

/// Wraps lines at word boundaries to at most `width` characters.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut row = String::new();
        for word in line.split(' ') {
            if !row.is_empty() && row.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut row));
            }
            if !row.is_empty() {
                row.push(' ');
            }
            row.push_str(word);
        }
        lines.push(row);
    }
    lines.join("\n")
}
