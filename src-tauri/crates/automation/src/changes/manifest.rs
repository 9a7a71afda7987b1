//! Changes requests and limits in a manifest: overwrites quantities, adds missing ones, and leaves everything else byte for byte the same.

use super::resources::ResourceChange;
use super::tree::{Content, Node, read};
use saphyr_parser::ScalarStyle;

/// A range of the text with its replacement.
struct Piece {
    start: usize,
    end: usize,
    text: String,
}

/// The text with the change applied.
pub(super) fn change(text: &str, change: &ResourceChange) -> Result<String, String> {
    let documents = read(text).map_err(|why| format!("it cannot be read as YAML: {why}"))?;
    let mut found = documents.iter().filter(|document| is_meant(document, change));
    let place = format!("{} {} in namespace {}", change.kind, change.name, change.namespace);
    let document = found.next().ok_or_else(|| format!("there is no {place} in it"))?;
    if found.next().is_some() {
        return Err(format!("there is more than one {place} in it"));
    }
    let mut pieces = Vec::new();
    let containers = containers(document, change).items();
    let names: Vec<String> = containers.iter().map(|one| word(one, "name")).collect();
    for place in change.chosen(&names)? {
        edit(text, &containers[place], change, &mut pieces)?;
    }
    let made = put(text, pieces);
    // Verify the result: it must contain the intended quantities.
    let again = read(&made).map_err(|why| format!("it cannot be changed without breaking it: {why}"))?;
    let document = again.iter().find(|document| is_meant(document, change));
    let document = document.ok_or("it cannot be changed without breaking it")?;
    for place in change.chosen(&names)? {
        check(&containers[place], &containers_of(document, change)[place], change)?;
    }
    Ok(made)
}

fn containers_of<'n>(document: &'n Node, change: &ResourceChange) -> &'n [Node] {
    containers(document, change).items()
}

fn containers<'n>(document: &'n Node, change: &ResourceChange) -> &'n Node {
    let at: &[&str] = match change.kind.as_str() {
        "Pod" => &["spec", "containers"],
        "CronJob" => &["spec", "jobTemplate", "spec", "template", "spec", "containers"],
        _ => &["spec", "template", "spec", "containers"],
    };
    at.iter().try_fold(document, |node, key| node.get(key)).unwrap_or(document)
}

fn word(node: &Node, key: &str) -> String {
    node.get(key).and_then(Node::text).unwrap_or_default().to_owned()
}

/// A manifest without a namespace matches any: the namespace is given when it is applied.
fn is_meant(document: &Node, change: &ResourceChange) -> bool {
    let Some(metadata) = document.get("metadata") else { return false };
    let namespace = word(metadata, "namespace");
    word(document, "kind") == change.kind
        && word(metadata, "name") == change.name
        && (namespace.is_empty() || namespace == change.namespace)
}

fn quantity(container: &Node, part: &str, name: &str) -> Option<String> {
    container.get("resources")?.get(part)?.get(name)?.text().map(str::to_owned)
}

fn check(before: &Node, after: &Node, change: &ResourceChange) -> Result<(), String> {
    let targets = change.targets(&|part, amount| quantity(before, part, amount.name()))?;
    let is_so = targets.iter().all(|(part, amount, wanted)| quantity(after, part, amount.name()) == *wanted);
    if is_so {
        Ok(())
    } else {
        Err("it is written in a way that is not changed here: put it in by hand".to_owned())
    }
}

/// Adds the replacements for one container.
fn edit(
    text: &str,
    container: &Node,
    change: &ResourceChange,
    pieces: &mut Vec<Piece>,
) -> Result<(), String> {
    let targets = change.targets(&|part, amount| quantity(container, part, amount.name()))?;
    // Missing sections and quantities to add, by section.
    let mut new: Vec<(&str, Vec<(&str, String)>)> = Vec::new();
    let mut gone: Vec<(&str, &Node, &Node)> = Vec::new();
    let resources = container.get("resources").filter(|node| !node.entries().is_empty());
    for (part, amount, wanted) in targets {
        let quantities = resources.and_then(|node| node.get(part)).filter(|node| !node.entries().is_empty());
        match (quantities.and_then(|node| node.entry(amount.name())), wanted) {
            (Some((_, value)), Some(wanted)) => {
                if value.text() != Some(wanted.as_str()) {
                    pieces.push(over(text, value, &wanted)?);
                }
            }
            (Some((key, value)), None) => gone.push((part, key, value)),
            (None, None) => {}
            (None, Some(wanted)) => match new.iter_mut().find(|(known, _)| *known == part) {
                Some((_, list)) => list.push((amount.name(), wanted)),
                None => new.push((part, vec![(amount.name(), wanted)])),
            },
        }
    }
    take_away(text, resources, &gone, pieces)?;
    let mut parts = Vec::new();
    for (part, list) in new {
        match resources.and_then(|node| node.get(part)).filter(|node| !node.entries().is_empty()) {
            Some(node) => pieces.push(behind(
                text,
                node,
                &list.iter().map(|(name, text)| format!("{name}: {text}")).collect::<Vec<_>>(),
            )?),
            None => parts.push((part, list)),
        }
    }
    if parts.is_empty() {
        return Ok(());
    }
    let mut lines = Vec::new();
    for (part, list) in &parts {
        lines.push(format!("{part}:"));
        lines.extend(list.iter().map(|(name, text)| format!("  {name}: {text}")));
    }
    if let Some(resources) = resources {
        if parts.iter().any(|(part, _)| resources.get(part).is_some()) {
            return Err("requests or limits stand there empty: take the empty one out".to_owned());
        }
        pieces.push(behind(text, resources, &lines)?);
        return Ok(());
    }
    let lines: Vec<String> = lines.iter().map(|line| format!("  {line}")).collect();
    if let Some((key, value)) = container.entry("resources") {
        let empty = text[value.start..].starts_with("{}");
        if !empty {
            return Err("resources stands there empty: write {} or take it out".to_owned());
        }
        let start = text[..value.start].trim_end_matches(' ').len();
        pieces.push(Piece { start, end: value.start + 2, text: block(text, key.column, &lines) });
        return Ok(());
    }
    let (key, name) = container.entry("name").ok_or("a container has no name")?;
    let end = end_of(text, name)?;
    let mut all = vec!["resources:".to_owned()];
    all.extend(lines);
    let at = line_end(text, end);
    pieces.push(Piece { start: at, end: at, text: block(text, key.column, &all) });
    Ok(())
}

/// Removes quantities, and a section when its last quantity is removed.
fn take_away(
    text: &str,
    resources: Option<&Node>,
    gone: &[(&str, &Node, &Node)],
    pieces: &mut Vec<Piece>,
) -> Result<(), String> {
    for (part, key, value) in gone {
        let entry = resources.and_then(|node| node.entry(part));
        let all = entry.map_or(0, |(_, node)| node.entries().len());
        let of_part = gone.iter().filter(|(other, ..)| other == part).count();
        match entry.filter(|_| all == of_part) {
            None => pieces.push(without(text, key, value)?),
            // Only once for the whole section.
            Some((key, node)) => {
                if let Some((_, last)) = node.entries().last().filter(|(_, last)| last.start == value.start) {
                    pieces.push(without(text, key, last)?);
                }
            }
        }
    }
    Ok(())
}

/// Lines of a block, each preceded by a line break.
fn block(text: &str, column: usize, lines: &[String]) -> String {
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    lines.iter().map(|line| format!("{line_break}{}{line}", " ".repeat(column))).collect()
}

/// The end of a line, without its line break.
fn line_end(text: &str, from: usize) -> usize {
    let end = text[from..].find('\n').map_or(text.len(), |at| from + at);
    end - usize::from(text[..end].ends_with('\r'))
}

/// The range of a scalar without its quotes.
fn inside(text: &str, value: &Node) -> Result<(usize, usize), String> {
    let strange = || {
        let line = text[..value.start].matches('\n').count() + 1;
        format!("line {line} is written in a way that is not changed here: put it in by hand")
    };
    let Content::Scalar { text: found, style } = &value.content else { return Err(strange()) };
    let start = value.start + usize::from(*style != ScalarStyle::Plain);
    let is_there =
        matches!(style, ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)
            && text.get(start..).is_some_and(|rest| rest.starts_with(found.as_str()))
            && !found.is_empty();
    if is_there { Ok((start, start + found.len())) } else { Err(strange()) }
}

/// The position after the scalar and its quote.
fn end_of(text: &str, value: &Node) -> Result<usize, String> {
    let (_, end) = inside(text, value)?;
    Ok(end + usize::from(text[end..].starts_with(['"', '\''])))
}

fn over(text: &str, value: &Node, wanted: &str) -> Result<Piece, String> {
    let (start, end) = inside(text, value)?;
    Ok(Piece { start, end, text: wanted.to_owned() })
}

/// Inserts lines, or entries in braces, after the last entry of a map whose values are scalars or such maps.
fn behind(text: &str, map: &Node, lines: &[String]) -> Result<Piece, String> {
    let mut last = map;
    while let Some((_, value)) = last.entries().last() {
        last = value;
    }
    let end = end_of(text, last)?;
    if matches!(map.content, Content::Map { is_flow: true, .. }) {
        if lines.iter().any(|line| line.ends_with(':')) {
            return Err(
                "resources is written in braces: write one key a line, or put it in by hand".to_owned()
            );
        }
        return Ok(Piece { start: end, end, text: lines.iter().map(|line| format!(", {line}")).collect() });
    }
    let column = map.entries().first().map_or(0, |(key, _)| key.column);
    let at = line_end(text, end);
    Ok(Piece { start: at, end: at, text: block(text, column, lines) })
}

/// The lines from a key to the end of its value.
fn without(text: &str, key: &Node, value: &Node) -> Result<Piece, String> {
    let start = text[..key.start].rfind('\n').map_or(0, |at| at + 1);
    if !text[start..key.start].trim().is_empty() {
        return Err("a limit stands beside something else in its line: take it out by hand".to_owned());
    }
    let end = line_end(text, end_of(text, value)?);
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    Ok(Piece { start, end, text: String::new() })
}

fn put(text: &str, mut pieces: Vec<Piece>) -> String {
    // A section may be removed twice.
    pieces.sort_by_key(|piece| piece.start);
    pieces.dedup_by(|later, earlier| {
        later.start == earlier.start && later.end == earlier.end && later.text.is_empty()
    });
    let (mut made, mut place) = (String::new(), 0);
    for piece in pieces {
        if piece.start >= place {
            made.push_str(&text[place..piece.start]);
            made.push_str(&piece.text);
            place = piece.end;
        }
    }
    made.push_str(&text[place..]);
    made
}

#[cfg(test)]
mod tests;
