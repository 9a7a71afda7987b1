//! Fills the report of a file with the results of reading and writing it.

use crate::archive_files::ArchiveFiles;
use crate::formats::Summary;
use crate::report::{Amount, CostTotal, Period, Report, SavingsTotal, State};
use crate::write::WriteSummary;
use crate::write::imports::Earlier;
use crate::write::sources::Source;
use catalogue::{DecimalSum, format_timestamp};

/// Moves the results of reading and writing into the report. Returns the sources written.
pub(super) fn fill(report: &mut Report, mut summary: Summary, written: WriteSummary) -> Vec<Source> {
    let text = |sum: &DecimalSum| sum.to_string();
    // The rows of a document are counted by the writer.
    let records = written.records;
    summary.rows_kept += records.rows.written;
    summary.rows_read += records.rows.written + records.rows.skips.count;
    summary.skips.append(records.rows.skips);
    report.written = records.counts;
    report.state = match summary.skips.count {
        0 => State::Done,
        count if count == summary.rows_read && summary.rows_without_action == 0 => State::NothingRead,
        _ => State::DoneWithSkips,
    };
    report.sha256 = summary.sha256;
    report.rows_read = summary.rows_read;
    report.rows_written = summary.rows_kept;
    report.rows_skipped = summary.skips.count;
    report.period = summary.period.map(|(start, end)| Period {
        start: format!("{}Z", format_timestamp(start)),
        end: format!("{}Z", format_timestamp(end)),
    });
    report.accounts = written.accounts;
    report.totals = summary
        .costs
        .into_iter()
        .map(|(currency, [billed, effective, list, contracted])| CostTotal {
            currency,
            billed_cost: billed.as_ref().map(text),
            effective_cost: effective.as_ref().map(text),
            list_cost: list.as_ref().map(text),
            contracted_cost: contracted.as_ref().map(text),
        })
        .collect();
    report.savings = summary
        .savings
        .into_iter()
        .map(|(currency, sum)| SavingsTotal { currency, estimated_monthly_savings: sum.to_string() })
        .collect();
    report.reasons = summary.skips.reasons();
    report.skipped = summary.skips.listed;
    report.sums.file = report
        .totals
        .iter()
        .filter_map(|total| {
            let billed_cost = total.billed_cost.clone()?;
            Some(Amount { currency: total.currency.clone(), period: None, billed_cost })
        })
        .collect();
    report.notes = summary.notes;
    report.column_formats = summary.column_formats;
    report.files = ArchiveFiles::of(summary.files);
    if report.rows_read == 0 {
        report.notes.push(if summary.is_document {
            "The file lists nothing.".to_owned()
        } else {
            "The file has a header and no rows.".to_owned()
        });
    }
    report.notes.extend(written.notes);
    written.sources
}

/// The report of a file whose bytes are stored already: the earlier report, marked as unchanged.
pub(super) fn unchanged(report: Report, earlier: Earlier) -> Report {
    let name = earlier.report.as_ref().map_or_else(String::new, |report| format!(" as {}", report.file_name));
    let before = earlier.report.unwrap_or_else(|| report.clone());
    Report {
        state: State::Unchanged,
        sha256: earlier.sha256,
        format: before.format.clone(),
        written: before.written,
        period: before.period,
        accounts: before.accounts,
        totals: before.totals,
        savings: before.savings,
        notes: vec![format!("The same file was imported before{name}; nothing has changed.")],
        ..report
    }
}
