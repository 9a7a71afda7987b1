//! Breaks text, which may be partly bold, into lines of a given width.

use super::super::canvas::{Canvas, TextStyle};

/// Text with one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub text: String,
    pub is_bold: bool,
}

/// The lines of a text in a width. A line break in the text begins a new line; a word that is wider than the line is split.
pub(super) fn lines(canvas: &Canvas, runs: &[Run], room: f64, size: f64) -> Vec<Vec<Run>> {
    let mut lines = Vec::new();
    let mut line: Vec<Run> = Vec::new();
    let mut used = 0.0;
    for word in words(runs) {
        let Some(word) = word else {
            lines.push(std::mem::take(&mut line));
            used = 0.0;
            continue;
        };
        for piece in fitting(canvas, word, room, size) {
            let width = width(canvas, &piece, size);
            let space = if line.is_empty() { 0.0 } else { canvas.regular.width(" ", size) };
            if !line.is_empty() && used + space + width > room {
                lines.push(std::mem::take(&mut line));
                used = 0.0;
            }
            if let Some(last) = line.last_mut() {
                last.text.push(' ');
                used += canvas.font(set_of(last, size)).width(" ", size);
            }
            used += width;
            for run in piece {
                match line.last_mut() {
                    Some(last) if last.is_bold == run.is_bold => last.text.push_str(&run.text),
                    _ => line.push(run),
                }
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

fn set_of(run: &Run, size: f64) -> TextStyle {
    TextStyle { size, is_bold: run.is_bold, ..super::super::canvas::PLAIN }
}

/// The words, each of one or several runs; `None` marks a line break.
fn words(runs: &[Run]) -> Vec<Option<Vec<Run>>> {
    let mut words = Vec::new();
    let mut word: Vec<Run> = Vec::new();
    for run in runs {
        for letter in run.text.chars() {
            if letter.is_whitespace() && letter != '\u{a0}' {
                if !word.is_empty() {
                    words.push(Some(std::mem::take(&mut word)));
                }
                if letter == '\n' {
                    words.push(None);
                }
            } else {
                match word.last_mut() {
                    Some(last) if last.is_bold == run.is_bold => last.text.push(letter),
                    _ => word.push(Run { text: letter.to_string(), is_bold: run.is_bold }),
                }
            }
        }
    }
    if !word.is_empty() {
        words.push(Some(word));
    }
    words
}

pub(super) fn width(canvas: &Canvas, runs: &[Run], size: f64) -> f64 {
    runs.iter().map(|run| canvas.font(set_of(run, size)).width(&run.text, size)).sum()
}

/// A word split into parts that fit, usually one.
fn fitting(canvas: &Canvas, word: Vec<Run>, room: f64, size: f64) -> Vec<Vec<Run>> {
    if width(canvas, &word, size) <= room {
        return vec![word];
    }
    let mut parts: Vec<Vec<Run>> = Vec::new();
    let mut used = 0.0;
    for run in word {
        for letter in run.text.chars() {
            let one = Run { text: letter.to_string(), is_bold: run.is_bold };
            let wide = width(canvas, std::slice::from_ref(&one), size);
            match parts.last_mut() {
                Some(part) if used + wide <= room => {
                    used += wide;
                    match part.last_mut() {
                        Some(last) if last.is_bold == one.is_bold => last.text.push(letter),
                        _ => part.push(one),
                    }
                }
                _ => {
                    used = wide;
                    parts.push(vec![one]);
                }
            }
        }
    }
    parts
}
