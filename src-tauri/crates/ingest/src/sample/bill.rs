//! The bill of the sample: five accounts of three providers in US dollars, for six whole months and the current month up to yesterday.
//!
//! It contains a spike, a steadily growing cost, a new service, a commitment that is almost half unused, and waste that rules find.

use super::cluster::{ANALYTICS, SHOP};
use super::day_of;
use catalogue::{format_date, parse_date};
use std::fmt::Write as _;

/// Whole months.
const MONTHS: usize = 6;

const HEAD: &str = "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingAccountId,BillingAccountName,\
BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ChargeDescription,ChargeFrequency,\
InvoiceId,InvoiceIssuerName,PricingCategory,ProviderName,PublisherName,ServiceCategory,ServiceName,RegionId,RegionName,\
ResourceId,ResourceName,ResourceType,SubAccountId,SubAccountName,Tags,x_UsageType,ConsumedQuantity,ConsumedUnit,\
CommitmentDiscountCategory,CommitmentDiscountId,CommitmentDiscountName,CommitmentDiscountStatus,CommitmentDiscountType\n";

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

/// Service, its category, the type of one of its resources, and its daily cost in cents in the largest account.
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

/// The index of machines among the services of each provider.
const MACHINES: usize = 0;

/// The cost of each account in percent of the largest one.
const SHARES: [i64; 5] = [100, 28, 74, 61, 33];

/// An idle or old resource: index of its account, usage type, service, type and name, cents per day, quantity per day and its unit.
type Waste = (usize, &'static str, &'static str, &'static str, &'static str, i64, &'static str, &'static str);

const COMPUTE: &str = "Amazon Elastic Compute Cloud";
const WASTE: [Waste; 5] = [
    (1, "EUW1-ElasticIP:IdleAddress", COMPUTE, "Address", "old-gateway-address", 12, "24", "Hrs"),
    (1, "EUW1-EBS:VolumeUsage.gp2", COMPUTE, "Volume", "staging-data", 176, "17.6", "GB-Mo"),
    (1, "EUW1-NatGateway-Hours", COMPUTE, "NAT gateway", "staging-nat-b", 115, "24", "Hrs"),
    (1, "EUW1-BoxUsage:m4.xlarge", COMPUTE, "Instance", "build-runner", 533, "24", "Hrs"),
    (0, "EBS:VolumeUsage.gp2", COMPUTE, "Volume", "shop-archive", 533, "53.3", "GB-Mo"),
];

/// Waste that was removed two whole months ago: as [`WASTE`], and its replacement, if any: usage type and cents per day.
const DONE: [(Waste, Option<(&str, i64)>); 2] = [
    ((1, "EUW1-NatGateway-Hours", COMPUTE, "NAT gateway", "staging-nat-a", 220, "24", "Hrs"), None),
    (
        (1, "EUW1-EBS:VolumeUsage.gp2", COMPUTE, "Volume", "staging-archive", 900, "90", "GB-Mo"),
        // It was replaced with a volume of higher throughput.
        Some(("EUW1-EBS:VolumeUsage.gp3", 800)),
    ),
];

/// The account and service of the spike: three days of the last whole month cost four times as much.
const SPIKE: (usize, usize) = (0, 0);
/// The account and service of the steadily growing cost, and its number of days up to the newest one.
const LEAK: (usize, usize, i32) = (3, 5, 45);
/// A new service, and its number of days: account, name, category, cents per day.
const NEW: (usize, &str, &str, i64, i32) = (0, "Amazon Bedrock", "AI and Machine Learning", 6_400, 20);

/// The commitment per day in cents: its cost, the used part, and the used part at list price.
const COMMITTED: (i64, i64, i64) = (9_600, 5_300, 7_400);

/// The bill as FOCUS 1.2 CSV for the six whole months before the day of `now` (µs since 1970 UTC) and the days of its month so far.
/// The same day gives the same bytes.
pub fn csv(now: i64) -> String {
    let mut text = String::from(HEAD);
    let (today, done) = (day_of(now), month(now, 2));
    for back in (0..=MONTHS).rev() {
        let begin = month(now, back);
        let end = if back == 0 { next(begin) } else { month(now, back - 1) };
        for day in begin..end.min(today) {
            let last_month = month(now, 1);
            write_day(&mut text, &Day { today, last_month, done, month: (begin, end), date: day });
        }
    }
    text
}

/// A day, in days since 1970 like all fields.
struct Day {
    today: i32,
    last_month: i32,
    /// The first day without the removed waste.
    done: i32,
    month: (i32, i32),
    date: i32,
}

/// The days of the bill, in days since 1970.
pub fn days(now: i64) -> std::ops::Range<i32> {
    month(now, MONTHS)..day_of(now)
}

/// The first day of the month `back` months before that of `now`.
fn month(now: i64, back: usize) -> i32 {
    (0..back).fold(first(day_of(now)), |day, _| first(day - 1))
}

/// The first day of the month of a day.
fn first(day: i32) -> i32 {
    let mut text = format_date(day);
    text.replace_range(text.len() - 2.., "01");
    parse_date(&text).expect("every month has a first day")
}

/// The first day of the month after the one that begins on this day.
fn next(begin: i32) -> i32 {
    first(begin + 31)
}

fn write_day(text: &mut String, day: &Day) {
    for (place, account) in ACCOUNTS.iter().enumerate() {
        let services = match account.0 {
            "AWS" => &AWS,
            "Microsoft" => &MICROSOFT,
            _ => &GOOGLE,
        };
        for (kind, (service, category, resource, base)) in services.iter().enumerate() {
            let usual = varied(base * SHARES[place] / 100, day.date, place * services.len() + kind);
            let cost = usual * planted(day, place, kind) / 100;
            // Machines of clusters are charged individually, all others together.
            let of_nodes = if kind == MACHINES { write_nodes(text, day, place, services) } else { 0 };
            let cost = cost - of_nodes;
            let name = format!("{}-1", slug(service));
            write_charge(text, day, account, &Charge::of_use(service, category, resource, &name, cost));
        }
    }
    let done = DONE.into_iter().filter_map(|(waste, since)| match since {
        _ if day.date < day.done => Some(waste),
        Some((usage, cost)) => Some((waste.0, usage, waste.2, waste.3, waste.4, cost, waste.6, waste.7)),
        None => None,
    });
    for (place, usage, service, resource, name, cost, quantity, unit) in WASTE.into_iter().chain(done) {
        let charge = Charge {
            usage: (usage, quantity, unit),
            ..Charge::of_use(service, "Compute", resource, name, cost)
        };
        write_charge(text, day, &ACCOUNTS[place], &charge);
    }
    let (place, service, category, cost, days) = NEW;
    if day.today - day.date <= days {
        let cost = varied(cost, day.date, 97);
        write_charge(
            text,
            day,
            &ACCOUNTS[place],
            &Charge::of_use(service, category, "Model", "assistant", cost),
        );
    }
    write_commitment(text, day);
}

/// Writes the nodes of the clusters that run in an account. Returns their total cost in cents.
fn write_nodes(text: &mut String, day: &Day, place: usize, services: &[Service]) -> i64 {
    let (service, category, resource, _) = services[MACHINES];
    let mut sum = 0;
    for cluster in [&SHOP, &ANALYTICS].into_iter().filter(|cluster| cluster.bill.0 == place) {
        for machine in cluster.machines() {
            let cents = cluster.bill.1;
            sum += cents;
            write_charge(
                text,
                day,
                &ACCOUNTS[place],
                &Charge::of_use(service, category, resource, &machine, cents),
            );
        }
    }
    sum
}

/// The cost of a charge on that day in percent of its usual cost.
fn planted(day: &Day, place: usize, kind: usize) -> i64 {
    if (place, kind) == SPIKE && (11..14).contains(&(day.date - day.last_month)) {
        return 400;
    }
    let begun = day.date - (day.today - LEAK.2);
    if (place, kind) == (LEAK.0, LEAK.1) && begun > 0 { 100 + 12 * i64::from(begun) } else { 100 }
}

/// Writes a savings plan: the amount paid for the day, the used part and the unused part.
fn write_commitment(text: &mut String, day: &Day) {
    let (paid, used, list) = COMMITTED;
    let plan = |category, name, status, costs| Charge {
        category,
        costs,
        commitment: Some(status),
        ..Charge::of_use(COMPUTE, "Compute", "Savings plan", name, 0)
    };
    let charges = [
        plan("Purchase", "savings-plan-fee", "", [paid, 0, paid, paid]),
        plan("Usage", "covered-instances", "Used", [0, used, list, list]),
        plan("Usage", "savings-plan-unused", "Unused", [0, paid - used, 0, 0]),
    ];
    for charge in charges {
        write_charge(text, day, &ACCOUNTS[0], &charge);
    }
}

/// The value of `base` on that day: slightly growing, lower on weekends, with some variation.
pub fn varied(base: i64, day: i32, place: usize) -> i64 {
    let growth = 1_000 + i64::from(day.rem_euclid(366)) / 3;
    // 1970 began on a Thursday.
    let week = if matches!(day.rem_euclid(7), 2 | 3) { 72 } else { 100 };
    let seed = i64::from(day) * 7_919 + i64::try_from(place).expect("a place in a short list") * 104_729;
    let unrest = 94 + (seed ^ (seed >> 7)).rem_euclid(13);
    (base * growth * week * unrest / 10_000_000).max(1)
}

/// One line of the bill, without its account and day.
struct Charge<'a> {
    category: &'a str,
    service: (&'a str, &'a str),
    resource: (&'a str, &'a str),
    /// Billed, effective, list and contracted, in cents.
    costs: [i64; 4],
    /// Usage type, quantity, unit.
    usage: (&'a str, &'a str, &'a str),
    /// The commitment status of a line; empty for the fee.
    commitment: Option<&'a str>,
}

impl<'a> Charge<'a> {
    fn of_use(service: &'a str, category: &'a str, resource: &'a str, name: &'a str, cents: i64) -> Self {
        Self {
            category: "Usage",
            service: (service, category),
            resource: (resource, name),
            costs: [cents; 4],
            usage: ("", "", ""),
            commitment: None,
        }
    }
}

fn slug(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

fn write_charge(text: &mut String, day: &Day, account: &Account, charge: &Charge<'_>) {
    let (provider, number, name, (region, region_name), team, environment) = *account;
    let (service, service_category) = charge.service;
    let (resource, resource_name) = charge.resource;
    let issuer = slug(provider);
    let [billed, effective, list, contracted] =
        charge.costs.map(|cents| format!("{}.{:02}", cents / 100, cents % 100));
    let [begin, end, from, to] = [day.month.0, day.month.1, day.date, day.date + 1]
        .map(|day| format!("{}T00:00:00Z", format_date(day)));
    let invoice = &begin[..7];
    let (frequency, pricing) = match charge.commitment {
        None => ("Usage-Based", "Standard"),
        Some("") => ("Recurring", "Committed"),
        Some(_) => ("Usage-Based", "Committed"),
    };
    let (usage, quantity, unit) = charge.usage;
    let plan = charge.commitment.map_or_else(
        || ",,,,".to_owned(),
        |status| format!("Spend,sample-savings-plan,Compute for one year,{status},Compute Savings Plan"),
    );
    writeln!(
        text,
        "{billed},{effective},{list},{contracted},USD,sample-{issuer},Sample {provider},{begin},{end},{from},{to},{},\
         {service} in {region_name},{frequency},sample-{issuer}-{invoice},{provider},{pricing},{provider},{provider},\
         {service_category},{service},{region},{region_name},sample/{number}/{resource_name},{resource_name},{resource},{number},{name},\
         \"{{\"\"team\"\": \"\"{team}\"\", \"\"environment\"\": \"\"{environment}\"\"}}\",{usage},{quantity},{unit},{plan}",
        charge.category
    )
    .expect("a text takes every line");
}
