//! Tests of loading and dumping tables.

use crate::data::open::OpenData;
use crate::tests::settings;
use crate::transfer::{Format, TableFile, dump, load};
use catalogue::Caller;
use tempfile::TempDir;

struct Desk {
    house: OpenData,
    _folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let house = OpenData::open(&settings(folder.path(), "127.0.0.1:0"), None).unwrap();
        Self { house, _folder: folder }
    }

    fn caller(&self) -> Caller {
        Caller::system_for(self.house.tenant.id)
    }

    fn load(&self, table: &str, format: Format, text: &str) -> Result<u64, String> {
        let file = TableFile { table, format, rows: text.as_bytes() };
        let loaded = load(&self.house.store, &self.caller(), vec![file]);
        loaded.map(|counts| counts[0]).map_err(|(_, error)| crate::error::chain(&error))
    }

    fn dump(&self, table: &str, format: Format) -> String {
        let mut out = Vec::new();
        dump(&self.house.store, &self.caller(), table, format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }
}

const TAGS: &str = "key\nteam\n\"a \"\"b\"\",\nc\"\n";

#[test]
fn rows_loaded_are_dumped_again_with_the_tenant_filled_in() {
    let desk = Desk::new();
    assert_eq!(desk.load("spend_tag_keys", Format::Csv, TAGS), Ok(2));
    let tenant = desk.house.tenant.id;
    let expected = format!(
        "{{\"tenant\":\"{tenant}\",\"key\":\"a \\\"b\\\",\\nc\"}}\n{{\"tenant\":\"{tenant}\",\"key\":\"team\"}}\n"
    );
    let dumped = desk.dump("spend_tag_keys", Format::Ndjson);
    let mut lines: Vec<&str> = dumped.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines.join("\n") + "\n", expected);
}

#[test]
fn of_several_files_all_are_loaded_or_none() {
    let desk = Desk::new();
    let load_both = |second: &str| {
        let rows = |text: &'static str| TableFile {
            table: "spend_tag_keys",
            format: Format::Csv,
            rows: text.as_bytes(),
        };
        let second = TableFile { rows: second.as_bytes(), ..rows("") };
        load(&desk.house.store, &desk.caller(), vec![rows(TAGS), second])
    };
    let (place, error) = load_both("key\ncrane\ncrane\n").unwrap_err();
    assert_eq!((place, error.to_string().as_str()), (1, "line 3 was refused; nothing was loaded"));
    assert_eq!(desk.dump("spend_tag_keys", Format::Ndjson), "");
    assert_eq!(load_both("key\ncrane\n").unwrap(), [2, 1]);
    assert_eq!(desk.dump("spend_tag_keys", Format::Ndjson).lines().count(), 3);
}

#[test]
fn formulas_are_harmless_in_a_dump_for_people_and_come_back() {
    let texts = ["=1+1", "'=1+1", "-12.5", "@x", "plain"];
    let here = Desk::new();
    let rows: String = texts.iter().map(|text| format!("{{\"key\":{text:?}}}\n")).collect();
    assert_eq!(here.load("spend_tag_keys", Format::Ndjson, &rows), Ok(5));
    let keys = |dump: String| {
        let mut keys: Vec<String> =
            dump.lines().skip(1).map(|line| line.split_once(',').unwrap().1.to_owned()).collect();
        keys.sort_unstable();
        keys
    };
    assert_eq!(keys(here.dump("spend_tag_keys", Format::Csv)), ["''=1+1", "'=1+1", "'@x", "-12.5", "plain"]);
    assert_eq!(keys(here.dump("spend_tag_keys", Format::RawCsv)), ["'=1+1", "-12.5", "=1+1", "@x", "plain"]);
    for format in [Format::Csv, Format::RawCsv] {
        let there = Desk::new();
        let file = format!("key\n{}\n", keys(here.dump("spend_tag_keys", format)).join("\n"));
        assert_eq!(there.load("spend_tag_keys", format, &file), Ok(5));
        assert_eq!(
            keys(there.dump("spend_tag_keys", Format::RawCsv)),
            keys(here.dump("spend_tag_keys", Format::RawCsv))
        );
    }
}

#[test]
fn a_dump_loads_elsewhere_without_a_change() {
    for format in [Format::Csv, Format::Ndjson] {
        let here = Desk::new();
        here.load("tenant", Format::Csv, "").unwrap_err();
        let columns = "file_name,size_bytes,sha256,report,created_at";
        let row = "bill.csv,7,ab,\"{\"\"a\"\":1.10}\",2026-11-20T06:38:00.5+01:00";
        assert_eq!(here.load("imports", Format::Csv, &format!("{columns}\n{row}\n")), Ok(1));
        let dumped = here.dump("imports", format);
        let there = Desk::new();
        let moved = dumped.replace(&here.house.tenant.id.to_string(), &there.house.tenant.id.to_string());
        assert_eq!(there.load("imports", format, &moved), Ok(1));
        assert_eq!(there.dump("imports", format), moved);
        assert!(moved.contains("2026-11-20T05:38:00.5"), "{moved}");
    }
}

#[test]
fn what_the_interface_shows_through_operations_only_is_loaded_and_dumped_too() {
    let desk = Desk::new();
    let prices = "provider,model,input,output\nlocal,small,0.5,1.25\n";
    assert_eq!(desk.load("llm_price", Format::Csv, prices), Ok(1));
    assert!(desk.dump("llm_price", Format::Csv).contains(",local,small,0.5,"));
}

#[test]
fn a_mistake_is_told_with_line_and_column_and_nothing_is_loaded() {
    let desk = Desk::new();
    for (table, format, text, expected) in [
        (
            "spend_tag_key",
            Format::Csv,
            TAGS,
            "there is no table \"spend_tag_key\"; did you mean spend_tag_keys?",
        ),
        (
            "session",
            Format::Csv,
            "id\n",
            "session is kept by the service itself and is neither loaded nor dumped",
        ),
        ("spend_tag_keys", Format::Csv, "", "the file is empty: expected a header with column names"),
        (
            "spend_tag_keys",
            Format::Csv,
            "key,kay\n",
            "line 1: the table spend_tag_keys has no column \"kay\"; it has tenant, key",
        ),
        (
            "imports",
            Format::Csv,
            "file_name,size_bytes,sha256\na,1,x\nb,many,x\n",
            "line 3, column size_bytes: \"many\" is not a whole number",
        ),
        (
            "imports",
            Format::Ndjson,
            "{\"file_name\":\"a\",\"size_bytes\":1,\"sha256\":\"x\"}\n\n{\"size_bytes\":true}\n",
            "line 3, column size_bytes: \"true\" is not a whole number",
        ),
        (
            "spend_tag_keys",
            Format::Ndjson,
            "[]\n",
            "line 1: expected a JSON object: invalid type: sequence, expected a map at line 1 column 0",
        ),
    ] {
        assert_eq!(desk.load(table, format, text), Err(expected.to_owned()), "{table} {text:?}");
    }
    let twice = desk.load("spend_tag_keys", Format::Csv, "key\na\nb\na\n").unwrap_err();
    assert!(twice.starts_with("line 4 was refused; nothing was loaded: "), "{twice}");
    assert_eq!(desk.dump("imports", Format::Ndjson), "");
    assert_eq!(desk.dump("spend_tag_keys", Format::Csv), "tenant,key\n");
}

#[test]
fn another_tenants_rows_are_not_taken() {
    let desk = Desk::new();
    let row = "{\"tenant\":\"00000000-0000-0000-0000-000000000001\",\"key\":\"a\"}\n";
    let refused = desk.load("spend_tag_keys", Format::Ndjson, row).unwrap_err();
    assert_eq!(refused, "line 1 was refused; nothing was loaded: access denied");
}

#[test]
fn a_value_that_refers_to_nothing_is_told_with_line_and_column() {
    let desk = Desk::new();
    let event = |account: &str, priority: &str, status: &str| {
        format!("{account},key,cluster,{{}},f,issue,{priority},pod,title,{status}\n")
    };
    let header = "cloud_account_id,aggregation_key,cluster,evidences,finding_id,finding_type,priority,subject_name,title,nb_status\n";
    let gone = "00000000-0000-0000-0000-0000000000a9";
    let refused = desk
        .load(
            "events",
            Format::Csv,
            &format!("{header}{}{}", event("", "LOW", "OPEN"), event(gone, "LOW", "OPEN")),
        )
        .unwrap_err();
    assert_eq!(
        refused,
        format!(
            "line 3, column cloud_account_id: there is no {gone}; expected the id of a row of cloud_accounts"
        )
    );
    let refused =
        desk.load("events", Format::Csv, &format!("{header}{}", event("", "URGENT", "OPEN"))).unwrap_err();
    assert_eq!(refused, "line 2, column priority: \"URGENT\" is not one of DEBUG, HIGH, INFO, LOW, MEDIUM");
    let row = format!("{{\"account_name\": \"a\", \"account_type\": \"aws\", \"created_by\": \"{gone}\"}}");
    let refused = desk.load("cloud_accounts", Format::Ndjson, &row).unwrap_err();
    assert!(refused.starts_with("line 1"), "{refused}");
    assert_eq!(desk.dump("events", Format::Ndjson), "");
}

#[test]
fn a_file_may_use_both_names_of_a_column_when_they_agree() {
    let desk = Desk::new();
    let header =
        "aggregation_key,cluster,evidences,finding_id,finding_type,subject_name,title,priority,severity\n";
    let row = |priority: &str, severity: &str| {
        format!("key,cluster,{{}},f,issue,pod,title,{priority},{severity}\n")
    };
    let file = format!("{header}{}{}{}", row("LOW", "LOW"), row("", "HIGH"), row("INFO", ""));
    assert_eq!(desk.load("events", Format::Csv, &file), Ok(3));
    let refused = desk.load("events", Format::Csv, &format!("{header}{}", row("LOW", "HIGH"))).unwrap_err();
    assert!(refused.contains("line 2: priority and severity are names of one value"), "{refused}");
    let dumped = desk.dump("events", Format::Csv);
    assert!(dumped.contains("priority") && !dumped.contains("severity"), "{dumped}");
}
