//! Generates the charges of three years as monthly FOCUS files, the same in every run: 50 accounts, 40 services, 20,000 resources, 200 teams.
//!
//! As in real exports, hours are not in order, amounts have up to ten decimal digits, taxes have no resource or tags, and each resource always
//! belongs to one account, service and team.

use chrono::{Datelike as _, Days, Months, NaiveDate};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

pub const ACCOUNTS: u64 = 50;
pub const SERVICES: u64 = 40;
const RESOURCES: u64 = 20_000;
const TEAMS: u64 = 200;
const MONTHS: u32 = 36;

const HEADER: &str = "BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,ListCost,\
ContractedCost,ChargeCategory,ProviderName,PublisherName,BillingAccountId,BillingCurrency,SubAccountId,SubAccountName,\
ServiceName,ServiceCategory,RegionId,ChargeDescription,PricingCategory,PricingQuantity,PricingUnit,ResourceId,ResourceType,\
SkuId,CommitmentDiscountStatus,Tags\n";

/// The first day of the charges.
pub fn first_day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2023, 1, 1).expect("a day")
}

/// The files with that many charges in total, in `folder`; missing ones are written.
pub fn files(folder: &Path, rows: u64) -> Vec<PathBuf> {
    std::fs::create_dir_all(folder).expect("a folder can be made");
    let last = first_day() + Months::new(MONTHS);
    let days_between = |from: NaiveDate, to: NaiveDate| u64::try_from((to - from).num_days()).expect("later");
    let days = days_between(first_day(), last);
    let resources: Vec<(String, String)> = (0..RESOURCES).map(resource).collect();
    (0..MONTHS)
        .map(|month| {
            let start = first_day() + Months::new(month);
            let end = start + Months::new(1);
            let place = |day: NaiveDate| rows * days_between(first_day(), day) / days;
            let path = folder.join(format!("bill-{}-{:02}.csv", start.year(), start.month()));
            if !path.exists() {
                write(&path, (start, end), place(start)..place(end), &resources);
            }
            path
        })
        .collect()
}

fn write(
    path: &Path,
    (start, end): (NaiveDate, NaiveDate),
    places: std::ops::Range<u64>,
    resources: &[(String, String)],
) {
    // Written under a temporary name: an interrupted run leaves no incomplete bill.
    let unfinished = path.with_extension("part");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&unfinished).expect("there is room"));
    out.write_all(HEADER.as_bytes()).expect("there is room");
    let hours: Vec<(String, String)> = (0..(end - start).num_days() * 24)
        .map(|hour| {
            let text = |hour: i64| {
                let day = start + Days::new(u64::try_from(hour / 24).expect("positive"));
                format!("{day} {:02}:00:00", hour % 24)
            };
            (text(hour), text(hour + 1))
        })
        .collect();
    for place in places {
        let dice = scramble(place);
        let hour = &hours[usize::try_from(dice % hours.len() as u64).expect("few")];
        let resource = scramble(dice) % RESOURCES;
        let (head, tail) = &resources[usize::try_from(resource).expect("few")];
        let billed = amount(scramble(dice ^ 1));
        let effective = if (dice >> 20).is_multiple_of(16) { billed / 2 } else { billed };
        let list = billed + billed / 4;
        let [billed, effective, list] = [billed, effective, list].map(Billions);
        let is_tax = (dice >> 40).is_multiple_of(64);
        let category = if is_tax { "Tax" } else { "Usage" };
        write!(
            out,
            "{start} 00:00:00,{end} 00:00:00,{},{},{billed},{effective},{list},{billed},{category},{head},",
            hour.0, hour.1
        )
        .expect("there is room");
        let tail = if is_tax { ",,SKU0,,\n" } else { tail };
        out.write_all(tail.as_bytes()).expect("there is room");
    }
    out.into_inner().expect("there is room").sync_all().expect("there is room");
    std::fs::rename(unfinished, path).expect("it can be renamed");
}

/// The columns that are the same for all charges of a resource: those up to the pricing unit, and those from its name on.
fn resource(number: u64) -> (String, String) {
    let (account, service) = (number % ACCOUNTS, number / ACCOUNTS % SERVICES);
    let head = format!(
        "AWS,AWS,100000000000,USD,2000000{account:05},account-{account:02},Amazon Service {service:02},Category {},eu-central-{},\
         Use of service {service:02},Standard,1,Hrs",
        service % 8,
        number % 7 + 1
    );
    let tags = [
        ("team", format!("team-{:03}", number * 7 % TEAMS)),
        ("environment", ["prod", "stage", "dev"][usize::try_from(number % 3).expect("few")].to_owned()),
        ("application", format!("app-{:02}", number / 7 % 60)),
        ("owner", format!("person-{:02}", number / 11 % 80)),
        ("project", format!("project-{:02}", number / 13 % 30)),
        ("cost_center", format!("cc-{}", 4000 + number / 17 % 25)),
        ("Name", format!("resource-{number}")),
    ];
    let tags: Vec<String> =
        tags.iter().map(|(key, value)| format!("\"\"{key}\"\":\"\"{value}\"\"")).collect();
    let status = ["", "", "Used"][usize::try_from(number / 5 % 3).expect("few")];
    let tail = format!(
        "arn:aws:s{service:02}:eu:2000000{account:05}:r/{number:05},kind-{:02},SKU{},{status},\"{{{}}}\"\n",
        service * 3 % 50,
        number % 500,
        tags.join(",")
    );
    (head, tail)
}

/// An amount in ten-billionths: mostly small, sometimes large, with few digits or many.
fn amount(dice: u64) -> u64 {
    let most =
        [0, 100_000_000_000, 10_000, 1_000_000, 100_000_000, 10_000_000_000, 200_000_000_000, 1_000_000_000];
    let most: u64 = most[usize::try_from(dice & 7).expect("few")];
    let step = [1, 1, 1_000_000, 100][usize::try_from(dice >> 3 & 3).expect("few")];
    let amount = if most == 0 { 0 } else { (dice >> 8) % most };
    amount / step * step
}

struct Billions(u64);

impl std::fmt::Display for Billions {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}.{:010}", self.0 / 10_000_000_000, self.0 % 10_000_000_000)
    }
}

/// A pseudo-random number that is the same in every run (Vigna's splitmix64).
fn scramble(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
