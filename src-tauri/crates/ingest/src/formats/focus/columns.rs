//! The columns of FOCUS: the ones that are read, and the versions that introduced them.

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

/// Required columns: they state the currency, amount, account and time of a charge.
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

/// One of these columns must name the company that issues the bill.
pub const PROVIDERS: &[Column] = &[Column::ProviderName, Column::ServiceProviderName];

/// Columns introduced in FOCUS 1.1.
pub const SINCE_1_1: &[&str] = &[
    "CapacityReservationId",
    "CapacityReservationStatus",
    "CommitmentDiscountQuantity",
    "CommitmentDiscountUnit",
    "ServiceSubcategory",
    "SkuMeter",
    "SkuPriceDetails",
];

/// Columns introduced in FOCUS 1.2.
pub const SINCE_1_2: &[&str] = &[
    "BillingAccountType",
    "InvoiceId",
    "PricingCurrency",
    "PricingCurrencyContractedUnitPrice",
    "PricingCurrencyEffectiveCost",
    "PricingCurrencyListUnitPrice",
    "SubAccountType",
];

/// Columns introduced in FOCUS 1.3.
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

/// Columns of every version that are only stored in the details of a charge.
const UNREAD: &[&str] = &["ContractedUnitPrice", "ListUnitPrice"];

/// Columns about the billing parties. They are also stored in the details, besides the values derived from them.
const PARTIES: &[Column] =
    &[Column::BillingAccountName, Column::HostProviderName, Column::ServiceProviderName];

/// Numeric columns with a field of their own in a charge.
const NUMBERS: &[Column] = &[
    Column::BilledCost,
    Column::EffectiveCost,
    Column::ListCost,
    Column::ContractedCost,
    Column::PricingQuantity,
    Column::ConsumedQuantity,
];

/// Numeric columns that are stored in the details of a charge.
const DETAIL_NUMBERS: &[&str] = &[
    "CommitmentDiscountQuantity",
    "ContractedUnitPrice",
    "ListUnitPrice",
    "PricingCurrencyContractedUnitPrice",
    "PricingCurrencyEffectiveCost",
    "PricingCurrencyListUnitPrice",
];

/// Columns with times.
pub const DATES: &[Column] = &[
    Column::ChargePeriodStart,
    Column::ChargePeriodEnd,
    Column::BillingPeriodStart,
    Column::BillingPeriodEnd,
];

/// Whether a column has a field of its own in a charge, its account or its resource; any other is stored in the details.
pub fn has_own_field(name: &str) -> bool {
    find(name).is_some_and(|column| !PARTIES.contains(&column))
}

/// Whether a column is numeric.
pub fn is_number(name: &str) -> bool {
    find(name).is_some_and(|column| NUMBERS.contains(&column)) || is_detail_number(name)
}

/// Whether a column is numeric and stored in the details.
pub fn is_detail_number(name: &str) -> bool {
    DETAIL_NUMBERS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether a column contains costs in the billing currency.
pub fn is_cost(column: Column) -> bool {
    NUMBERS[..4].contains(&column)
}

/// Whether a name is in the standard, read or not.
pub fn is_standard(name: &str) -> bool {
    find(name).is_some()
        || [SINCE_1_1, SINCE_1_2, SINCE_1_3, UNREAD]
            .iter()
            .any(|names| names.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// The column with this name, ignoring case: some databases convert names to lower case.
pub fn find(name: &str) -> Option<Column> {
    Column::ALL.iter().copied().find(|column| column.name().eq_ignore_ascii_case(name))
}
