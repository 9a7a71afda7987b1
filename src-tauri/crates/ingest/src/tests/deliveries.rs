//! Generated deliveries split into files: the stored cost is their exact sum, and undoing all imports restores the initial state.

use super::kit::House;
use crate::undo::{UndoError, UndoRequest, preview, undo};
use crate::write::cells::Rows;
use crate::{Report, RowsChoice, State};
use catalogue::DecimalSum;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const HEADER: &str = "BilledCost,BillingCurrency,BillingAccountId,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,\
                      ServiceName,ProviderName,SubAccountId,ResourceId,SkuId\n";

/// One charge of a generated month. Amounts are in hundredths.
#[derive(Clone)]
struct Charge {
    cents: i64,
    day: u32,
    account: u32,
    service: &'static str,
    resource: u32,
    category: &'static str,
}

/// A deterministic pseudo-random generator (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// A month: three accounts with three services of three resources each, daily charges, and one charge for the whole month.
fn month(seed: u64) -> Vec<Charge> {
    let mut numbers = Numbers(seed);
    let mut charges = Vec::new();
    for account in 0..3 {
        for day in 1..=12 {
            for service in ["Compute", "Storage", "Database"] {
                for resource in 0..3 {
                    let cents = i64::try_from(numbers.next(9_999)).unwrap() + 1;
                    charges.push(Charge { cents, day, account, service, resource, category: "Usage" });
                }
            }
        }
        charges.push(Charge {
            cents: 2_900,
            day: 0,
            account,
            service: "Support",
            resource: 9,
            category: "Purchase",
        });
    }
    charges
}

/// The same charges in another order, with other amounts for every third one.
fn restated(charges: &[Charge]) -> Vec<Charge> {
    let mut other: Vec<Charge> = charges
        .iter()
        .enumerate()
        .map(|(place, charge)| Charge {
            cents: charge.cents + if place % 3 == 0 { 7 } else { 0 },
            ..charge.clone()
        })
        .collect();
    other.reverse();
    other
}

fn file(charges: &[Charge]) -> String {
    let mut text = HEADER.to_owned();
    for charge in charges {
        let Charge { cents, day, account, service, resource, category } = charge;
        let sign = if *cents < 0 { "-" } else { "" };
        let amount = format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100);
        // Day 0 stands for a charge of the whole month.
        let period = match day {
            0 => "2026-05-01T00:00:00Z,2026-06-01T00:00:00Z".to_owned(),
            day => format!("2026-05-{day:02}T00:00:00Z,2026-05-{:02}T00:00:00Z", day + 1),
        };
        writeln!(
            text,
            "{amount},USD,payer,2026-05-01T00:00:00Z,{period},{category},{service},AWS,10{account},res-{account}-{service}-{resource},sku-{resource}"
        )
        .unwrap();
    }
    text
}

fn split(charges: &[Charge], parts: usize, by: impl Fn(usize, &Charge) -> usize) -> Vec<Vec<Charge>> {
    let mut dealt = vec![Vec::new(); parts];
    for (place, charge) in charges.iter().enumerate() {
        dealt[by(place, charge) % parts].push(charge.clone());
    }
    dealt.retain(|part| !part.is_empty());
    dealt
}

/// Ways to split a month into files: by row, block, day, account, service.
fn ways(charges: &[Charge]) -> Vec<(&'static str, Vec<Vec<Charge>>)> {
    let count = charges.len();
    vec![
        ("row", split(charges, 3, |place, _| place)),
        ("block", split(charges, 3, |place, _| place * 3 / count)),
        ("day", split(charges, 4, |_, charge| charge.day as usize)),
        ("account", split(charges, 3, |_, charge| charge.account as usize)),
        ("service", split(charges, 2, |_, charge| charge.service.len())),
    ]
}

/// File names of parts, as written by exporters and browsers.
const NAMES: [fn(usize) -> String; 7] = [
    |part| format!("part_{part}_0001.csv"),
    |part| format!("part_0_{:04}.csv", part + 1),
    |part| format!("focus_{part:012}.csv"),
    |part| format!("data_0_{part}_0.csv"),
    |part| format!("part-{part:05}-{}.csv", Uuid::from_u128(7)),
    |part| format!("export-{}.csv", part + 1),
    |part| if part == 0 { "export-00001.csv".to_owned() } else { format!("export-00001 ({part}).csv") },
];

/// Cost by account, computed from the charges.
fn expected(charges: &[Charge]) -> BTreeMap<String, String> {
    let mut cents: BTreeMap<String, i64> = BTreeMap::new();
    for charge in charges {
        *cents.entry(format!("10{}", charge.account)).or_default() += charge.cents;
    }
    cents
        .into_iter()
        .map(|(account, cents)| (account, super::kit::decimal(&format!("{cents}e-2")).to_string()))
        .collect()
}

/// Cost by account, read from the database.
fn stored(house: &House) -> BTreeMap<String, String> {
    let accounts: BTreeMap<String, String> = house
        .rows("cloud_accounts", &["id", "account_number"], &[])
        .iter()
        .map(|row| row.split_once(" | ").map(|(id, number)| (id.to_owned(), number.to_owned())).unwrap())
        .collect();
    let mut sums: BTreeMap<String, DecimalSum> = BTreeMap::new();
    for row in house.rows("spends", &["cloud_account", "amount"], &[]) {
        let (account, amount) = row.split_once(" | ").unwrap();
        sums.entry(accounts[account].clone()).or_default().add(super::kit::decimal(amount));
    }
    sums.into_iter().map(|(account, sum)| (account, sum.to_string())).collect()
}

/// The content of all tables that imports write, except the list of imports.
fn dump(house: &House) -> Vec<Vec<String>> {
    let tables: [(&str, &[&str]); 6] = [
        (
            "spends",
            &[
                "id",
                "import_id",
                "cloud_account",
                "cloud_resource_id",
                "amount",
                "date",
                "period_end",
                "source_line",
                "sku_id",
                "details",
            ],
        ),
        ("cloud_accounts", &["id", "account_name", "account_number", "status"]),
        ("cloud_resourses", &["id", "name", "first_seen", "last_seen", "tags", "updated_at"]),
        ("spend_sources", &["id", "import_id", "cloud_account", "charge_start", "charge_end"]),
        ("spend_source_keys", &["source_id", "row_count", "billed_cost"]),
        ("spend_tag_keys", &["key"]),
    ];
    tables.iter().map(|(table, columns)| house.rows(table, columns, &[])).collect()
}

/// Ids of the imports with stored rows, newest first.
fn imports(house: &House) -> Vec<Uuid> {
    let mut found: Vec<(i64, Uuid)> = house
        .rows("imports", &["sequence", "id", "state"], &[])
        .iter()
        .filter_map(|row| {
            let cells: Vec<&str> = row.split(" | ").collect();
            (cells[2] == "done").then(|| (cells[0].parse().unwrap(), cells[1].parse().unwrap()))
        })
        .collect();
    found.sort_unstable();
    found.reverse();
    found.into_iter().map(|(_, id)| id).collect()
}

fn take_back(house: &House, id: Uuid, with: &[Uuid]) -> Result<Vec<Uuid>, UndoError> {
    undo(&house.store, &house.caller, id, with, UndoRequest { person: None, clock: || 0 })
}

fn named(house: &House, name: &str, charges: &[Charge]) -> Report {
    house.import_file(&house.file(name, file(charges).as_bytes()))
}

#[test]
fn parts_sum_up_in_one_call_and_one_by_one_whatever_they_are_called() {
    let charges = month(1);
    for (way, parts) in ways(&charges) {
        let together = House::new();
        let files: Vec<String> = parts.iter().map(|part| file(part)).collect();
        assert!(together.import_together(&files).iter().all(|report| report.state == State::Done), "{way}");
        assert_eq!(stored(&together), expected(&charges), "{way} in one call");
    }
    for (name, (way, parts)) in NAMES.iter().zip(ways(&charges).into_iter().cycle()) {
        let house = House::new();
        for (place, part) in parts.iter().enumerate() {
            assert_eq!(named(&house, &name(place), part).state, State::Done, "{way} {}", name(place));
        }
        assert_eq!(stored(&house), expected(&charges), "{way} {}", name(0));
    }
}

#[test]
fn a_month_told_again_replaces_it_and_each_undo_ends_where_it_began() {
    let charges = month(2);
    let again = restated(&charges);
    for (way, parts) in ways(&charges) {
        let house = House::new();
        let empty = dump(&house);
        let mut before = Vec::new();
        for part in &parts {
            before.push(dump(&house));
            named(&house, "part.csv", part);
        }
        let whole = dump(&house);
        let report = named(&house, "again.csv", &again);
        assert_eq!(report.state, State::Done, "{way}: {:?}", report.decision);
        assert_eq!(stored(&house), expected(&again), "{way}");
        let replaced: Vec<&str> =
            report.sums.replaced.iter().map(|change| change.currency.as_str()).collect();
        assert_eq!(replaced, ["USD"; 3], "{way}: a line an account");

        let ids = imports(&house);
        let others = take_back(&house, ids[1], &[]).unwrap_err();
        assert!(
            matches!(others, UndoError::Others(ref list) if list.iter().any(|other| other.id == ids[0])),
            "{others}"
        );
        take_back(&house, ids[0], &[]).unwrap();
        assert_eq!(dump(&house), whole, "{way}: the restatement was undone");
        for (id, before) in ids[1..].iter().zip(before.iter().rev()) {
            take_back(&house, *id, &[]).unwrap();
            assert_eq!(&dump(&house), before, "{way}");
        }
        assert_eq!(dump(&house), empty, "{way}");
    }
}

#[test]
fn what_an_earlier_schema_wrote_into_the_journal_comes_back() {
    let charges = month(8);
    let house = House::new();
    named(&house, "month.csv", &charges);
    let before = dump(&house);
    assert_eq!(named(&house, "again.csv", &restated(&charges)).state, State::Done);
    // Until schema 4, a row contained the amount twice, the second time as `billed_cost`.
    let with_both = |rows: &Transaction<'_>| -> Result<usize, StoreError> {
        let entries = rows.select(
            "import_changes",
            &["id", "content"],
            &[eq("kind", "deleted"), eq("table_name", "spends")],
        )?;
        for entry in &entries {
            let mut content = Rows::from_text(entry[1].as_text().unwrap()).unwrap();
            let amount = content.columns.iter().position(|column| column == "amount").unwrap();
            content.columns.push("billed_cost".to_owned());
            for row in &mut content.rows {
                row.push(row[amount].clone());
            }
            let (id, text) = (entry[0].as_uuid().unwrap(), content.to_text());
            rows.update("import_changes", &[eq("id", id)], &[("content", text.as_str().into())])?;
        }
        Ok(entries.len())
    };
    assert!(house.store.transaction(&house.caller, with_both).unwrap() > 0);
    take_back(&house, imports(&house)[0], &[]).unwrap();
    assert_eq!(dump(&house), before);
}

#[test]
fn daily_files_add_up_though_one_has_the_charge_of_a_month_and_one_day_is_told_again_alone() {
    let charges = month(3);
    let house = House::new();
    let day = |day: u32| -> Vec<Charge> {
        charges.iter().filter(|charge| charge.day == day || (day == 5 && charge.day == 0)).cloned().collect()
    };
    for number in 1..=12 {
        named(&house, &format!("2026-05-{number:02}.csv"), &day(number));
    }
    assert_eq!(stored(&house), expected(&charges));
    let fifth = restated(&day(5));
    assert_eq!(named(&house, "fifth.csv", &fifth).state, State::Done);
    let others = charges.iter().filter(|charge| charge.day != 5 && charge.day != 0).cloned();
    assert_eq!(stored(&house), expected(&others.chain(fifth).collect::<Vec<_>>()));
}

#[test]
fn runs_of_a_month_to_date_replace_each_other() {
    let charges: Vec<Charge> = month(4).into_iter().filter(|charge| charge.day > 0).collect();
    let house = House::new();
    for until in [3, 6, 12] {
        let run: Vec<Charge> = charges.iter().filter(|charge| charge.day <= until).cloned().collect();
        assert_eq!(named(&house, "run.csv", &run).state, State::Done, "until {until}");
        assert_eq!(stored(&house), expected(&run), "until {until}");
    }
}

#[test]
fn credits_wait_for_a_person_and_are_added_or_replace_as_they_say() {
    let charges = month(5);
    let credits: Vec<Charge> = (0..3)
        .map(|account| Charge {
            cents: -500,
            day: 0,
            account,
            service: "Compute",
            resource: 0,
            category: "Credit",
        })
        .collect();
    let house = House::new();
    named(&house, "usage.csv", &charges);
    let before = dump(&house);
    let report = named(&house, "credits.csv", &credits);
    assert_eq!(report.state, State::NeedsDecision);
    assert_eq!(report.decision.unwrap().reason, "only_credits");
    assert_eq!(dump(&house), before, "nothing changes until a person says which");
    assert_eq!(house.import_as(RowsChoice::Add, file(&credits)).state, State::Done);
    let both: Vec<Charge> = charges.iter().chain(&credits).cloned().collect();
    assert_eq!(stored(&house), expected(&both));
    take_back(&house, imports(&house)[0], &[]).unwrap();
    assert_eq!(dump(&house), before);
}

#[test]
fn what_would_lose_money_waits_for_a_person() {
    let charges = month(6);
    let unreadable = |share: usize| {
        let again = file(&restated(&charges));
        let rows = again.lines().enumerate().map(|(place, line)| {
            let cells = line.split_once(',').unwrap();
            if place > 0 && place % 10 < share { format!("oops,{}\n", cells.1) } else { format!("{line}\n") }
        });
        rows.collect::<String>()
    };
    let halved: Vec<Charge> =
        charges.iter().map(|charge| Charge { cents: charge.cents / 2, ..charge.clone() }).collect();
    let few: Vec<Charge> = charges.iter().take(30).cloned().collect();
    for (what, text, reason) in [
        ("one row in ten can be read", unreadable(9), "unreadable_rows"),
        ("a month at half its cost", file(&halved), "lowers_period"),
        ("a piece of what is there", file(&few), "much_smaller"),
    ] {
        let house = House::new();
        named(&house, "month.csv", &charges);
        let before = dump(&house);
        let report = house.import(text);
        let found = report.decision.as_ref().map(|decision| decision.reason.as_str());
        assert!(report.state == State::NeedsDecision, "{what}: {:?}", report.state);
        assert!(found == Some(reason) || found == Some("much_smaller"), "{what}: {found:?}");
        assert_eq!(dump(&house), before, "{what}");
    }
    let house = House::new();
    named(&house, "month.csv", &charges);
    let before = dump(&house);
    assert_eq!(house.import(unreadable(10)).state, State::NothingRead);
    assert_eq!(dump(&house), before);
}

#[test]
fn a_month_without_one_of_its_accounts_loses_that_account_when_a_person_says_so() {
    let charges = month(7);
    let fewer: Vec<Charge> = restated(&charges).into_iter().filter(|charge| charge.account != 2).collect();
    for (choice, left) in [(RowsChoice::Replace, false), (RowsChoice::ReplaceAccounts, true)] {
        let house = House::new();
        named(&house, "month.csv", &charges);
        assert_eq!(house.import(file(&fewer)).state, State::NeedsDecision);
        house.import_as(choice, file(&fewer));
        let third = charges.iter().filter(|charge| left && charge.account == 2).cloned();
        assert_eq!(stored(&house), expected(&fewer.iter().cloned().chain(third).collect::<Vec<_>>()));
    }
}

#[test]
fn a_choice_to_replace_takes_nothing_from_files_that_tell_other_charges() {
    let charges = month(8);
    let parts = split(&charges, 2, |_, charge| charge.account as usize);
    let house = House::new();
    named(&house, "first.csv", &parts[0]);
    house.import_as(RowsChoice::Replace, file(&parts[1]));
    assert_eq!(stored(&house), expected(&charges));
}

#[test]
fn a_preview_of_an_undo_names_the_accounts_that_go_and_changes_nothing() {
    let house = House::new();
    named(&house, "month.csv", &month(4));
    let stored = dump(&house);
    let shown = preview(&house.store, &house.caller, imports(&house)[0]).unwrap();
    assert_eq!(dump(&house), stored);
    let mut accounts: Vec<&str> = shown.totals.iter().map(|change| change.account.as_str()).collect();
    accounts.sort_unstable();
    assert_eq!(accounts, ["100", "101", "102"]);
    assert!(shown.totals.iter().all(|change| !change.account_name.is_empty() && change.after == "0"));
}

/// A database with an archive for files that wait for a decision.
fn keeping() -> House {
    let mut house = House::new();
    house.archive = Some(crate::Archive::new(house.folder.path().join("kept"), 1 << 30));
    house
}

/// The same charges as an AWS Cost and Usage Report.
fn as_cur(charges: &[Charge]) -> String {
    let mut text = "bill/PayerAccountId,bill/BillingPeriodStartDate,bill/BillingPeriodEndDate,lineItem/UsageAccountId,lineItem/LineItemType,\
                    lineItem/UsageStartDate,lineItem/UsageEndDate,lineItem/ProductCode,lineItem/UsageType,lineItem/Operation,\
                    lineItem/ResourceId,lineItem/UsageAmount,lineItem/CurrencyCode,lineItem/UnblendedCost,lineItem/LineItemDescription,\
                    identity/LineItemId,identity/TimeInterval\n"
        .to_owned();
    for Charge { cents, day, account, service, resource, .. } in charges {
        let (from, until) = match day {
            0 => ("2026-05-01T00:00:00Z".to_owned(), "2026-06-01T00:00:00Z".to_owned()),
            day => (format!("2026-05-{day:02}T00:00:00Z"), format!("2026-05-{:02}T00:00:00Z", day + 1)),
        };
        writeln!(
            text,
            "payer,2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,10{account},Usage,{from},{until},{service},use,run,res-{resource},1,USD,\
             {}.{:02},per hour,id,{from}/{until}",
            cents / 100,
            cents % 100
        )
        .unwrap();
    }
    text
}

#[test]
fn a_month_that_another_kind_of_file_tells_again_is_asked_about() {
    let charges = month(5);
    let total = expected(&charges);
    for together in [false, true] {
        let house = keeping();
        let reports = if together {
            house.import_together(&[file(&charges), as_cur(&charges)])
        } else {
            assert_eq!(house.import(file(&charges)).state, State::Done);
            vec![house.import(as_cur(&charges))]
        };
        let last = reports.last().unwrap();
        assert_eq!(last.state, State::NeedsDecision, "{last:#?}");
        let reason = last.decision.as_ref().unwrap().reason.as_str();
        assert_eq!(reason, if together { "two_versions" } else { "told_otherwise" });
        if !together {
            assert_eq!(stored(&house), total);
            assert!(house.decide(RowsChoice::Replace).iter().all(|report| report.state == State::Done));
            assert_eq!((stored(&house), house.count("spends")), (total.clone(), charges.len()));
        }
    }
    // Charges of another month or of other accounts are not a restatement.
    let house = keeping();
    let (mine, others): (Vec<Charge>, Vec<Charge>) =
        charges.iter().cloned().partition(|charge| charge.account == 0);
    assert_eq!(house.import(file(&mine)).state, State::Done);
    assert_eq!(house.import(as_cur(&others)).state, State::Done);
    assert_eq!(stored(&house), total);
}

#[test]
fn a_month_told_again_under_another_billing_period_or_account_is_asked_about() {
    let charges = month(5);
    // A billing period that begins at midnight of another time zone.
    let shifted = |text: String| text.replace("payer,2026-05-01T00:00:00Z", "payer,2026-05-01T07:00:00Z");
    let renamed = file(&charges).replace(",payer,", ",PAYER,");
    for again in [shifted(file(&charges)), shifted(as_cur(&charges)), renamed] {
        let house = keeping();
        assert_eq!(house.import(file(&charges)).state, State::Done);
        let decision = house.import(again).decision.expect("a question");
        assert_eq!(decision.reason, "told_otherwise");
        assert_eq!(stored(&house), expected(&charges));
        assert!(house.decide(RowsChoice::Replace).iter().all(|report| report.state == State::Done));
        assert_eq!((stored(&house), house.count("spends")), (expected(&charges), charges.len()));
        take_back(&house, imports(&house)[0], &[]).unwrap();
        assert_eq!((stored(&house), house.count("spends")), (expected(&charges), charges.len()));
    }
    // The next month has its own charges.
    let house = keeping();
    house.import(file(&charges));
    let june = file(&charges).replace("2026-06", "2026-07").replace("2026-05", "2026-06");
    assert_eq!(house.import(june).state, State::Done);
    assert_eq!(house.count("spends"), 2 * charges.len());
}

#[test]
fn a_month_in_other_words_at_the_same_cost_is_asked_about() {
    let charges = month(6);
    let house = keeping();
    house.import(file(&charges));
    let words = file(&charges).replace("sku-", "SKU ");
    let report = house.import(&words);
    assert_eq!(report.decision.unwrap().reason, "told_otherwise");
    assert_eq!(stored(&house), expected(&charges));
    house.decide(RowsChoice::Add);
    assert_eq!(house.count("spends"), 2 * charges.len());
    // Halves of a month in another format are recognised by the sum of both.
    let house = keeping();
    for half in split(&charges, 2, |place, _| place) {
        assert_eq!(house.import(file(&half)).state, State::Done);
    }
    assert_eq!(house.import(&words).state, State::NeedsDecision);
    house.decide(RowsChoice::Replace);
    assert_eq!((stored(&house), house.count("spends")), (expected(&charges), charges.len()));
}

#[test]
fn two_files_are_the_same_only_when_every_row_is() {
    let charges = month(7);
    let mut corrected = charges.clone();
    corrected[100].cents += 500;
    let more: Vec<Charge> =
        charges.iter().cloned().chain([Charge { resource: 7, ..charges[0].clone() }]).collect();
    for other in [corrected, more] {
        let house = keeping();
        let reports = house.import_together(&[file(&charges), file(&other)]);
        assert!(reports.iter().all(|report| report.state == State::NeedsDecision), "{reports:#?}");
        assert_eq!(house.count("spends"), 0);
    }
}
