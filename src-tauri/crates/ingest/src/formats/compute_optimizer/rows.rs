//! Reads the rows of an export as recommendations. Optimised resources are not recommendations; the report states their number.

use super::layout::{Kind, Layout};
use super::{Finding, Recommendation, evidence};
use crate::cells::{self, NOT_TEXT, filled};
use crate::formats::{Batch, ReadStop, RecordSink, Records, Summary};
use crate::ids;
use crate::limit::{BATCH_RECORDS, FINDINGS_REMEMBERED};
use catalogue::{Decimal, DecimalSum};
use csv::ByteRecord;
use std::collections::{BTreeMap, HashSet};
use uuid::Uuid;

const OPTIMIZED: &str = "already optimised: there is nothing to recommend";
const REPEATED: &str = "duplicate row, skipped: same resource and finding as an earlier row";
/// The currency of an export that states none: AWS states savings in US dollars.
const CURRENCY: &str = "USD";

/// Reads every row. Sends the recommendations in batches.
pub fn read(
    layout: &Layout,
    mut records: Records<'_>,
    reading: &RecordSink<'_>,
) -> Result<Summary, ReadStop> {
    let mut rows = Rows {
        layout,
        met: HashSet::new(),
        names_currency: layout.currency.is_some(),
        money: BTreeMap::new(),
        summary: Summary::default(),
    };
    let mut record = ByteRecord::new();
    let mut batch = Vec::new();
    while let Some(line) = records.next(&mut record)? {
        let recommendation = match records.fault() {
            Some((_, reason)) => Err((None, reason)),
            None => rows.recommendation(&record),
        };
        match recommendation {
            Ok(recommendation) => {
                rows.summary.rows_kept += 1;
                batch.push(recommendation);
            }
            Err((place, reason)) => {
                let column = place.map_or("", |place| layout.column(place));
                let cell = place.and_then(|place| record.get(place)).unwrap_or_default();
                rows.summary.rows_without_action += u64::from(matches!(reason, OPTIMIZED | REPEATED));
                rows.summary.skips.add(line, column, cell, reason);
            }
        }
        if batch.len() >= BATCH_RECORDS {
            reading.send(Batch::Recommendations(std::mem::take(&mut batch)))?;
        }
    }
    reading.send(Batch::Recommendations(batch))?;
    let read = records.rows();
    Ok(rows.finish(read, records.finish()?))
}

struct Rows<'a> {
    layout: &'a Layout,
    /// Resources with their finding; 16 bytes each.
    met: HashSet<Uuid>,
    names_currency: bool,
    money: BTreeMap<String, Money>,
    summary: Summary,
}

/// The savings of the first options, by what happened to the row.
#[derive(Default)]
struct Money {
    counted: DecimalSum,
    optimized: DecimalSum,
    repeated: DecimalSum,
    all: DecimalSum,
}

/// The reason a row is left out: the index of the cell, and the reason.
type Fault = (Option<usize>, &'static str);

impl Rows<'_> {
    fn recommendation(&mut self, record: &ByteRecord) -> Result<Recommendation, Fault> {
        let layout = self.layout;
        if record.len() != layout.width {
            return Err((None, "more or fewer cells than the header"));
        }
        if let Some(place) = layout.error
            && text(record, place)?.is_some()
        {
            return Err((Some(place), "a Compute Optimizer error instead of a finding"));
        }
        let (arn, parts) = arn(layout.kind(), record, layout.arn)?;
        let stated = text(record, layout.finding)?.ok_or((Some(layout.finding), "empty"))?;
        let finding = Finding::find(stated).ok_or((Some(layout.finding), "an unknown finding"))?;
        let savings = self.savings(record)?;
        let currency = match layout.currency.map(|place| text(record, place)).transpose()?.flatten() {
            Some(code) if code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                code.to_ascii_uppercase()
            }
            Some(_) => return Err((layout.currency, "not a currency code of three letters")),
            None => CURRENCY.to_owned(),
        };
        if self.met.len() >= FINDINGS_REMEMBERED {
            self.met.clear();
        }
        let is_new = self.met.insert(ids::derived(Uuid::nil(), "met", &[arn, &format!("{finding:?}")]));
        let money = self.money.entry(currency.clone()).or_default();
        let saved = savings.unwrap_or_default();
        money.all.add(saved);
        if finding == Finding::Optimized {
            money.optimized.add(saved);
            return Err((Some(layout.finding), OPTIMIZED));
        }
        if !is_new {
            money.repeated.add(saved);
            return Err((Some(layout.arn), REPEATED));
        }
        money.counted.add(saved);
        let account = layout.account.map(|place| text(record, place)).transpose()?.flatten();
        let name = layout.name.map(|place| text(record, place)).transpose()?.flatten();
        let resource_name = name.unwrap_or(parts.id).to_owned();
        Ok(Recommendation {
            kind: layout.kind(),
            finding,
            account_number: account.unwrap_or(parts.account).to_owned(),
            evidence: evidence::of(layout, record, arn, &resource_name, stated, &currency),
            arn: arn.to_owned(),
            region: parts.region.to_owned(),
            resource_name,
            savings,
        })
    }

    fn savings(&self, record: &ByteRecord) -> Result<Option<Decimal>, Fault> {
        let Some(place) = self.layout.savings else { return Ok(None) };
        let Some(cell) = record.get(place).and_then(filled) else { return Ok(None) };
        cells::number(cell).map(Some).map_err(|reason| (Some(place), reason))
    }

    fn finish(self, rows_read: u64, sha256: String) -> Summary {
        let mut summary = self.summary;
        summary.sha256 = sha256;
        summary.rows_read = rows_read;
        for (currency, money) in &self.money {
            let Money { counted, optimized, repeated, all } = money;
            summary.notes.push(format!(
                "The first options of all rows add up to {all} {currency} a month. {counted} {currency} of it are counted as \
                 savings; {optimized} {currency} stand in rows of resources that are optimised already and {repeated} \
                 {currency} in rows that repeat an earlier one, and those are not."
            ));
        }
        if !self.names_currency && !self.money.is_empty() {
            summary
                .notes
                .push(format!("The file names no currency; AWS states savings in US dollars ({CURRENCY})."));
        }
        summary.savings = self.money.into_iter().map(|(currency, money)| (currency, money.counted)).collect();
        summary
    }
}

/// The parts of an ARN.
struct ArnParts<'a> {
    region: &'a str,
    account: &'a str,
    id: &'a str,
}

/// `arn:aws:ec2:eu-central-1:123456789012:instance/i-0c80d1b0f3a0c5c69`, `arn:aws:lambda:eu-central-1:123456789012:function:resize:1` …
fn arn(kind: Kind, record: &ByteRecord, place: usize) -> Result<(&str, ArnParts<'_>), Fault> {
    let fault = (Some(place), kind.not_its_arn());
    let arn = text(record, place)?.ok_or((Some(place), "empty"))?;
    let mut parts = arn.splitn(6, ':');
    let mut next = || parts.next().ok_or(fault);
    let (scheme, _partition, service, region, account, resource) =
        (next()?, next()?, next()?, next()?, next()?, next()?);
    let (resource_type, id) = resource.split_once(['/', ':']).ok_or(fault)?;
    let is_its = resource_type == kind.resource_type() || kind == Kind::Rds && resource_type == "cluster";
    if scheme != "arn" || service != kind.arn_service() || !is_its || id.is_empty() {
        return Err(fault);
    }
    // `autoScalingGroup:UUID:autoScalingGroupName/NAME`
    let id = id.split_once("autoScalingGroupName/").map_or(id, |(_, name)| name);
    Ok((arn, ArnParts { region, account, id }))
}

fn text(record: &ByteRecord, place: usize) -> Result<Option<&str>, Fault> {
    record
        .get(place)
        .and_then(filled)
        .map(|cell| std::str::from_utf8(cell).map_err(|_| (Some(place), NOT_TEXT)))
        .transpose()
}
