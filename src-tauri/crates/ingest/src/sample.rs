//! A sample bill to look around with: five accounts of three providers, three whole months, in US dollars.
//!
//! The same month of `now` gives the same bytes. Nothing in it is anybody's: numbers, names and amounts are made up here.

use catalogue::{format_date, parse_date};
use std::fmt::Write as _;

/// The name its import goes by.
pub const FILE_NAME: &str = "sample.csv";

const DAY: i64 = 86_400_000_000;

const HEAD: &str = "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingAccountId,BillingAccountName,\
BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ChargeDescription,ChargeFrequency,\
InvoiceId,InvoiceIssuerName,PricingCategory,ProviderName,PublisherName,ServiceCategory,ServiceName,RegionId,RegionName,\
ResourceId,ResourceName,ResourceType,SubAccountId,SubAccountName,Tags\n";

/// Provider, account, its name, region with its name, team and environment.
type Account =
    (&'static str, &'static str, &'static str, (&'static str, &'static str), &'static str, &'static str);

const ACCOUNTS: [Account; 5] = [
    ("AWS", "100000000001", "Shop production", ("us-east-1", "US East (N. Virginia)"), "shop", "prod"),
    ("AWS", "100000000002", "Shop staging", ("eu-west-1", "EU (Ireland)"), "shop", "staging"),
    ("Microsoft", "sample-subscription-1", "Back office", ("westeurope", "West Europe"), "finance", "prod"),
    ("Google Cloud", "sample-analytics", "Analytics", ("us-central1", "Iowa"), "data", "prod"),
    ("Google Cloud", "sample-research", "Research", ("europe-west4", "Netherlands"), "data", "dev"),
];

/// Service, its category, what one of its resources is, and what a day of it costs in cents in the largest account.
type Service = (&'static str, &'static str, &'static str, i64);

const AWS: [Service; 7] = [
    ("Amazon Elastic Compute Cloud", "Compute", "Instance", 18_400),
    ("Amazon Relational Database Service", "Databases", "Database", 9_250),
    ("Amazon Simple Storage Service", "Storage", "Bucket", 4_120),
    ("Amazon CloudFront", "Networking", "Distribution", 2_310),
    ("AWS Lambda", "Compute", "Function", 870),
    ("Amazon CloudWatch", "Management and Governance", "Log group", 640),
    ("Amazon Elastic Kubernetes Service", "Compute", "Cluster", 5_480),
];
const MICROSOFT: [Service; 7] = [
    ("Virtual Machines", "Compute", "Virtual machine", 11_900),
    ("Azure SQL Database", "Databases", "Database", 7_340),
    ("Storage Accounts", "Storage", "Storage account", 2_260),
    ("Azure App Service", "Web", "Site", 3_180),
    ("Bandwidth", "Networking", "Network", 940),
    ("Azure Monitor", "Management and Governance", "Workspace", 710),
    ("Key Vault", "Security", "Vault", 90),
];
const GOOGLE: [Service; 7] = [
    ("Compute Engine", "Compute", "Instance", 9_700),
    ("BigQuery", "Analytics", "Dataset", 8_150),
    ("Cloud Storage", "Storage", "Bucket", 3_020),
    ("Cloud SQL", "Databases", "Database", 2_890),
    ("Kubernetes Engine", "Compute", "Cluster", 4_410),
    ("Cloud Logging", "Management and Governance", "Log bucket", 520),
    ("Vertex AI", "AI and Machine Learning", "Endpoint", 1_980),
];

/// What of the largest account each account costs, in percent.
const SHARES: [i64; 5] = [100, 28, 74, 61, 33];

/// The sample as FOCUS 1.2 in CSV: the three whole months before that of `now`, µs since 1970 UTC.
pub fn csv(now: i64) -> String {
    let mut text = String::from(HEAD);
    for back in (1..=3).rev() {
        write_month(&mut text, month(now, back), month(now, back - 1));
    }
    text
}

/// The first day of the month that lies so many months before that of `now`, in days since 1970.
fn month(now: i64, back: usize) -> i32 {
    let today = i32::try_from(now.div_euclid(DAY)).expect("a clock's days are fewer than 32 bits hold");
    (0..back).fold(first(today), |day, _| first(day - 1))
}

/// The first day of that day's month.
fn first(day: i32) -> i32 {
    let mut text = format_date(day);
    text.replace_range(text.len() - 2.., "01");
    parse_date(&text).expect("every month has a first day")
}

fn write_month(text: &mut String, begin: i32, end: i32) {
    for day in begin..end {
        for (place, account) in ACCOUNTS.iter().enumerate() {
            let services = match account.0 {
                "AWS" => &AWS,
                "Microsoft" => &MICROSOFT,
                _ => &GOOGLE,
            };
            for (kind, service) in services.iter().enumerate() {
                let cents = cents(service.3 * SHARES[place] / 100, day, place * services.len() + kind);
                write_charge(text, account, service, (begin, end), day, cents);
            }
        }
    }
}

/// What `base` comes to on that day: a little more every day, less at weekends, and never quite the same.
fn cents(base: i64, day: i32, place: usize) -> i64 {
    let growth = 1_000 + i64::from(day.rem_euclid(91));
    // 1970 began on a Thursday.
    let week = if matches!(day.rem_euclid(7), 2 | 3) { 72 } else { 100 };
    let seed = i64::from(day) * 7_919 + i64::try_from(place).expect("a place in a short list") * 104_729;
    let unrest = 94 + (seed ^ (seed >> 7)).rem_euclid(13);
    (base * growth * week * unrest / 10_000_000).max(1)
}

fn write_charge(
    text: &mut String,
    account: &Account,
    service: &Service,
    (begin, end): (i32, i32),
    day: i32,
    cents: i64,
) {
    let (provider, number, name, (region, region_name), team, environment) = *account;
    let (service, category, resource, _) = *service;
    let issuer = provider.to_lowercase().replace(' ', "-");
    let cost = format!("{}.{:02}", cents / 100, cents % 100);
    let slug = service.to_lowercase().replace(' ', "-");
    let [begin, end, from, to] =
        [begin, end, day, day + 1].map(|day| format!("{}T00:00:00Z", format_date(day)));
    let invoice = &begin[..7];
    writeln!(
        text,
        "{cost},{cost},{cost},{cost},USD,sample-{issuer},Sample {provider},{begin},{end},{from},{to},Usage,\
         {service} in {region_name},Usage-Based,sample-{issuer}-{invoice},{provider},Standard,{provider},{provider},\
         {category},{service},{region},{region_name},sample/{number}/{slug}-1,{slug}-1,{resource},{number},{name},\
         \"{{\"\"team\"\": \"\"{team}\"\", \"\"environment\"\": \"\"{environment}\"\"}}\""
    )
    .expect("a text takes every line");
}
