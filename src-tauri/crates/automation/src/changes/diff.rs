//! Reads, applies and creates unified diffs (`diff -u`, `git diff`).
//!
//! The lines must be exactly where the diff states; there is no fuzzy matching.

use std::fmt;

/// The changes to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePatch {
    pub path: String,
    hunks: Vec<Hunk>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Hunk {
    /// Line number before the change, from 1.
    start: usize,
    /// `' '`, `'-'` or `'+'`, and the line including its line break.
    lines: Vec<(char, String)>,
}

/// Why a diff is invalid or does not apply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiffError {
    #[error("line {0}: expected a diff with --- and +++ lines and @@ parts, found \"{1}\"")]
    Unreadable(usize, String),
    #[error("it deletes or renames {0}, which is not done here")]
    Moves(String),
    #[error("the part at line {0} does not fit: expected \"{1}\"")]
    Stale(usize, String),
}

/// Parses the files of a diff.
pub fn read(text: &str) -> Result<Vec<FilePatch>, DiffError> {
    let mut files: Vec<FilePatch> = Vec::new();
    let mut lines = text.split_inclusive('\n').enumerate().peekable();
    let mut before = String::new();
    // Remaining lines of the hunk: before, after.
    let mut left = (0_usize, 0_usize);
    while let Some((place, line)) = lines.next() {
        let plain = line.trim_end_matches(['\n', '\r']);
        let unreadable = || DiffError::Unreadable(place + 1, plain.chars().take(80).collect());
        if left != (0, 0) {
            let hunk = files.last_mut().and_then(|file| file.hunks.last_mut()).ok_or_else(unreadable)?;
            // Editors strip the single space of an empty context line.
            let sign = line.chars().next().filter(|_| !plain.is_empty()).unwrap_or(' ');
            match sign {
                ' ' => {
                    left = (
                        left.0.checked_sub(1).ok_or_else(unreadable)?,
                        left.1.checked_sub(1).ok_or_else(unreadable)?,
                    );
                }
                '-' => left.0 = left.0.checked_sub(1).ok_or_else(unreadable)?,
                '+' => left.1 = left.1.checked_sub(1).ok_or_else(unreadable)?,
                _ => return Err(unreadable()),
            }
            let mut body = if plain.is_empty() { line } else { &line[1..] }.to_owned();
            if lines.peek().is_some_and(|(_, next)| next.starts_with("\\ No newline")) {
                body.truncate(body.trim_end_matches(['\n', '\r']).len());
                lines.next();
            }
            hunk.lines.push((sign, body));
            continue;
        }
        if let Some(name) = plain.strip_prefix("--- ") {
            before = path_of(name);
        } else if let Some(name) = plain.strip_prefix("+++ ") {
            let path = path_of(name);
            if path == "/dev/null" || before != "/dev/null" && before != path {
                return Err(DiffError::Moves(before));
            }
            files.push(FilePatch { path, hunks: Vec::new() });
        } else if let Some(rest) = plain.strip_prefix("@@ -") {
            let file = files.last_mut().ok_or_else(unreadable)?;
            let (start, counts) = ranges(rest).ok_or_else(unreadable)?;
            left = counts;
            file.hunks.push(Hunk { start, lines: Vec::new() });
        } else if plain.starts_with("rename ") || plain.starts_with("deleted file") {
            return Err(DiffError::Moves(plain.to_owned()));
        } else if files.last().is_some_and(|file| file.hunks.is_empty()) {
            return Err(unreadable());
        }
    }
    let is_whole = left == (0, 0) && files.iter().all(|file| !file.hunks.is_empty());
    if files.is_empty() || !is_whole {
        let count = text.lines().count();
        return Err(DiffError::Unreadable(count, "the end of the text".to_owned()));
    }
    Ok(files)
}

/// The path without git's `a/` or `b/` prefix and the timestamp.
fn path_of(name: &str) -> String {
    let name = name.split('\t').next().unwrap_or_default().trim();
    let plain = name.strip_prefix("a/").or_else(|| name.strip_prefix("b/"));
    plain.unwrap_or(name).to_owned()
}

/// Parses `3,7 +3,8 @@`: start line, and the number of lines before and after.
fn ranges(text: &str) -> Option<(usize, (usize, usize))> {
    let (before, after) = text.split_once(" +")?;
    let after = after.split(' ').next()?;
    let range = |text: &str| -> Option<(usize, usize)> {
        match text.split_once(',') {
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        }
    };
    let (start, count) = range(before)?;
    Some((start, (count, range(after)?.1)))
}

impl FilePatch {
    /// The text with the changes applied.
    pub fn apply(&self, before: Option<&str>) -> Result<String, DiffError> {
        let lines: Vec<&str> = before.unwrap_or_default().split_inclusive('\n').collect();
        let (mut made, mut place) = (String::new(), 0);
        for hunk in &self.hunks {
            let first = if hunk.lines.iter().any(|(sign, _)| *sign != '+') {
                hunk.start.saturating_sub(1)
            } else {
                hunk.start
            };
            let stale =
                |wanted: &str| DiffError::Stale(hunk.start, wanted.trim_end().chars().take(80).collect());
            if first < place || first > lines.len() {
                return Err(stale("a line that is not there"));
            }
            made.extend(lines[place..first].iter().copied());
            place = first;
            for (sign, line) in &hunk.lines {
                if *sign == '+' {
                    made.push_str(line);
                    continue;
                }
                if lines.get(place) != Some(&line.as_str()) {
                    return Err(stale(line));
                }
                if *sign == ' ' {
                    made.push_str(line);
                }
                place += 1;
            }
        }
        made.extend(lines[place..].iter().copied());
        Ok(made)
    }
}

impl fmt::Display for FilePatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "--- a/{0}\n+++ b/{0}", self.path)?;
        for hunk in &self.hunks {
            let count = |other: char| hunk.lines.iter().filter(|(sign, _)| *sign != other).count();
            writeln!(f, "@@ -{},{} +{},{} @@", hunk.start, count('+'), hunk.start, count('-'))?;
            for (sign, line) in &hunk.lines {
                write!(f, "{sign}{line}")?;
                if !line.ends_with('\n') {
                    writeln!(f, "\n\\ No newline at end of file")?;
                }
            }
        }
        Ok(())
    }
}

/// Number of context lines.
const AROUND: usize = 3;

/// The change of a file as a diff with one hunk, from the first to the last changed line.
pub fn shown(path: &str, before: Option<&str>, after: &str) -> String {
    let old: Vec<&str> = before.unwrap_or_default().split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let same = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let most = old.len().min(new.len()) - same;
    let same_end =
        old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(one, other)| one == other).count();
    let first = same.saturating_sub(AROUND);
    let line = |sign: char, line: &&str| (sign, (*line).to_owned());
    let mut lines: Vec<(char, String)> = old[first..same].iter().map(|one| line(' ', one)).collect();
    lines.extend(old[same..old.len() - same_end].iter().map(|one| line('-', one)));
    lines.extend(new[same..new.len() - same_end].iter().map(|one| line('+', one)));
    let end = old.len() - same_end;
    lines.extend(old[end..old.len().min(end + AROUND)].iter().map(|one| line(' ', one)));
    let start = if old.is_empty() { 0 } else { first + 1 };
    FilePatch { path: path.to_owned(), hunks: vec![Hunk { start, lines }] }.to_string()
}

#[cfg(test)]
mod tests {
    use super::{DiffError, read, shown};

    #[test]
    fn a_diff_is_made_read_and_put_to_the_text() {
        let before = "a\nb\nc\nd\ne\nf\ng\nh\n";
        let after = "a\nb\nc\nd\nE\nF\nf\ng\nh\n";
        let diff = shown("x/y.yaml", Some(before), after);
        assert_eq!(
            diff,
            "--- a/x/y.yaml\n+++ b/x/y.yaml\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+F\n f\n g\n h\n"
        );
        let read = read(&diff).unwrap();
        assert_eq!((read.len(), read[0].path.as_str()), (1, "x/y.yaml"));
        assert_eq!(read[0].apply(Some(before)).as_deref(), Ok(after));
        assert_eq!(read[0].to_string(), diff);
        let stale = read[0].apply(Some("a\nb\nother\nd\ne\nf\ng\nh\n"));
        assert_eq!(stale, Err(DiffError::Stale(2, "c".to_owned())));
    }

    #[test]
    fn ends_without_a_line_break_and_new_files_are_kept_as_they_are() {
        for (before, after) in [
            (Some("a\nb"), "a\nc"),
            (None, "new\n"),
            (Some("a\r\nb\r\n"), "a\r\nb\r\nc\r\n"),
            (Some("a"), "a\n"),
        ] {
            let diff = shown("f", before, after);
            let diff = if before.is_none() { diff.replace("--- a/f", "--- /dev/null") } else { diff };
            assert_eq!(read(&diff).unwrap()[0].apply(before).as_deref(), Ok(after), "{diff}");
        }
    }

    #[test]
    fn what_is_no_diff_is_told() {
        for text in [
            "",
            "hello",
            "--- a/f\n+++ b/f\n",
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n",
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n*x\n",
        ] {
            assert!(matches!(read(text), Err(DiffError::Unreadable(..))), "{text:?}");
        }
        assert!(matches!(read("--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"), Err(DiffError::Moves(_))));
    }
}
