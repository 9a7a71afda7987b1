//! The identity of a charge: a hash of all fields that distinguish it from other charges. Amounts, quantities, tags and the invoice are
//! excluded, because they change when a bill is restated.

use crate::decide::RowKey;
use crate::formats::focus::{SpendBatch, SpendRecord, Text};
use catalogue::{Decimal, Value};

const SEED: u64 = 0x51_7c_c1_b7_27_22_0a_95;

/// Texts that identify a charge, with their columns in `spends`. Account and resource are separate rows.
const TEXTS: [(&str, Text); 17] = [
    ("service_name", Text::ServiceName),
    ("service_category", Text::ServiceCategory),
    ("publisher_name", Text::Publisher),
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
    ("commitment_discount_id", Text::CommitmentDiscountId),
    ("commitment_discount_type", Text::CommitmentDiscountType),
    ("commitment_discount_status", Text::CommitmentDiscountStatus),
];

/// Columns of `spends` that [`of_row`] reads, in this order.
pub const COLUMNS: [&str; 6 + TEXTS.len()] = {
    let mut columns =
        ["date", "period_end", "cloud_resource_id", "billed_cost", "effective_cost", "consumed_quantity"]
            .as_slice();
    let mut all = [""; 6 + TEXTS.len()];
    let mut place = 0;
    while let [column, rest @ ..] = columns {
        all[place] = column;
        columns = rest;
        place += 1;
    }
    while place < all.len() {
        all[place] = TEXTS[place - 6].0;
        place += 1;
    }
    all
};

/// The index of the billed cost in [`COLUMNS`].
pub const BILLED: usize = 3;

/// The identity of a charge being imported. `resource` is the id of its row.
pub fn of_record(batch: &SpendBatch, record: &SpendRecord, resource: Option<uuid::Uuid>) -> RowKey {
    let mut identity = start(record.charge_start, record.charge_end, resource);
    for (_, text) in TEXTS {
        identity.text(batch.text(record, text));
    }
    let amounts = amounts(Some(record.billed_cost), record.effective_cost, record.consumed_quantity);
    RowKey { identity: mix(identity.0), amounts }
}

/// The identity of a stored charge, read with [`COLUMNS`]. Equal to its identity at import.
pub fn of_row(row: &[Value]) -> RowKey {
    let number = |place: usize| match row.get(place) {
        Some(Value::Decimal(number)) => Some(*number),
        _ => None,
    };
    let time = |place: usize| row.get(place).and_then(Value::as_int).unwrap_or_default();
    let mut identity = start(time(0), time(1), row.get(2).and_then(Value::as_uuid));
    for place in 6..COLUMNS.len() {
        identity.text(row.get(place).and_then(Value::as_text));
    }
    RowKey { identity: mix(identity.0), amounts: amounts(number(BILLED), number(4), number(5)) }
}

/// Whether a charge is certainly not a credit, correction or adjustment.
pub fn is_charge(category: Option<&str>, class: Option<&str>, billed: Decimal) -> bool {
    let is_correction = class.is_some_and(|class| class.eq_ignore_ascii_case("Correction"));
    let is_credit = category
        .is_some_and(|name| ["Credit", "Adjustment"].iter().any(|other| name.eq_ignore_ascii_case(other)));
    !(is_correction || is_credit || billed.is_negative())
}

fn start(charge_start: i64, charge_end: i64, resource: Option<uuid::Uuid>) -> Hash {
    let mut hash = Hash(SEED);
    hash.number(charge_start.cast_unsigned());
    hash.number(charge_end.cast_unsigned());
    let (high, low) = resource.unwrap_or_default().as_u64_pair();
    hash.number(high);
    hash.number(low);
    hash
}

fn amounts(billed: Option<Decimal>, effective: Option<Decimal>, quantity: Option<Decimal>) -> u32 {
    let mut hash = Hash(SEED);
    for number in [billed, effective, quantity] {
        hash.text(number.map(Decimal::to_text).as_ref().map(AsRef::as_ref));
    }
    u32::try_from(mix(hash.0) >> 32).unwrap_or_default()
}

/// Processes eight bytes at a time. The algorithm must not change between versions, because hashes are stored in the database.
struct Hash(u64);

impl Hash {
    fn number(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    /// Hashes a text, or its absence.
    fn text(&mut self, text: Option<&str>) {
        let Some(text) = text else { return self.number(u64::MAX) };
        let (chunks, rest) = text.as_bytes().as_chunks::<8>();
        for chunk in chunks {
            self.number(u64::from_le_bytes(*chunk));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.number(u64::from_le_bytes(last));
        self.number(text.len() as u64);
    }
}

/// Distributes the bits of a hash evenly.
pub fn mix(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}
