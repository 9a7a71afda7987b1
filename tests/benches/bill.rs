//! Generates a bill of any length for the benchmarks.

use chrono::{Months, NaiveDateTime};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Writes a bill with that many `rows`: those of ../shared/data/focus (1,000 real ones) or, without it, of tests/fixtures, repeated with their four
/// times moved by whole months. Returns the origin of the rows.
pub fn write(project: &Path, bill: &Path, rows: usize) -> String {
    let real = project.join("../shared/data/focus/focus_sample_1000.csv");
    let source: PathBuf = if real.exists() { real } else { project.join("tests/fixtures/september.csv") };
    let mut reader = csv::Reader::from_path(&source).expect("the source can be read");
    let header = reader.headers().expect("it has a header").clone();
    let times: Vec<usize> =
        ["ChargePeriodStart", "ChargePeriodEnd", "BillingPeriodStart", "BillingPeriodEnd"]
            .iter()
            .filter_map(|name| header.iter().position(|column| column == *name))
            .collect();
    let samples: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("it is sound")).collect();
    let mut writer = csv::Writer::from_writer(BufWriter::new(File::create(bill).expect("there is room")));
    writer.write_record(&header).expect("there is room");
    for place in 0..rows {
        let months = Months::new(u32::try_from(place / samples.len() % 12).expect("it is below 12"));
        let row = &samples[place % samples.len()];
        let cells = row.iter().enumerate().map(|(column, cell)| {
            if times.contains(&column) { shifted(cell, months) } else { cell.to_owned() }
        });
        writer.write_record(cells).expect("there is room");
    }
    writer.flush().expect("there is room");
    source.display().to_string()
}

fn shifted(time: &str, months: Months) -> String {
    let plain = time.trim_end_matches('Z').replace('T', " ");
    match NaiveDateTime::parse_from_str(&plain, "%Y-%m-%d %H:%M:%S") {
        Ok(time) => (time + months).format("%Y-%m-%d %H:%M:%S").to_string(),
        Err(_) => time.to_owned(),
    }
}
