//! Printing on stdout, where a closed pipe is an error to be told and not a panic.

use serde::Serialize;
use std::io::{self, Write};

/// One line.
pub fn line(text: impl std::fmt::Display) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{text}")
}

/// JSON over several lines.
pub fn json(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)
}
