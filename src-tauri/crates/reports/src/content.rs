//! The content of a report. Amounts are decimal texts with all digits.

use serde::{Deserialize, Serialize};

const MOST_SECTIONS: usize = 50;
const MOST_COLUMNS: usize = 40;
const MOST_CELLS: usize = 200_000;
const MOST_BARS: usize = 400;
const LONGEST: usize = 2_000;

/// The reason why a report cannot be rendered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReportError(pub String);

/// A report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    pub title: String,
    /// Topic and period, in one line.
    #[serde(default)]
    pub subtitle: String,
    /// What was left out, and why.
    #[serde(default)]
    pub notes: Vec<String>,
    pub sections: Vec<Section>,
}

/// A table with an optional chart above it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub chart: Option<Chart>,
    pub table: Table,
}

/// A stacked bar chart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chart {
    /// The unit of the bars, such as a currency.
    #[serde(default)]
    pub unit: String,
    /// One label per bar.
    pub labels: Vec<String>,
    pub series: Vec<Series>,
}

/// One series of a stacked bar chart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    pub name: String,
    /// One value per bar; empty if unknown.
    pub values: Vec<String>,
}

/// Rows of cells.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<String>>,
    /// An optional last row with totals.
    #[serde(default)]
    pub total: Option<Vec<String>>,
}

/// A column of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    pub name: String,
    #[serde(default)]
    pub kind: Kind,
}

/// The kind of a column's cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    #[default]
    Text,
    /// Money: documents show two decimal places, the CSV all.
    Amount,
    /// A fraction of 1; documents show it as a percentage.
    Share,
}

impl Report {
    /// Checks that it can be rendered: within the size limits, and each row as long as its columns.
    pub fn check(&self) -> Result<(), ReportError> {
        let wrong = |why: String| Err(ReportError(why));
        if self.sections.len() > MOST_SECTIONS {
            return wrong(format!(
                "the report has {} sections: expected {MOST_SECTIONS} at most",
                self.sections.len()
            ));
        }
        let mut cells = 0;
        for section in &self.sections {
            let (table, width) = (&section.table, section.table.columns.len());
            if width == 0 || width > MOST_COLUMNS {
                return wrong(format!("a table has {width} columns: expected 1 to {MOST_COLUMNS}"));
            }
            for row in table.rows.iter().chain(&table.total) {
                if row.len() != width {
                    return wrong(format!("a row has {} cells: expected {width}, one a column", row.len()));
                }
                cells += width;
            }
            if let Some(chart) = &section.chart {
                let bars = chart.labels.len();
                if bars > MOST_BARS || chart.series.iter().any(|series| series.values.len() != bars) {
                    return wrong(format!(
                        "a chart has {bars} labels: expected {MOST_BARS} at most, and a value of each series for each"
                    ));
                }
            }
        }
        if cells > MOST_CELLS {
            return wrong(format!(
                "the report has {cells} cells: expected {MOST_CELLS} at most; narrow what it covers"
            ));
        }
        if self.texts().any(|text| text.len() > LONGEST) {
            return wrong(format!("a text is longer than {LONGEST} bytes: shorten it"));
        }
        Ok(())
    }

    fn texts(&self) -> impl Iterator<Item = &String> {
        fn of_section(section: &Section) -> Vec<&String> {
            let mut found = vec![&section.title];
            found.extend(section.table.columns.iter().map(|column| &column.name));
            found.extend(section.table.rows.iter().chain(&section.table.total).flatten());
            if let Some(chart) = &section.chart {
                found.extend(&chart.labels);
                found.extend(chart.series.iter().map(|series| &series.name));
            }
            found
        }
        [&self.title, &self.subtitle]
            .into_iter()
            .chain(&self.notes)
            .chain(self.sections.iter().flat_map(of_section))
    }
}
