//! Writes charges as rows of `spends`.

use super::Job;
use super::accounts::Accounts;
use super::resources::{Resource, Resources};
use super::sources::{Conflict, Sources};
use crate::formats::focus::{SpendBatch, SpendRecord, Text};
use crate::ids::RowIds;
use crate::providers;
use catalogue::ValueRef;
use store::{Inserter, StoreError, Transaction};

/// Texts that are copied unchanged to their columns.
const TEXTS: [(&str, Text); 27] = [
    ("unit", Text::Currency),
    ("billing_account_id", Text::BillingAccountId),
    ("provider_name", Text::Provider),
    ("publisher_name", Text::Publisher),
    ("service_name", Text::ServiceName),
    ("service_category", Text::ServiceCategory),
    ("region", Text::Region),
    ("availability_zone", Text::AvailabilityZone),
    ("charge_category", Text::ChargeCategory),
    ("charge_class", Text::ChargeClass),
    ("charge_frequency", Text::ChargeFrequency),
    ("charge_description", Text::ChargeDescription),
    ("pricing_category", Text::PricingCategory),
    ("pricing_unit", Text::PricingUnit),
    ("consumed_unit", Text::ConsumedUnit),
    ("sku_id", Text::SkuId),
    ("sku_price_id", Text::SkuPriceId),
    ("invoice_id", Text::InvoiceId),
    ("commitment_discount_id", Text::CommitmentDiscountId),
    ("commitment_discount_name", Text::CommitmentDiscountName),
    ("commitment_discount_type", Text::CommitmentDiscountType),
    ("commitment_discount_category", Text::CommitmentDiscountCategory),
    ("commitment_discount_status", Text::CommitmentDiscountStatus),
    ("region_name", Text::RegionName),
    ("invoice_issuer_name", Text::InvoiceIssuerName),
    ("service_subcategory", Text::ServiceSubcategory),
    ("sku_meter", Text::SkuMeter),
];
/// The other columns, in the order in which [`Spends::write`] fills them.
const OTHERS: [&str; 18] = [
    "id",
    "import_id",
    "source_line",
    "cloud_account",
    "cloud_resource_id",
    "date",
    "period_end",
    "billing_period_start",
    "billing_period_end",
    "amount",
    "effective_cost",
    "list_cost",
    "contracted_cost",
    "pricing_quantity",
    "consumed_quantity",
    "tags",
    "details",
    "exclude_aggregate",
];

/// Inserts charges.
pub struct Spends<'a> {
    inserter: Inserter<'a>,
    job: Job,
    ids: RowIds,
    written: u32,
}

impl<'a> Spends<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job) -> Result<Self, StoreError> {
        let columns: Vec<&str> =
            OTHERS.into_iter().chain(TEXTS.into_iter().map(|(column, _)| column)).collect();
        Ok(Self {
            inserter: transaction.inserter("spends", &columns)?,
            job,
            ids: RowIds::new(job.import),
            written: 0,
        })
    }

    pub fn write(
        &mut self,
        batch: &SpendBatch,
        record: &SpendRecord,
        accounts: &mut Accounts<'_>,
        resources: &mut Resources<'_>,
        sources: &mut Sources,
    ) -> Result<(), Conflict> {
        let text = |text| batch.text(record, text);
        let provider = text(Text::Provider).unwrap_or_default();
        let number = text(Text::AccountNumber).unwrap_or_default();
        let account = accounts.find_or_add(provider, number, text(Text::AccountName))?;
        let resource = text(Text::ResourceId)
            .map(|external_id| {
                resources.find_or_add(Resource {
                    account,
                    provider: providers::lookup_value(provider),
                    external_id,
                    name: text(Text::ResourceName),
                    kind: text(Text::ResourceType),
                    region: text(Text::Region),
                    service_name: text(Text::ServiceName),
                    tags: text(Text::Tags),
                    meta: None,
                    seen: Some(record.charge_start),
                })
            })
            .transpose()?;
        sources.add(batch, record, account, resource)?;
        let line = i64::try_from(record.line).unwrap_or(i64::MAX);
        let others: [ValueRef<'_>; OTHERS.len()] = [
            self.ids.of(self.written).into(),
            self.job.import.into(),
            line.into(),
            account.into(),
            resource.into(),
            ValueRef::Timestamp(record.charge_start),
            ValueRef::Timestamp(record.charge_end),
            ValueRef::Timestamp(record.billing_start),
            record.billing_end.map_or(ValueRef::Null, ValueRef::Timestamp),
            record.billed_cost.into(),
            record.effective_cost.into(),
            record.list_cost.into(),
            record.contracted_cost.into(),
            record.pricing_quantity.into(),
            record.consumed_quantity.into(),
            text(Text::Tags).map_or(ValueRef::Null, ValueRef::Json),
            text(Text::Details).map_or(ValueRef::Null, ValueRef::Json),
            record.is_excluded.into(),
        ];
        let mut row = [ValueRef::Null; OTHERS.len() + TEXTS.len()];
        row[..OTHERS.len()].copy_from_slice(&others);
        for (cell, (_, name)) in row[OTHERS.len()..].iter_mut().zip(&TEXTS) {
            *cell = text(*name).into();
        }
        self.inserter.insert(&row)?;
        self.written = self.written.wrapping_add(1);
        Ok(())
    }
}
