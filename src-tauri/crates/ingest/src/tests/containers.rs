//! Archives: their members are imported instead, receipts refer to members, and archive bombs and damaged archives are refused.

use super::kit::{House, PARTIES, decimal, focus, gzip};
use crate::{Archive, State, record_at};
use flate2::Crc;
use flate2::write::DeflateEncoder;
use std::io::Write;
use std::sync::atomic::AtomicBool;

/// A ZIP archive of deflated members.
pub fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(content).unwrap();
        let packed = encoder.finish().unwrap();
        let mut crc = Crc::new();
        crc.update(content);
        let number = |length: usize| u32::try_from(length).unwrap().to_le_bytes();
        let short = |length: usize| u16::try_from(length).unwrap().to_le_bytes();
        let common = [
            &[20, 0, 0, 0, 8, 0, 0, 0, 0, 0][..],
            &crc.sum().to_le_bytes(),
            &number(packed.len()),
            &number(content.len()),
            &short(name.len()),
            &[0, 0],
        ]
        .concat();
        let offset = number(bytes.len());
        bytes.extend([b"PK\x03\x04", &common[..], name.as_bytes(), &packed].concat());
        directory.extend([b"PK\x01\x02\x14\x00", &common[..], &[0; 10], &offset, name.as_bytes()].concat());
    }
    let count = u16::try_from(members.len()).unwrap().to_le_bytes();
    let (length, start) = (u32::try_from(directory.len()).unwrap(), u32::try_from(bytes.len()).unwrap());
    bytes.extend(directory);
    bytes.extend(
        [b"PK\x05\x06\0\0\0\0", &count[..], &count, &length.to_le_bytes(), &start.to_le_bytes(), &[0, 0]]
            .concat(),
    );
    bytes
}

pub fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = ::tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = ::tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *content).unwrap();
    }
    builder.into_inner().unwrap()
}

fn bill(account: &str, cost: &str) -> String {
    let charge = format!("{cost} USD 2026-05-02");
    let parties = format!("AWS,{account},{account},Shop");
    focus(PARTIES, &[(charge.as_str(), parties.as_str())])
}

#[test]
fn an_archive_of_one_file_is_that_file() {
    let text = bill("111", "1.5");
    let zipped = zip(&[("export/part.csv", text.as_bytes())]);
    let deep = zip(&[("a/inner.zip", &zip(&[("part.csv.gz", &gzip(text.as_bytes()))]))]);
    for bytes in [
        zipped,
        deep,
        gzip(&tar(&[("part.csv", text.as_bytes())])),
        tar(&[("part.csv", text.as_bytes())]),
        zstd::encode_all(text.as_bytes(), 1).unwrap(),
    ] {
        let mut house = House::new();
        house.archive = Some(Archive::new(house.folder.path().join("kept"), 1 << 30));
        let told = house.import(&bytes);
        assert_eq!((told.state, told.rows_written), (State::Done, 1), "{told:#?}");
        assert_eq!(
            (told.format.as_ref().map(|format| format.id.as_str()), told.size_bytes),
            (Some("focus"), bytes.len() as u64)
        );
        assert_eq!(house.rows("spends", &["billed_cost", "source_line"], &[]), ["1.5 | 2"]);
        let kept = house.archive.as_ref().unwrap().find(&told.sha256).unwrap().expect("the archive is kept");
        let receipt = record_at(&kept, 2).unwrap().unwrap();
        assert!(receipt.text.starts_with("1.5,USD"), "{receipt:?}");
        assert_eq!(house.import(&bytes).state, State::Unchanged);
    }
}

#[test]
fn the_files_of_an_archive_are_imports_of_their_own() {
    let mut house = House::new();
    house.archive = Some(Archive::new(house.folder.path().join("kept"), 1 << 30));
    let (one, two) = (bill("111", "1"), bill("222", "2"));
    let bytes = zip(&[
        ("run/1.csv", one.as_bytes()),
        ("run/2.csv", two.as_bytes()),
        ("README.md", b"# Read me\n"),
        ("__MACOSX/._1.csv", b"\0\0"),
    ]);
    let told = house.import(&bytes);
    assert_eq!(
        (told.state, told.format.as_ref().map(|format| format.id.as_str())),
        (State::Done, Some("archive")),
        "{told:#?}"
    );
    assert!(told.notes.contains(&"file.csv/run/1.csv: 1 rows, 1 USD".to_owned()), "{told:#?}");
    assert!(
        told.notes.contains(&"Left out: README.md (text that starts with “# Read me”).".to_owned()),
        "{told:#?}"
    );
    assert_eq!(house.sum("billed_cost", "USD"), "3");
    assert_eq!(
        house.rows("imports", &["file_name", "state", "rows_written"], &[]),
        ["file.csv | done | 0", "file.csv/run/1.csv | done | 1", "file.csv/run/2.csv | done | 1"]
    );
    let hashes = house.rows("imports", &["sha256"], &[store::eq("file_name", "file.csv/run/2.csv")]);
    let kept = house.archive.as_ref().unwrap().find(&hashes[0]).unwrap().expect("the file is kept");
    assert!(record_at(&kept, 2).unwrap().unwrap().text.starts_with("2,USD"));
    assert_eq!(house.import(&bytes).state, State::Unchanged);
    assert_eq!(house.sum("billed_cost", "USD"), "3");
}

#[test]
fn a_run_of_an_export_comes_in_one_archive_with_its_manifest() {
    let manifest = br#"{"assemblyId":"20260605T080910Z","account":"1","reportName":"cur",
        "reportKeys":["cur/20260501-20260601/a/cur-1.csv","cur/20260501-20260601/a/cur-2.csv"],
        "billingPeriod":{"start":"20260501T000000.000Z","end":"20260601T000000.000Z"}}"#;
    let (one, two) = (bill("111", "1"), bill("222", "2"));
    let house = House::new();
    let bytes = gzip(&tar(&[
        ("cur/20260501-20260601/a/cur-Manifest.json", manifest),
        ("cur/20260501-20260601/a/cur-1.csv", one.as_bytes()),
        ("cur/20260501-20260601/a/cur-2.csv", two.as_bytes()),
    ]));
    let told = house.import(&bytes);
    assert_eq!(told.state, State::Done, "{told:#?}");
    let of_run = house.rows("imports", &["format"], &[store::eq("state", "done")]);
    assert_eq!(of_run, ["archive", "focus", "focus", "manifest"]);
    assert_eq!(house.sum("billed_cost", "USD"), "3");
}

#[test]
fn archives_that_are_dangerous_or_damaged_are_refused_in_words() {
    let good = zip(&[("a.csv", bill("1", "1").as_bytes())]);
    let mut wrong = good.clone();
    wrong[40] ^= 0xff;
    let nested = (0..4).fold(zip(&[("a.csv", b"a,b\n1,2\n")]), |inner, _| zip(&[("inner.zip", &inner)]));
    let bomb = zip(&[("zeros", &vec![0; 80 << 20])]);
    for (bytes, words) in [
        (zip(&[("../../etc/cron.d/x", b"x")]), "names a file outside of itself"),
        (good[..good.len() - 30].to_vec(), "is damaged or ends too early"),
        (wrong, "is damaged or ends too early"),
        (nested, "archives in archives"),
        (bomb, "more than 200 times as long"),
        (
            zip(&[("a.txt", b"Hello"), ("b.txt", b"there")]),
            "files that cannot be imported: a.txt (text that starts with “Hello”)",
        ),
        (zip(&[]), "a ZIP archive without files"),
        (gzip(&tar(&[("a.csv", b"x")]))[..60].to_vec(), "ends too early"),
    ] {
        let house = House::new();
        let told = house.import(&bytes);
        let message = told.error.clone().unwrap_or_else(|| panic!("{words}: {told:#?}")).message;
        assert!(message.contains(words), "{words}: {message}");
        assert_eq!((told.state, house.count("spends"), house.count("imports")), (State::Failed, 0, 1));
    }
}

#[test]
fn one_bad_archive_does_not_stop_the_files_beside_it() {
    let house = House::new();
    let paths = [
        house.file("bad.zip", b"PK\x03\x04 and no more"),
        house.file("good.csv", bill("1", "4").as_bytes()),
        house.file("good.zip", &zip(&[("x.csv", bill("2", "5").as_bytes())])),
    ];
    let told = house.deliver(&paths, None, false, &AtomicBool::new(false)).unwrap();
    let states: Vec<State> = told.iter().map(|report| report.as_ref().unwrap().state).collect();
    assert_eq!(states, [State::Failed, State::Done, State::Done]);
    assert_eq!(decimal(&house.sum("billed_cost", "USD")), decimal("9"));
}

#[test]
fn two_files_of_one_name_are_both_imported() {
    let house = House::new();
    let (one, two) = (bill("111", "1"), bill("222", "2"));
    let told = house.import(zip(&[("a.csv", one.as_bytes()), ("a.csv", two.as_bytes())]));
    assert_eq!(told.state, State::Done, "{told:#?}");
    assert_eq!(house.rows("spends", &["billed_cost"], &[]), ["1", "2"]);
    assert_eq!(told.notes, ["file.csv/a.csv: 1 rows, 1 USD", "file.csv/a.csv (2): 1 rows, 2 USD"]);
}
