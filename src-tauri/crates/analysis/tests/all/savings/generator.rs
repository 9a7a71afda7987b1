//! Generates bills from a seed, with planted waste. Independent of the rules.

use crate::random::Random;
use analysis::savings::{Bill, Growth, Hours, Line, Month, Night, Period, UnusedCommitment};
use catalogue::{Decimal, parse_date};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Planted waste: what is wasted, and the monthly saving. `None` if the saving cannot be known.
#[derive(Debug, Clone)]
pub struct Planted {
    pub kind: &'static str,
    pub subject: String,
    pub saving: Option<Decimal>,
}

pub struct Plan {
    pub bill: Bill,
    pub planted: Vec<Planted>,
}

pub fn cents(cents: u64) -> Decimal {
    Decimal::from_parts(i128::from(cents), 2).unwrap()
}

/// A month of an account: resources in use, and waste of every kind, at prices from the seed.
pub fn plan(seed: u64) -> Plan {
    let mut world = World::new(seed);
    let account = world.account;
    for number in 0..20 {
        let cost = world.random.whole(5_000, 90_000);
        world.line(&format!("i-{number}"), "BoxUsage:m7g.large", cost, 720);
        let cost = world.random.whole(100, 900);
        world.line(&format!("vol-{number}"), "EBS:VolumeUsage.gp3", cost, 100);
    }
    world.line("lb-busy", "LoadBalancerUsage", 1_643, 720);
    world.line("lb-busy", "LCUUsage", 4_000, 500);
    world.line("nat-busy", "NatGateway-Hours", 3_285, 720);
    world.line("nat-busy", "NatGateway-Bytes", 9_000, 2_000);
    world.line("db-busy", "InstanceUsage:db.r6g.large", 15_000, 720);
    world.line("db-busy", "RDS:GP3-Storage", 1_150, 100);
    world.line("bucket-read", "TimedStorage-ByteHrs", 2_300, 1_000);
    world.line("bucket-read", "Requests-Tier2", 40, 1_000_000);
    // The waste. Expected savings are computed from the prices, not by the rules.
    let cost = world.random.whole(300, 400);
    world.waste("idle_address", "eip-1", &[("ElasticIP:IdleAddress", cost, 720)], cents(cost));
    let cost = world.random.whole(500, 50_000) * 5;
    world.waste("gp2_to_gp3", "vol-gp2", &[("EU-EBS:VolumeUsage.gp2", cost, 2_000)], cents(cost / 5));
    let (hours, bytes) = (world.random.whole(3_000, 4_000), world.random.whole(1, 9));
    world.waste(
        "idle_nat",
        "nat-idle",
        &[("NatGateway-Hours", hours, 720), ("NatGateway-Bytes", bytes, 0)],
        cents(hours + bytes),
    );
    let cost = world.random.whole(1_500, 1_800);
    world.waste("idle_load_balancer", "lb-idle", &[("LoadBalancerUsage", cost, 720)], cents(cost));
    let cost = world.random.whole(1_000, 9_000);
    world.waste("stopped_database", "db-stopped", &[("RDS:GP2-Storage", cost, 80)], cents(cost));
    let cost = world.random.whole(5_000, 30_000);
    world.waste(
        "extended_support",
        "db-old",
        &[("ExtendedSupport:Yr1-Yr2:PostgreSQL11", cost, 1_440)],
        cents(cost),
    );
    let cost = world.random.whole(1_000, 5_000) * 100;
    world.waste("previous_generation", "i-old", &[("BoxUsage:c4.large", cost, 720)], cents(cost / 100 * 15));
    let cost = world.random.whole(1_000, 5_000) * 10;
    world.waste(
        "standard_storage",
        "bucket-cold",
        &[("TimedStorage-ByteHrs", cost, 4_000), ("Requests-Tier2", 1, 12)],
        cents(cost / 10 * 4),
    );
    world.grown();
    world.nights();
    let (unused, used) = (world.random.whole(1_000, 9_000), world.random.whole(1_000, 9_000));
    world.bill.unused.push(UnusedCommitment {
        account,
        commitment: "sp-1".to_owned(),
        name: None,
        kind: Some("Savings Plan".to_owned()),
        currency: "USD".to_owned(),
        last: world.bill.period.to,
        unused: cents(unused),
        used: cents(used),
    });
    world.planted("unused_commitment", "sp-1", Some(cents(unused)));
    world.totals();
    Plan { bill: world.bill, planted: world.planted }
}

struct World {
    random: Random,
    account: Uuid,
    bill: Bill,
    planted: Vec<Planted>,
}

impl World {
    fn new(seed: u64) -> Self {
        let period =
            Period { from: parse_date("2026-06-01").unwrap(), to: parse_date("2026-06-30").unwrap() };
        let bill = Bill { period, ..Bill::default() };
        Self { random: Random(seed), account: Uuid::from_u128(1), bill, planted: Vec::new() }
    }

    fn line(&mut self, resource: &str, usage: &str, cost: u64, quantity: i64) {
        let service = match usage {
            usage if usage.contains("TimedStorage") || usage.contains("Requests") => {
                "Amazon Simple Storage Service"
            }
            usage if usage.contains("db.") || usage.contains("RDS") => "Amazon Relational Database Service",
            _ => "Amazon Elastic Compute Cloud",
        };
        self.bill.lines.push(Line {
            account: self.account,
            resource: Some(Uuid::new_v5(&Uuid::NAMESPACE_OID, resource.as_bytes())),
            resource_name: Some(resource.to_owned()),
            label: None,
            service: service.to_owned(),
            usage: usage.to_owned(),
            region: "us-east-1".to_owned(),
            currency: "USD".to_owned(),
            first: self.bill.period.from,
            last: self.bill.period.to,
            cost: cents(cost),
            quantity: Decimal::from(quantity),
            unit: None,
        });
    }

    fn waste(&mut self, kind: &'static str, resource: &str, lines: &[(&str, u64, i64)], saving: Decimal) {
        for (usage, cost, quantity) in lines {
            self.line(resource, usage, *cost, *quantity);
        }
        self.planted(kind, resource, Some(saving));
    }

    fn planted(&mut self, kind: &'static str, subject: &str, saving: Option<Decimal>) {
        self.planted.push(Planted { kind, subject: subject.to_owned(), saving });
    }

    /// Growing snapshots, growing logs, and logs that do not grow.
    fn grown(&mut self) {
        let starts =
            ["2026-03-01", "2026-04-01", "2026-05-01", "2026-06-01"].map(|day| parse_date(day).unwrap());
        for (kind, service, usage, is_growing) in [
            ("growing_snapshots", "Amazon Elastic Compute Cloud", "EBS:SnapshotUsage", true),
            ("growing_logs", "AmazonCloudWatch", "TimedStorage-ByteHrs", true),
            ("", "AmazonCloudWatch", "EU-TimedStorage-ByteHrs", false),
        ] {
            let first = self.random.whole(1_000, 9_000);
            let step = self.random.whole(200, 900);
            let month = |place: u64| {
                let cost = if is_growing { first + place * step } else { first - place % 2 * 300 };
                let held = i64::try_from(cost / 5).unwrap();
                Month {
                    first: starts[usize::try_from(place).unwrap()],
                    cost: cents(cost),
                    quantity: Decimal::from(held),
                }
            };
            self.bill.growth.push(Growth {
                account: self.account,
                service: service.to_owned(),
                usage: usage.to_owned(),
                region: "us-east-1".to_owned(),
                currency: "USD".to_owned(),
                months: (0..4).map(month).collect(),
            });
            if is_growing {
                self.planted(kind, &format!("{service} in us-east-1: {usage}"), Some(cents(3 * step)));
            }
        }
    }

    /// A test machine that always runs, and one that is stopped at night.
    fn nights(&mut self) {
        let price = cents(self.random.whole(5, 90));
        let mut off_work = 0;
        for (name, is_always) in [("i-test", true), ("i-test-stopped", false)] {
            let mut hours = Hours::default();
            for day in self.bill.period.from..=self.bill.period.to {
                // 2026-06-01 was a Monday.
                let is_weekend = (day - self.bill.period.from) % 7 >= 5;
                for hour in 0..24 {
                    let is_work = !is_weekend && (8..20).contains(&hour);
                    if is_always || is_work {
                        hours = hours.and(i64::from(day) * 24 + hour, price).unwrap();
                    }
                    off_work += i64::from(is_always && !is_work);
                }
            }
            self.bill.nights.push(Night {
                account: self.account,
                resource: Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()),
                resource_name: Some(name.to_owned()),
                service: "Amazon Elastic Compute Cloud".to_owned(),
                usage: "BoxUsage:m7g.large".to_owned(),
                region: "us-east-1".to_owned(),
                currency: "USD".to_owned(),
                environment: "test".to_owned(),
                hours,
            });
        }
        self.planted("night_hours", "i-test", price.checked_mul_int(off_work));
    }

    fn totals(&mut self) {
        let mut totals: BTreeMap<(Uuid, String), Decimal> = BTreeMap::new();
        for line in &self.bill.lines {
            let total = totals.entry((line.account, line.currency.clone())).or_default();
            *total = total.checked_add(line.cost).unwrap();
        }
        self.bill.totals = totals;
    }
}
