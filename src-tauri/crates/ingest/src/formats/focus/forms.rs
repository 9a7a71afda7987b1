//! Decides how the numbers and dates of a file are written: once for each column, from all of its cells.
//!
//! Nearly every file has plain decimals and ISO 8601 times. The first rows show this, and the file is read once. If a cell is written
//! otherwise, the file is first read to its end ([`examine`]) and then read again. Ambiguities that remain become a question.

use super::columns::{self, Column, DATES};
use super::dates::{DateForm, DateOrder};
use super::evidence::{DateEvidence, NumberEvidence, OrderEvidence};
use super::layout::Layout;
use super::question::{self, Sums};
use crate::cells::{self, filled};
use crate::formats::numbers::DecimalMark;
use crate::formats::{FormAnswers, FormsOutcome, ReadStop, Records, Scope};
use crate::outcome::ColumnFormat;
use csv::ByteRecord;

/// Rows examined before deciding whether the whole file has to be examined.
const FIRST_ROWS: u64 = 2_000;

/// How the numbers of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NumberForm {
    /// As programs write them: digits, a point, an exponent.
    #[default]
    Plain,
    /// Plain in the rows examined; a cell such as `1.234` requires examining the whole column.
    PlainSoFar,
    /// With thousands separators, currency symbols or a decimal comma.
    Written(DecimalMark),
    /// Some with a decimal point, some with a decimal comma: only cells with a single reading are read.
    Mixed,
}

/// How the dates of a column that are not ISO 8601 are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateColumn {
    Form(DateForm),
    Mixed,
}

/// How the numbers and dates of a file are written.
#[derive(Debug, Default)]
pub struct Forms {
    numbers: Vec<NumberForm>,
    dates: Vec<Option<DateColumn>>,
    order: Option<DateOrder>,
    /// Whether every row was examined, and no unknown form can occur.
    is_decided: bool,
    /// The column formats for the report.
    pub columns: Vec<ColumnFormat>,
}

impl Forms {
    /// The form of the numbers in the column at this index.
    pub fn number(&self, place: usize) -> NumberForm {
        self.numbers.get(place).copied().unwrap_or_default()
    }

    /// The decimal mark of a column whose numbers are not plain.
    pub fn mark(&self, place: usize) -> Option<DecimalMark> {
        match self.number(place) {
            NumberForm::Written(mark) => Some(mark),
            _ => None,
        }
    }

    /// The form of dates that are not ISO 8601 in the column at this index; `None` when it has none.
    pub fn date(&self, place: usize) -> Option<DateColumn> {
        self.dates.get(place).copied().flatten()
    }

    /// The order of month and day; `None` when it is uncertain.
    pub fn order(&self) -> Option<DateOrder> {
        self.order
    }

    /// Whether every row was examined.
    pub fn is_decided(&self) -> bool {
        self.is_decided
    }
}

/// The results of examining rows.
struct Examination {
    numbers: Vec<NumberEvidence>,
    dates: Vec<DateEvidence>,
    order: OrderEvidence,
    sums: Sums,
    is_whole: bool,
}

/// Decides the forms of the columns from the first rows or from all rows.
pub fn decide_forms(
    layout: &mut Layout,
    records: &mut Records<'_>,
    scope: Scope,
    answers: FormAnswers,
) -> Result<FormsOutcome, ReadStop> {
    let examination = examine(layout, records, scope)?;
    if scope == Scope::FirstRows && examination.is_doubtful(layout.delimiter) {
        return Ok(FormsOutcome::LookAtAll);
    }
    let mut forms = Forms {
        dates: examination.dates.iter().map(DateEvidence::column).collect(),
        order: examination.order.order().or(answers.date_order),
        is_decided: examination.is_whole || scope == Scope::WholeFile,
        ..Forms::default()
    };
    let is_open = !forms.is_decided && is_ambiguous_delimiter(layout.delimiter);
    let file_mark = examination.mark();
    for (place, evidence) in examination.numbers.iter().enumerate() {
        let name = &layout.header()[place];
        let is_asked = !columns::is_detail_number(name);
        let form = evidence.form(file_mark, layout.delimiter, answers.decimal_mark, is_open);
        if form.is_none() && is_asked && examination.has(layout, place) {
            return Ok(FormsOutcome::Ask(Box::new(question::numbers(
                layout,
                &examination.sums,
                layout.shown(name),
                evidence,
            ))));
        }
        forms.numbers.push(form.unwrap_or_default());
    }
    if forms.order.is_none()
        && examination.order.is_open()
        && let Some(example) = &examination.order.ambiguous
    {
        let question = question::dates(layout, &examination.sums, &forms, example);
        return Ok(FormsOutcome::Ask(Box::new(question)));
    }
    forms.columns = examination.report(layout, &forms);
    layout.forms = forms;
    Ok(FormsOutcome::Yes)
}

fn examine(layout: &Layout, records: &mut Records<'_>, scope: Scope) -> Result<Examination, ReadStop> {
    let header = layout.header();
    let is_number: Vec<bool> = header.iter().map(|name| columns::is_number(name)).collect();
    let is_date: Vec<bool> = header.iter().map(|name| is_date(name)).collect();
    let (billed, billing_start) =
        (layout.place(Column::BilledCost), layout.place(Column::BillingPeriodStart));
    let mut examination = Examination {
        numbers: vec![NumberEvidence::default(); header.len()],
        dates: vec![DateEvidence::default(); header.len()],
        order: OrderEvidence::default(),
        sums: Sums::default(),
        is_whole: false,
    };
    let mut record = ByteRecord::new();
    while scope == Scope::WholeFile || records.rows() < FIRST_ROWS {
        if records.next(&mut record)?.is_none() {
            examination.is_whole = true;
            break;
        }
        // In a row with too many or too few cells, cells may be in the wrong columns.
        if record.len() != layout.width() {
            continue;
        }
        for (place, cell) in
            record.iter().enumerate().filter_map(|(place, cell)| Some((place, filled(cell)?)))
        {
            if is_number[place] {
                let readings = examination.numbers[place].see(cell);
                if scope == Scope::WholeFile && Some(place) == billed {
                    examination.sums.add(layout, &record, readings);
                }
            } else if is_date[place]
                && cells::time(cell).is_none()
                && let Some(written) = examination.dates[place].see(cell)
            {
                let is_billing =
                    Some(place) == billing_start || layout.place(Column::BillingPeriodEnd) == Some(place);
                examination.order.see(written, cell, is_billing);
            }
        }
    }
    Ok(examination)
}

/// Whether a point between digits may be a thousands separator without other evidence in the file. Comma-separated files have decimal
/// points; files separated by `;` or tabs come from locales with decimal commas.
fn is_ambiguous_delimiter(delimiter: u8) -> bool {
    matches!(delimiter, b';' | b'\t')
}

fn is_date(name: &str) -> bool {
    columns::find(name).is_some_and(|column| DATES.contains(&column))
}

impl Examination {
    /// Whether the first rows contain cells that only the whole file can explain.
    fn is_doubtful(&self, delimiter: u8) -> bool {
        let is_open = is_ambiguous_delimiter(delimiter);
        self.dates.iter().any(|evidence| evidence.form.is_some())
            || self.numbers.iter().any(|evidence| {
                evidence.unplain.is_some()
                    || is_open && evidence.ambiguous.is_some() && evidence.point_only == 0
            })
    }

    /// The decimal mark of the unambiguous columns, if they agree.
    fn mark(&self) -> Option<DecimalMark> {
        let mut marks = self.numbers.iter().filter_map(NumberEvidence::mark);
        let first = marks.next()?;
        let is_mixed = self.numbers.iter().any(NumberEvidence::is_mixed);
        (!is_mixed && marks.all(|mark| mark == first)).then_some(first)
    }

    /// Whether a column contains any value.
    fn has(&self, layout: &Layout, place: usize) -> bool {
        layout.header().get(place).is_some() && self.numbers[place].example.is_some()
    }

    fn report(&self, layout: &Layout, forms: &Forms) -> Vec<ColumnFormat> {
        let mut reported: Vec<ColumnFormat> = Vec::new();
        for (place, name) in layout.header().iter().enumerate() {
            let name = layout.shown(name);
            let number = self.numbers[place].report(name, forms.number(place));
            // One column of a bill may fill several FOCUS columns.
            if let Some(format) = number.or_else(|| self.dates[place].report(name, forms))
                && !reported.contains(&format)
            {
                reported.push(format);
            }
        }
        reported
    }
}

impl NumberEvidence {
    /// How the column is written; `None` when the user has to decide.
    fn form(
        &self,
        file_mark: Option<DecimalMark>,
        delimiter: u8,
        answer: Option<DecimalMark>,
        is_open: bool,
    ) -> Option<NumberForm> {
        let plain_or = |form| if self.unplain.is_none() { NumberForm::Plain } else { form };
        if self.is_mixed() {
            return Some(NumberForm::Mixed);
        }
        if let Some(mark) = self.mark() {
            return Some(match mark {
                DecimalMark::Point => plain_or(NumberForm::Written(mark)),
                DecimalMark::Comma => NumberForm::Written(mark),
            });
        }
        if self.ambiguous.is_none() {
            let plain = if is_open { NumberForm::PlainSoFar } else { NumberForm::Plain };
            return Some(if self.unplain.is_none() {
                plain
            } else {
                NumberForm::Written(DecimalMark::Point)
            });
        }
        match file_mark.or(answer) {
            Some(DecimalMark::Point) => Some(plain_or(NumberForm::Written(DecimalMark::Point))),
            Some(DecimalMark::Comma) => Some(NumberForm::Written(DecimalMark::Comma)),
            None if self.unplain.is_none() && !is_ambiguous_delimiter(delimiter) => Some(NumberForm::Plain),
            None => None,
        }
    }

    fn report(&self, name: &str, form: NumberForm) -> Option<ColumnFormat> {
        let (format, mark) = match form {
            NumberForm::Plain if self.ambiguous.is_some() && self.point_only == 0 => {
                ("decimal point", DecimalMark::Point)
            }
            NumberForm::Plain | NumberForm::PlainSoFar => return None,
            NumberForm::Written(DecimalMark::Comma) => ("decimal comma", DecimalMark::Comma),
            NumberForm::Written(mark @ DecimalMark::Point) => {
                ("decimal point, with thousands or signs", mark)
            }
            NumberForm::Mixed => (
                "some with a decimal point, some with a decimal comma: plain ones are read",
                DecimalMark::Point,
            ),
        };
        let example = self.ambiguous.as_ref().or(self.unplain.as_ref()).or(self.example.as_ref())?;
        let amount = crate::formats::numbers::Amount::new(example);
        let reads_as = match form {
            NumberForm::Mixed => None,
            _ => amount.and_then(|amount| amount.read(mark)),
        };
        Some(ColumnFormat {
            column: name.to_owned(),
            format: format.to_owned(),
            example: example.clone(),
            reads_as: reads_as.map(|number| number.to_string()).unwrap_or_default(),
        })
    }
}

impl DateEvidence {
    fn column(&self) -> Option<DateColumn> {
        if self.is_mixed { Some(DateColumn::Mixed) } else { self.form.map(DateColumn::Form) }
    }

    fn report(&self, name: &str, forms: &Forms) -> Option<ColumnFormat> {
        let example = self.example.clone()?;
        let (format, time) = match self.column()? {
            DateColumn::Mixed => ("several forms of dates: only ISO 8601 is read", None),
            DateColumn::Form(form) => {
                let written = super::dates::WrittenDate::new(example.as_bytes());
                let order = forms.order.or((form != DateForm::Ordered).then_some(DateOrder::DayFirst));
                (form.name(forms.order), order.and_then(|order| written?.time(order)))
            }
        };
        Some(ColumnFormat {
            column: name.to_owned(),
            format: format.to_owned(),
            example,
            reads_as: time.map(|time| format!("{}Z", catalogue::format_timestamp(time))).unwrap_or_default(),
        })
    }
}
