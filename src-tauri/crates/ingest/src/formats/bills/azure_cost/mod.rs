//! Azure cost exports: Enterprise Agreement, Microsoft Customer Agreement and pay-as-you-go. Column names may have any case, or be translated with
//! the English name in brackets.

mod columns;
mod row;
mod view;

use super::charge::{Evidence, EvidenceCounts};
use super::header::Header;
use super::{InterpretedHeader, Source};
use crate::formats::focus::Column;
use crate::outcome::{Choice, Decision, Failure};
use columns::{Places, plain};

pub use view::CostView;

/// The FOCUS columns that a row of an export fills.
const FILLED: &[Column] = &[
    Column::BilledCost,
    Column::EffectiveCost,
    Column::ListCost,
    Column::BillingCurrency,
    Column::BillingAccountId,
    Column::BillingAccountName,
    Column::SubAccountId,
    Column::SubAccountName,
    Column::BillingPeriodStart,
    Column::BillingPeriodEnd,
    Column::ChargePeriodStart,
    Column::ChargePeriodEnd,
    Column::ChargeCategory,
    Column::ChargeFrequency,
    Column::ChargeDescription,
    Column::ProviderName,
    Column::PublisherName,
    Column::InvoiceIssuerName,
    Column::InvoiceId,
    Column::ServiceName,
    Column::ServiceSubcategory,
    Column::RegionId,
    Column::ResourceId,
    Column::ResourceName,
    Column::ResourceType,
    Column::SkuId,
    Column::SkuMeter,
    Column::PricingCategory,
    Column::ConsumedQuantity,
    Column::ConsumedUnit,
    Column::CommitmentDiscountId,
    Column::CommitmentDiscountName,
    Column::CommitmentDiscountCategory,
    Column::CommitmentDiscountType,
    Column::CommitmentDiscountStatus,
    Column::Tags,
];

/// Minimum number of known column names for a file to be treated as an export, possibly with columns missing.
const MIN_KNOWN_COLUMNS: usize = 3;

/// Reads the rows of an export.
#[derive(Debug)]
pub struct Reader {
    places: Places,
    /// The cost view, if charges for commitments depend on it.
    pub view: Option<CostView>,
}

impl Reader {
    /// The reader for a header, if it belongs to an export.
    pub fn find(header: &Header) -> Option<Result<InterpretedHeader, Failure>> {
        let keys = header.keys(plain);
        let known_columns = keys.iter().filter(|(_, key)| columns::is_of_export(key)).count();
        if known_columns < MIN_KNOWN_COLUMNS || keys.has("billedcost") {
            return None;
        }
        let (places, missing) = Places::find(&keys);
        if !missing.is_empty() {
            return Some(Err(header.missing_columns_error(
                "an Azure cost export",
                &missing,
                columns::NEEDED,
            )));
        }
        let name =
            |place: Option<usize>| place.map(|place| header.name(place).to_owned()).unwrap_or_default();
        let names = vec![
            (Column::BilledCost, name(places.cost)),
            (Column::BillingCurrency, name(places.currency)),
            (Column::BillingAccountId, name(places.billing_account.or(places.subscription))),
            (Column::BillingPeriodStart, name(places.billing_start)),
            (Column::ChargePeriodStart, name(places.date)),
        ];
        let title = if keys.has("pretaxcost") {
            "Azure cost export (pay-as-you-go)"
        } else if keys.has("costinusd") || keys.has("serviceperiodstartdate") || keys.has("billingprofileid")
        {
            "Azure cost export (Microsoft Customer Agreement)"
        } else {
            "Azure cost export (Enterprise Agreement)"
        };
        Some(Ok(InterpretedHeader {
            title: title.to_owned(),
            filled: FILLED,
            names,
            used: places.used(),
            needed: places.needed(),
            names_currency: places.currency.is_some(),
            notes: Vec::new(),
            source: Source::AzureCost(Box::new(Self { places, view: None })),
        }))
    }
}

/// The question whether costs are actual or amortised, with the evidence from the rows.
pub fn question(met: &EvidenceCounts) -> Decision {
    let count = |evidence: Evidence| met.count(evidence);
    let choice = |view: CostView, label: String| Choice {
        choice: view.choice().to_owned(),
        label,
        totals: Vec::new(),
    };
    Decision {
        reason: "cost_view".to_owned(),
        question: format!(
            "The file has charges of reservations or savings plans ({}). Exports of actual and of amortised cost have the \
             same columns, and only one of the two may be imported for a period. Which costs does this file state?",
            met.accounts_and_periods()
        ),
        choices: vec![
            choice(
                CostView::Actual,
                format!(
                    "Actual cost: purchases cost, and what they cover costs nothing (the file has {} purchases with a cost \
                     and {} covered charges without)",
                    count(Evidence::PricedPurchase),
                    count(Evidence::FreeUsage)
                ),
            ),
            choice(
                CostView::Amortized,
                format!(
                    "Amortised cost: purchases are dealt over what they cover (the file has {} covered charges with a cost \
                     and {} charges of unused commitments)",
                    count(Evidence::PricedUsage),
                    count(Evidence::Unused)
                ),
            ),
        ],
        decided: None,
    }
}
