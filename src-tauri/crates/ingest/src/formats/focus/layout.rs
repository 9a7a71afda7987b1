//! The layout of a FOCUS file: the positions of its columns, its version, and whether it can be read.

use super::columns::{self, Column, PROVIDERS, REQUIRED, SINCE_1_1, SINCE_1_2, SINCE_1_3};
use super::details::Detail;
use super::forms::Forms;
use crate::outcome::Failure;

/// The parsed header of a FOCUS file.
#[derive(Debug)]
pub struct Layout {
    places: [Option<usize>; Column::ALL.len()],
    width: usize,
    version: Version,
    /// The display name of the original format, if the rows were translated to FOCUS.
    title: Option<String>,
    /// The original names of columns in a translated file.
    names: Vec<(Column, String)>,
    /// The index of the cell that marks a translated row as included in other rows.
    excluded: Option<usize>,
    /// How the numbers and dates of each column are written.
    pub forms: Forms,
    /// The columns without a field of their own.
    pub details: Vec<Detail>,
    header: Vec<String>,
    pub notes: Vec<String>,
    /// The cell delimiter. If it is not a comma, a comma may be part of a number.
    pub delimiter: u8,
}

/// The FOCUS version, derived from the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    V1_0,
    /// Only columns that all of 1.0 to 1.2 have.
    V1_0To1_2,
    V1_1,
    V1_2,
    V1_3,
    V1_4,
}

impl Version {
    fn text(self) -> &'static str {
        match self {
            Self::V1_0 => "1.0",
            Self::V1_0To1_2 => "1.0–1.2",
            Self::V1_1 => "1.1",
            Self::V1_2 => "1.2",
            Self::V1_3 => "1.3",
            Self::V1_4 => "1.4",
        }
    }
}

impl Layout {
    /// The number of standard columns in a header, which distinguishes FOCUS from other files.
    pub fn count_standard_columns(header: &[String]) -> usize {
        header.iter().filter(|name| columns::is_standard(name)).count()
    }

    /// Parses a header that resembles FOCUS.
    pub fn read(header: &[String]) -> Result<Self, Failure> {
        let mut places = [None; Column::ALL.len()];
        let mut doubles = Vec::new();
        for (place, name) in header.iter().enumerate() {
            if let Some(column) = columns::find(name) {
                if places[column as usize].is_some() {
                    doubles.push(column.name());
                } else {
                    places[column as usize] = Some(place);
                }
            }
        }
        let has = |column: &Column| places[*column as usize].is_some();
        let mut missing: Vec<&str> =
            REQUIRED.iter().filter(|column| !has(column)).map(|column| column.name()).collect();
        if !PROVIDERS.iter().any(has) {
            missing.push("ProviderName (from FOCUS 1.4 on: ServiceProviderName)");
        }
        if !doubles.is_empty() || !missing.is_empty() {
            return Err(refusal(header, &doubles, &missing));
        }
        let version = version(header);
        let details = Detail::of_header(header);
        let mut notes = notes(version, &places);
        notes.extend(kept_note(&details));
        Ok(Self {
            places,
            width: header.len(),
            version,
            title: None,
            names: Vec::new(),
            excluded: None,
            forms: Forms::default(),
            details,
            header: header.to_vec(),
            notes,
            delimiter: b',',
        })
    }

    /// The layout of rows translated from another format: the filled columns, the exclusion mark, and columns that are copied unchanged.
    /// `names` are the file's column names, for messages.
    pub fn of_bill(
        filled: &[Column],
        kept: Vec<String>,
        title: String,
        names: Vec<(Column, String)>,
        mut notes: Vec<String>,
    ) -> Self {
        let mut places = [None; Column::ALL.len()];
        for (place, column) in filled.iter().enumerate() {
            places[*column as usize] = Some(place);
        }
        let header: Vec<String> =
            filled.iter().map(|column| column.name().to_owned()).chain([String::new()]).chain(kept).collect();
        let details = Detail::of_columns(&header, filled.len() + 1..header.len());
        notes.extend(kept_note(&details));
        Self {
            places,
            width: header.len(),
            version: Version::V1_2,
            title: Some(title),
            names,
            excluded: Some(filled.len()),
            forms: Forms::default(),
            details,
            header,
            notes,
            delimiter: b',',
        }
    }

    pub fn title(&self) -> String {
        self.title.clone().unwrap_or_else(|| format!("FOCUS {}", self.version.text()))
    }

    /// Whether the rows were translated from another format.
    pub fn is_of_bill(&self) -> bool {
        self.title.is_some()
    }

    /// The file's name for a FOCUS column.
    pub fn shown<'n>(&'n self, column: &'n str) -> &'n str {
        let name = self.names.iter().find(|(known, name)| known.name() == column && !name.is_empty());
        name.map_or(column, |(_, name)| name.as_str())
    }

    /// The index of the cell that marks a row as included in other rows.
    pub fn excluded(&self) -> Option<usize> {
        self.excluded
    }

    /// The number of cells in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The column names as in the file.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    pub fn has(&self, column: Column) -> bool {
        self.places[column as usize].is_some()
    }

    /// The index of a column in a row.
    pub fn place(&self, column: Column) -> Option<usize> {
        self.places[column as usize]
    }
}

/// A note with the columns that are stored in the details.
fn kept_note(details: &[Detail]) -> Option<String> {
    let names: Vec<String> = details.iter().map(|detail| detail.name().to_owned()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "Columns without a place of their own, kept in the details of each charge: {}.",
            crate::outcome::list(&names)
        )
    })
}

fn refusal(header: &[String], doubles: &[&str], missing: &[&str]) -> Failure {
    let mut faults = Vec::new();
    if !doubles.is_empty() {
        faults.push(format!("has {} twice, so it is not certain which one counts", doubles.join(", ")));
    }
    if !missing.is_empty() {
        faults.push(format!("lacks {}", missing.join(", ")));
    }
    let faults = faults.join("; it ");
    Failure {
        message: format!("The file looks like FOCUS, but it {faults}. Nothing was imported."),
        looked_for: REQUIRED
            .iter()
            .map(|column| column.name().to_owned())
            .chain(["ProviderName or ServiceProviderName".to_owned()])
            .collect(),
        found: format!("a CSV with the columns {}; it {faults}", crate::outcome::list(header)),
    }
}

fn version(header: &[String]) -> Version {
    let has = |name: &str| header.iter().any(|own| own.eq_ignore_ascii_case(name));
    let has_any = |names: &[&str]| names.iter().any(|name| has(name));
    if has_any(SINCE_1_3) {
        return if has("ProviderName") || has("PublisherName") { Version::V1_3 } else { Version::V1_4 };
    }
    if has_any(SINCE_1_2) {
        return Version::V1_2;
    }
    if has_any(SINCE_1_1) {
        return Version::V1_1;
    }
    // 1.1 adds SkuMeter to SkuId and CommitmentDiscountQuantity to CommitmentDiscountId: a file with only one of a pair is older.
    if has("SkuId") || has("CommitmentDiscountId") { Version::V1_0 } else { Version::V1_0To1_2 }
}

fn notes(version: Version, places: &[Option<usize>]) -> Vec<String> {
    let mut notes = Vec::new();
    notes.push(match version {
        Version::V1_0To1_2 => {
            "The file does not name its version of FOCUS; its columns fit 1.0, 1.1 and 1.2 alike.".to_owned()
        }
        known => format!(
            "The file does not name its version of FOCUS; {} was worked out from its columns.",
            known.text()
        ),
    });
    for column in [Column::EffectiveCost, Column::ListCost, Column::ContractedCost] {
        if places[column as usize].is_none() {
            notes.push(format!("The file has no {}: that cost stays unknown.", column.name()));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORE: &str = "BilledCost,BillingCurrency,BillingAccountId,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,\
                        ChargeCategory,ServiceName";

    fn header(names: &str) -> Vec<String> {
        names.split(',').map(str::to_owned).collect()
    }

    fn check(more: &str, expected: &str) {
        assert_eq!(Layout::read(&header(&format!("{CORE},{more}"))).unwrap().title(), expected, "{more}");
    }

    #[test]
    fn the_version_follows_from_the_columns() {
        check("ProviderName", "FOCUS 1.0–1.2");
        check("ProviderName,SkuId", "FOCUS 1.0");
        check("ProviderName,SkuId,SkuMeter", "FOCUS 1.1");
        check("ProviderName,SkuMeter,InvoiceId", "FOCUS 1.2");
        check("ProviderName,InvoiceId,ServiceProviderName", "FOCUS 1.3");
        check("ServiceProviderName", "FOCUS 1.4");
    }

    #[test]
    fn names_in_lower_case_mean_the_same() {
        check("providername,effectivecost,skumeter", "FOCUS 1.1");
    }

    #[test]
    fn a_missing_column_is_named() {
        let failure =
            Layout::read(&header("BilledCost,MadeUpColumn,BillingCurrency,ServiceName")).unwrap_err();
        assert!(
            failure.message.contains("lacks BillingAccountId, BillingPeriodStart"),
            "{}",
            failure.message
        );
        assert!(failure.found.contains("MadeUpColumn"), "{}", failure.found);
    }

    #[test]
    fn a_column_that_is_there_twice_is_refused() {
        let failure = Layout::read(&header(&format!("{CORE},ProviderName,BilledCost"))).unwrap_err();
        assert!(failure.message.contains("has BilledCost twice"), "{}", failure.message);
    }
}
