//! Decides whether files of AWS Cost and Usage Reports without a manifest are parts of one report. Parts have no charge in common, and neither have
//! two reports that identify the same charges differently; the part numbers that AWS appends to file names distinguish the cases.

use super::restated_in_other_format::in_common;
use crate::decide::{Choice, Reason, Verdict};
use crate::report::ReportFormat;
use crate::write::imports;
use crate::write::resolution::{DecisionInputs, FileRows, PeriodGroup};
use crate::write::sources::Charges;
use std::collections::HashMap;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Formats with part numbers in their file names.
const NUMBERED: [&str; 1] = ["aws-cur"];
/// Number of digits in a part number.
const DIGITS: std::ops::RangeInclusive<usize> = 3..=5;

/// The properties of a file that show which report it is a part of.
#[derive(Debug, Clone, Copy)]
pub(in crate::write) struct File<'a> {
    pub name: &'a str,
    pub format: Option<&'a ReportFormat>,
}

impl<'a> File<'a> {
    pub fn of(rows: &'a FileRows) -> Self {
        Self { name: &rows.name, format: rows.format.as_ref() }
    }
}

/// If nothing shows whether a report is a further part of the stored ones, asks the user, or replaces them if the user chose so.
pub(in crate::write) fn check_parts(
    transaction: &Transaction<'_>,
    files: &[File<'_>],
    group: &mut PeriodGroup,
    others: &[usize],
    inputs: DecisionInputs<'_>,
) -> Result<(), StoreError> {
    if group.verdict != Verdict::Add || inputs.choice == Some(Choice::Add) {
        return Ok(());
    }
    let mut unknown = Vec::new();
    for place in others {
        let (import, stored_charges) = &group.older[*place];
        let report = imports::report(transaction, *import)?;
        let Some(report) = &report else { continue };
        let older = File { name: &report.file_name, format: report.format.as_ref() };
        let mut accounts: HashMap<Uuid, Charges> = HashMap::new();
        for stored in stored_charges {
            accounts.entry(stored.account).or_default().merge(&stored.charges);
        }
        if files.iter().any(|file| may_be_two_reports(*file, older)) && meet(&group.all, &accounts) {
            unknown.push(*place);
        }
    }
    if !unknown.is_empty() {
        group.verdict = match inputs.whole_choice() {
            Some(_) => Verdict::Replace(unknown),
            None => Verdict::Ask(Reason::UnknownParts, unknown),
        };
    }
    Ok(())
}

/// Whether two files may be separate reports, because they are not recognisably parts of one.
pub(in crate::write) fn may_be_two_reports(one: File<'_>, other: File<'_>) -> bool {
    let is_numbered =
        |file: File<'_>| file.format.is_some_and(|format| NUMBERED.contains(&format.id.as_str()));
    is_numbered(one) && is_numbered(other) && !are_numbered_parts(one.name, other.name)
}

/// Whether both have charges of one account at the same time.
pub(in crate::write) fn meet(one: &HashMap<Uuid, Charges>, other: &HashMap<Uuid, Charges>) -> bool {
    one.iter().any(|(account, charges)| {
        other.get(account).is_some_and(|others| in_common(charges, others).is_some())
    })
}

/// Whether names differ only in the part number: `report-00001.csv.gz` and `report-00002.csv.gz`.
fn are_numbered_parts(one: &str, other: &str) -> bool {
    let (Some((report, number)), Some((of_other, other))) = (numbered(one), numbered(other)) else {
        return false;
    };
    report == of_other && number != other
}

/// The name of the report, and the part number.
fn numbered(name: &str) -> Option<(&str, u32)> {
    let stem = name.split('.').next().unwrap_or(name);
    let (report, number) = stem.rsplit_once('-')?;
    let is_number = DIGITS.contains(&number.len()) && number.bytes().all(|digit| digit.is_ascii_digit());
    Some((report, number.parse().ok().filter(|_| is_number)?))
}

#[cfg(test)]
mod tests {
    use super::are_numbered_parts;

    #[test]
    fn parts_are_told_by_their_number() {
        assert!(are_numbered_parts("costs-00001.csv.gz", "costs-00002.csv.gz"));
        assert!(are_numbered_parts("costs-00001.snappy.parquet", "costs-00012.snappy.parquet"));
        for (one, other) in [
            ("costs-00001.csv.gz", "costs-00001.csv.gz"),
            ("costs-00001.csv.gz", "other-00002.csv.gz"),
            ("costs-2026-05.csv", "costs-2026-06.csv"),
            ("costs.csv", "costs-00002.csv"),
            ("costs-00001 (1).csv", "costs-00001.csv"),
        ] {
            assert!(!are_numbered_parts(one, other), "{one} {other}");
        }
    }
}
