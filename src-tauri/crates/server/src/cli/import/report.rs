//! Formats reports for a terminal.

use super::files::InputFile;
use ingest::{Report, State};
use std::fmt::Write;

/// Maximum number of accounts, reasons and rows shown; beyond it, only their count. `--json` and the pages show all.
const SHOWN: usize = 8;

/// The outcome of a file that was recognised.
pub fn success(file: &InputFile, report: &Report, dry_run: bool) -> String {
    let mut text = String::new();
    let format = report.format.as_ref().map_or("?", |format| format.title.as_str());
    let state = match report.state {
        _ if dry_run => "read, nothing written (--dry-run)",
        State::Done => "imported",
        State::DoneWithSkips => "imported, with rows left out",
        State::Unchanged => "unchanged: the same file was imported before",
        State::NothingRead => "not imported: no row could be read",
        State::NeedsDecision => "not imported: a decision is needed",
        State::WaitingForParts => "waits for the other files of its manifest",
        State::Failed => "failed",
        State::Undone => "undone",
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
        line("Replaced", format!("{} of {}", rows(replaced.rows), replaced.periods.join(", ")));
    }
    for reason in report.reasons.iter().take(SHOWN) {
        let of_column = if reason.column.is_empty() { String::new() } else { format!(", {}", reason.column) };
        let first = if reason.first_place.is_empty() {
            format!("line {}", reason.first_line)
        } else {
            reason.first_place.clone()
        };
        line(
            "Left out",
            format!(
                "{}{of_column}: {} (first in {first}: {:?})",
                rows(reason.count),
                reason.reason,
                reason.example
            ),
        );
    }
    if report.state == State::WaitingForParts {
        let parts = report.delivery.iter().flat_map(|delivery| &delivery.parts);
        for part in parts.filter(|part| !part.is_present) {
            line("Lacks", part.file_name.clone());
        }
    }
    if let Some(decision) = &report.decision {
        line("Decide", decision.question.clone());
        for choice in &decision.choices {
            let totals = choice
                .totals
                .iter()
                .map(|total| format!("{} {} {}", total.period, total.currency, total.after));
            line(
                "",
                format!("{}: {} ({})", choice.choice, choice.label, totals.collect::<Vec<_>>().join(", ")),
            );
        }
    }
    for format in &report.column_formats {
        let reading = match format.reads_as.as_str() {
            "" => String::new(),
            reading => format!(": {} is {reading}", format.example),
        };
        line("Read as", format!("{}, {}{reading}", format.column, format.format));
    }
    for note in &report.notes {
        line("Note", note.clone());
    }
    text
}

/// The line for a file of a folder that is not in a supported format.
pub fn passed_over(file: &InputFile, report: &Report) -> String {
    let why = report.error.as_ref().map_or("not recognised", |error| error.message.as_str());
    format!("{}: passed over: {why}", file.path.display())
}

/// Why a file was not imported: for stderr, with a line break at the end.
pub fn failure(file: &InputFile, report: &Report) -> String {
    let mut text = format!("{}: not imported", file.path.display());
    if let Some(error) = &report.error {
        let _ = write!(text, ": {}", error.message);
        if !error.found.is_empty() {
            let _ = write!(text, "\n  Found      {}", error.found);
        }
        if !error.looked_for.is_empty() {
            // One line each: there are more than thirty formats.
            let _ = write!(text, "\n  Looked for {}", error.looked_for.join("\n             "));
        }
    }
    text.push('\n');
    text
}

fn rows(count: u64) -> String {
    if count == 1 { "1 row".to_owned() } else { format!("{count} rows") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ingest::{CostTotal, Failure, Reason};
    use std::path::PathBuf;

    fn file() -> InputFile {
        InputFile { path: PathBuf::from("bills/may.csv"), size_bytes: 1, is_named: true }
    }

    #[test]
    fn a_report_tells_rows_totals_and_what_was_left_out() {
        let mut report = Report::of("may.csv", 1);
        report.state = State::DoneWithSkips;
        report.format = Some(ingest::ReportFormat { id: "focus".to_owned(), title: "FOCUS 1.2".to_owned() });
        (report.rows_read, report.rows_written, report.rows_skipped) = (3, 2, 1);
        report.totals = vec![CostTotal {
            currency: "USD".to_owned(),
            billed_cost: Some("1.25".to_owned()),
            effective_cost: Some("1".to_owned()),
            list_cost: None,
            contracted_cost: None,
        }];
        report.reasons = vec![Reason {
            reason: "not a number".to_owned(),
            column: "BilledCost".to_owned(),
            count: 1,
            first_line: 3,
            first_place: String::new(),
            last_line: 3,
            example: "oops".to_owned(),
        }];
        assert_eq!(
            success(&file(), &report, false),
            "bills/may.csv: FOCUS 1.2, imported, with rows left out\n  \
             Rows      3 read, 2 written, 1 left out\n  \
             Total     USD billed 1.25, effective 1\n  \
             Left out  1 row, BilledCost: not a number (first in line 3: \"oops\")"
        );
        let reason = &mut report.reasons[0];
        (reason.column, reason.first_place) = (String::new(), "$.items[2]".to_owned());
        let told = success(&file(), &report, false);
        assert!(told.ends_with("Left out  1 row: not a number (first in $.items[2]: \"oops\")"), "{told}");
    }

    #[test]
    fn a_refusal_tells_what_was_looked_for_and_found() {
        let mut report = Report::of("may.csv", 1);
        report.error = Some(Failure {
            message: "the file was not recognised".to_owned(),
            looked_for: vec!["FOCUS".to_owned(), "AWS Compute Optimizer".to_owned()],
            found: "a letter".to_owned(),
        });
        assert_eq!(
            failure(&file(), &report),
            "bills/may.csv: not imported: the file was not recognised\n  \
             Found      a letter\n  Looked for FOCUS\n             AWS Compute Optimizer\n"
        );
    }
}
