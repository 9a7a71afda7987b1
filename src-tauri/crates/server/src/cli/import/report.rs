//! Reports for people who read a terminal.

use super::files::Found;
use ingest::{Report, State};
use std::fmt::Write;

/// Accounts, reasons and rows beyond these are counted only; `--json` and the pages have them all.
const SHOWN: usize = 8;

/// What came of a file that was understood.
pub fn success(file: &Found, report: &Report, dry_run: bool) -> String {
    let mut text = String::new();
    let format = report.format_title.as_deref().unwrap_or("?");
    let state = match report.state {
        _ if dry_run => "read, nothing written (--dry-run)",
        State::Done => "imported",
        State::DoneWithSkips => "imported, with rows left out",
        State::Unchanged => "unchanged: the same file was imported before",
        State::Failed => "failed",
    };
    let _ = write!(text, "{}: {format}, {state}", file.path.display());
    let mut line = |label: &str, says: String| {
        let _ = write!(text, "\n  {label:<9} {says}");
    };
    line(
        "Rows",
        format!(
            "{} read, {} written, {} left out",
            report.rows_read, report.rows_written, report.rows_skipped
        ),
    );
    if let Some(period) = &report.period {
        line("Period", format!("{} to {}", period.start, period.end));
    }
    if !report.accounts.is_empty() {
        let names = report.accounts.iter().take(SHOWN).map(|account| {
            if account.name.is_empty() { account.number.clone() } else { account.name.clone() }
        });
        let more = report.accounts.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        line("Accounts", format!("{}{more}", names.collect::<Vec<_>>().join(", ")));
    }
    for total in &report.totals {
        let costs = [
            ("billed", &total.billed_cost),
            ("effective", &total.effective_cost),
            ("list", &total.list_cost),
            ("contracted", &total.contracted_cost),
        ];
        let stated = costs.iter().filter_map(|(name, cost)| Some(format!("{name} {}", cost.as_ref()?)));
        line("Total", format!("{} {}", total.currency, stated.collect::<Vec<_>>().join(", ")));
    }
    for saving in &report.savings {
        line("Savings", format!("{} {} a month", saving.currency, saving.estimated_monthly_savings));
    }
    if let Some(replaced) = report.replaced.as_ref().filter(|replaced| replaced.rows > 0) {
        line("Replaced", format!("{} rows of {}", replaced.rows, replaced.periods.join(", ")));
    }
    for reason in report.reasons.iter().take(SHOWN) {
        line(
            "Left out",
            format!(
                "{} rows, {}: {} (first in line {}: {:?})",
                reason.count, reason.column, reason.reason, reason.first_line, reason.example
            ),
        );
    }
    for note in &report.notes {
        line("Note", note.clone());
    }
    text
}

/// Why a file was not imported: for stderr, with a line break at the end.
pub fn failure(file: &Found, report: &Report) -> String {
    let mut text = format!("{}: not imported", file.path.display());
    if let Some(error) = &report.error {
        let _ = write!(text, ": {}", error.message);
        if !error.looked_for.is_empty() {
            let _ = write!(text, "\n  Looked for {}", error.looked_for.join("; "));
        }
        if !error.found.is_empty() {
            let _ = write!(text, "\n  Found      {}", error.found);
        }
    }
    text.push('\n');
    text
}
