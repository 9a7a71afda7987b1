//! A series labelled by a third party: two weeks of a measurement by the minute, of which three minutes are a hundred times as high.

use super::hourly::watch;
use super::recomputed::recompute;
use analysis::anomalies::{Measure, MeasuredSeries, Operator, SeriesKey, find_measured};
use catalogue::Decimal;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use uuid::Uuid;

const HOUR_MILLISECONDS: i64 = 3_600_000;

#[derive(Deserialize)]
struct Labelled {
    /// Milliseconds since 1970.
    true_anomaly: Vec<i64>,
    data: BTreeMap<i64, f64>,
}

fn hour(milliseconds: i64) -> i32 {
    i32::try_from(milliseconds.div_euclid(HOUR_MILLISECONDS)).unwrap()
}

#[test]
fn the_labelled_hour_is_found_and_no_other() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/anomaly");
    let folder = std::env::var_os("SHARED").map_or(folder, |shared| Path::new(&shared).join("data/anomaly"));
    let path = folder.join("nb_eval_series_0.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        return eprintln!("not compared: {} is not here", path.display());
    };
    let labelled: Labelled = serde_json::from_str(&text).unwrap();
    let mut hours: BTreeMap<i32, (f64, u32)> = BTreeMap::new();
    for (at, value) in &labelled.data {
        let (sum, count) = hours.entry(hour(*at)).or_default();
        (*sum, *count) = (*sum + value, *count + 1);
    }
    // The labelled minutes are in the last hour of the file, which is judged as soon as a later one has begun.
    let newest = hours.keys().next_back().unwrap() + 1;
    let mean = |(sum, count): (f64, u32)| Decimal::parse(&format!("{:.3}", sum / f64::from(count))).unwrap();
    let series = MeasuredSeries {
        key: SeriesKey {
            measure: Measure::Metric("bytes".to_owned()),
            account: Some(Uuid::from_u128(1)),
            tag: None,
            name: "memory".to_owned(),
        },
        hours: hours.into_iter().map(|(hour, all)| (hour, mean(all))).collect(),
        newest,
        watch: watch(Operator::Greater, 20),
        is_whole: false,
    };
    let found = find_measured(&[series], &[]).findings;
    let told: BTreeSet<i32> = found.iter().flat_map(|one| one.days.iter().map(|step| step.day)).collect();
    let wanted: BTreeSet<i32> = labelled.true_anomaly.iter().map(|at| hour(*at)).collect();
    assert_eq!(told, wanted);
    for one in &found {
        recompute(&one.reference_value().unwrap(), one.days[0].actual.to_f64());
    }
}
