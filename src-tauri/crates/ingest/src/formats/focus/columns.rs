//! The columns of FOCUS: which of them are read, and in which version each came.

macro_rules! columns {
    ($($name:ident)*) => {
        /// A column of FOCUS that an import reads.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Column { $($name),* }

        impl Column {
            /// Every column read.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The name in the standard.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name)),* }
            }
        }
    };
}

columns! {
    BilledCost EffectiveCost ListCost ContractedCost PricingQuantity ConsumedQuantity
    ChargePeriodStart ChargePeriodEnd BillingPeriodStart BillingPeriodEnd
    BillingAccountId BillingAccountName BillingCurrency SubAccountId SubAccountName
    ProviderName PublisherName ServiceProviderName HostProviderName InvoiceIssuerName
    ServiceName ServiceCategory RegionId RegionName AvailabilityZone
    ChargeCategory ChargeClass ChargeFrequency ChargeDescription
    PricingCategory PricingUnit ConsumedUnit SkuId SkuPriceId InvoiceId
    CommitmentDiscountId CommitmentDiscountName CommitmentDiscountType CommitmentDiscountCategory
    CommitmentDiscountStatus ResourceId ResourceName ResourceType Tags ServiceSubcategory SkuMeter
}

/// Without these a row has no certain meaning: whose money, how much of what, when.
pub const REQUIRED: &[Column] = &[
    Column::BilledCost,
    Column::BillingCurrency,
    Column::BillingAccountId,
    Column::BillingPeriodStart,
    Column::ChargePeriodStart,
    Column::ChargePeriodEnd,
    Column::ChargeCategory,
    Column::ServiceName,
];

/// One of these must say whose bill it is.
pub const PROVIDERS: &[Column] = &[Column::ProviderName, Column::ServiceProviderName];

/// Columns FOCUS 1.1 brought.
pub const SINCE_1_1: &[&str] = &[
    "CapacityReservationId",
    "CapacityReservationStatus",
    "CommitmentDiscountQuantity",
    "CommitmentDiscountUnit",
    "ServiceSubcategory",
    "SkuMeter",
    "SkuPriceDetails",
];

/// Columns FOCUS 1.2 brought.
pub const SINCE_1_2: &[&str] = &[
    "BillingAccountType",
    "InvoiceId",
    "PricingCurrency",
    "PricingCurrencyContractedUnitPrice",
    "PricingCurrencyEffectiveCost",
    "PricingCurrencyListUnitPrice",
    "SubAccountType",
];

/// Columns FOCUS 1.3 brought.
pub const SINCE_1_3: &[&str] = &[
    "AllocatedMethodDetails",
    "AllocatedMethodId",
    "AllocatedResourceId",
    "AllocatedResourceName",
    "AllocatedTags",
    "ContractApplied",
    "HostProviderName",
    "ServiceProviderName",
];

/// Columns of every version that only go into the details of a charge.
const UNREAD: &[&str] = &["ContractedUnitPrice", "ListUnitPrice"];

/// Columns that say whose bill it is, and are kept in the details beside what follows from them.
const PARTIES: &[Column] =
    &[Column::BillingAccountName, Column::HostProviderName, Column::ServiceProviderName];

/// Columns of numbers that have a place of their own in a charge.
const NUMBERS: &[Column] = &[
    Column::BilledCost,
    Column::EffectiveCost,
    Column::ListCost,
    Column::ContractedCost,
    Column::PricingQuantity,
    Column::ConsumedQuantity,
];

/// Columns of numbers that go into the details of a charge.
const DETAIL_NUMBERS: &[&str] = &[
    "CommitmentDiscountQuantity",
    "ContractedUnitPrice",
    "ListUnitPrice",
    "PricingCurrencyContractedUnitPrice",
    "PricingCurrencyEffectiveCost",
    "PricingCurrencyListUnitPrice",
];

/// Columns of times.
pub const DATES: &[Column] = &[
    Column::ChargePeriodStart,
    Column::ChargePeriodEnd,
    Column::BillingPeriodStart,
    Column::BillingPeriodEnd,
];

/// Whether a column has a place of its own in a charge, its account or its resource; any other goes into the details.
pub fn has_own_place(name: &str) -> bool {
    find(name).is_some_and(|column| !PARTIES.contains(&column))
}

/// Whether a column holds numbers.
pub fn is_number(name: &str) -> bool {
    find(name).is_some_and(|column| NUMBERS.contains(&column)) || is_detail_number(name)
}

/// Whether a column holds numbers that go into the details.
pub fn is_detail_number(name: &str) -> bool {
    DETAIL_NUMBERS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether a column holds costs in the currency of the bill.
pub fn is_cost(column: Column) -> bool {
    NUMBERS[..4].contains(&column)
}

/// Whether a name is one of the standard's, read or not.
pub fn is_standard(name: &str) -> bool {
    find(name).is_some()
        || [SINCE_1_1, SINCE_1_2, SINCE_1_3, UNREAD]
            .iter()
            .any(|names| names.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// The column of that name. Case does not matter: databases that lower-case names leave the meaning certain.
pub fn find(name: &str) -> Option<Column> {
    Column::ALL.iter().copied().find(|column| column.name().eq_ignore_ascii_case(name))
}
