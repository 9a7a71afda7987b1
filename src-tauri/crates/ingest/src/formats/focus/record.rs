//! Parsed charges: numbers and times by value, texts in one buffer per batch.

use catalogue::Decimal;

/// A text field of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    Currency,
    BillingAccountId,
    AccountNumber,
    AccountName,
    /// The company that issues the bill.
    Provider,
    Publisher,
    ServiceName,
    ServiceCategory,
    Region,
    AvailabilityZone,
    ChargeCategory,
    ChargeClass,
    ChargeFrequency,
    ChargeDescription,
    PricingCategory,
    PricingUnit,
    ConsumedUnit,
    SkuId,
    SkuPriceId,
    InvoiceId,
    CommitmentDiscountId,
    CommitmentDiscountName,
    CommitmentDiscountType,
    CommitmentDiscountCategory,
    CommitmentDiscountStatus,
    ResourceId,
    ResourceName,
    ResourceType,
    RegionName,
    InvoiceIssuerName,
    ServiceSubcategory,
    SkuMeter,
    /// A JSON object.
    Tags,
    /// A JSON object with the row's values from columns without a field of their own.
    Details,
}

const TEXTS: usize = Text::Details as usize + 1;

/// One charge. Times are µs since 1970 UTC.
#[derive(Debug, Clone, Copy)]
pub struct SpendRecord {
    /// The line of the file on which it begins.
    pub line: u64,
    pub charge_start: i64,
    pub charge_end: i64,
    pub billing_start: i64,
    pub billing_end: Option<i64>,
    pub billed_cost: Decimal,
    pub effective_cost: Option<Decimal>,
    pub list_cost: Option<Decimal>,
    pub contracted_cost: Option<Decimal>,
    pub pricing_quantity: Option<Decimal>,
    pub consumed_quantity: Option<Decimal>,
    /// Its amount is included in other rows: it is stored but excluded from sums.
    pub is_excluded: bool,
    texts: [Span; TEXTS],
}

/// A range of a batch's text buffer.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: u32,
    end: u32,
}

/// Charges that are passed to the writing thread together.
#[derive(Debug, Default)]
pub struct SpendBatch {
    text: String,
    pub records: Vec<SpendRecord>,
}

impl SpendBatch {
    /// A text field of one of the batch's records; `None` when the file has none.
    pub fn text(&self, record: &SpendRecord, text: Text) -> Option<&str> {
        let Span { start, end } = record.texts[text as usize];
        // A filled cell is never empty; an empty range therefore means that there is no value.
        if start == end { None } else { self.text.get(start as usize..end as usize) }
    }

    /// The length of the text buffer in bytes.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Truncates the text buffer to an earlier length, to discard the texts of a row that is left out.
    pub fn cut(&mut self, bytes: usize) {
        self.text.truncate(bytes);
    }

    fn push(&mut self, text: &str) -> Span {
        let start = u32::try_from(self.text.len()).expect("a batch is a few MiB");
        self.text.push_str(text);
        Span { start, end: u32::try_from(self.text.len()).expect("a batch is a few MiB") }
    }
}

/// The text fields of a record while it is read.
#[derive(Debug)]
pub struct Texts([Span; TEXTS]);

impl Default for Texts {
    fn default() -> Self {
        Self([Span::default(); TEXTS])
    }
}

impl Texts {
    pub fn set(&mut self, batch: &mut SpendBatch, text: Text, value: &str) {
        self.0[text as usize] = batch.push(value);
    }
}

impl SpendRecord {
    /// A charge with its required fields and texts; the other fields are unset.
    pub fn new(line: u64, billed_cost: Decimal, texts: &Texts) -> Self {
        Self {
            line,
            charge_start: 0,
            charge_end: 0,
            billing_start: 0,
            billing_end: None,
            billed_cost,
            effective_cost: None,
            list_cost: None,
            contracted_cost: None,
            pricing_quantity: None,
            consumed_quantity: None,
            is_excluded: false,
            texts: texts.0,
        }
    }
}
