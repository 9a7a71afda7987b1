//! Small files of our own; the real ones are tried in crate `ingest`.

use crate::kubernetes::tests::RecordCollector;
use crate::record::{Record, Resource};
use crate::{Head, recognise};

fn read(text: &str) -> (&'static str, RecordCollector) {
    let format = recognise(&Head::new(text.as_bytes(), true)).expect("a format");
    let mut taken = RecordCollector::default();
    (format.read)(&mut text.as_bytes(), &mut taken).unwrap();
    (format.id, taken)
}

fn resources(taken: &RecordCollector) -> Vec<&Resource> {
    let resource = |(_, record): &'_ (String, Record)| matches!(record, Record::Resource(_));
    let all = taken.records.iter().filter(|one| resource(one));
    all.filter_map(|(_, record)| if let Record::Resource(resource) = record { Some(resource) } else { None })
        .collect()
}

const STATE: &str = r#"{"format_version": "1.0", "terraform_version": "1.9.0", "values": {"root_module": {"resources": [
    {"address": "aws_db_instance.main", "mode": "managed", "type": "aws_db_instance", "values": {"arn":
     "arn:aws:rds:eu-west-1:123456789012:db:main", "instance_class": "db.t3.small", "password": "hunter2", "tags": {"Name": "Main"}}},
    {"address": "data.aws_ami.ubuntu", "mode": "data", "type": "aws_ami", "values": {}}],
    "child_modules": [{"address": "module.a", "resources": [{"address": "module.a.random_id.x[\"k\"]", "mode": "managed",
     "type": "random_id", "values": {"id": "abc"}}]}]}}}"#;

#[test]
fn a_state_tells_its_resources_and_no_secret() {
    let (id, taken) = read(STATE);
    let found = resources(&taken);
    assert_eq!((id, found.len()), ("terraform", 2));
    let database = found[0];
    assert_eq!(
        (database.account.provider.as_str(), database.account.number.as_str()),
        ("AWS", "123456789012")
    );
    assert_eq!((database.name.as_deref(), database.region.as_deref()), (Some("Main"), Some("eu-west-1")));
    assert!(!format!("{:?}", taken.records).contains("hunter2"));
    assert_eq!(found[1].account.name.as_deref(), Some("Terraform (random)"));
    assert_eq!(taken.skipped[0].0, "$.values.root_module.resources[1]");
    assert_eq!(taken.records[1].0, "$.values.root_module.child_modules[0].resources[0]");
}

#[test]
fn a_plan_tells_what_is_there_and_a_state_file_its_instances() {
    let plan = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {}, "resource_changes": [
        {"address": "google_compute_disk.d", "mode": "managed", "type": "google_compute_disk", "change": {"actions": ["delete"],
         "before": {"self_link": "https://g/disks/d", "project": "p-1", "zone": "europe-west1-b"}, "after": null}},
        {"address": "aws_instance.new", "mode": "managed", "type": "aws_instance", "change": {"actions": ["create"], "before": null}}]}"#;
    let (_, taken) = read(plan);
    let disk = resources(&taken)[0];
    assert_eq!((disk.account.number.as_str(), disk.external_id.as_str()), ("p-1", "https://g/disks/d"));
    assert_eq!(disk.meta.as_ref().unwrap()["terraform_plan"][0], "delete");
    assert_eq!(
        taken.skipped,
        [("$.resource_changes[1]".to_owned(), "it is to be created: nothing of it is there yet")]
    );
    let state = r#"{"version": 4, "terraform_version": "1.9.0", "serial": 3, "lineage": "l", "resources": [{"mode": "managed",
        "type": "azurerm_linux_virtual_machine", "name": "vm", "module": "module.m", "instances": [{"index_key": 0, "attributes":
        {"id": "/subscriptions/s-1/resourceGroups/rg/vm", "location": "westeurope", "admin_password": "hunter2"}}]}]}"#;
    let (_, taken) = read(state);
    let machine = resources(&taken)[0];
    assert_eq!((machine.account.provider.as_str(), machine.account.number.as_str()), ("Azure", "s-1"));
    assert_eq!(
        machine.meta.as_ref().unwrap()["terraform_address"],
        "module.m.azurerm_linux_virtual_machine.vm[0]"
    );
    assert!(!format!("{:?}", taken.records).contains("hunter2"));
}

#[test]
fn an_estimate_is_kept_with_its_resource_and_what_depends_on_usage_is_left_out() {
    let text = r#"{"version": "0.2", "currency": "EUR", "projects": [{"name": "web", "metadata": {}, "breakdown": {"resources": [
        {"name": "module.net.aws_instance.a[0]", "monthlyCost": "4.596"}, {"name": "aws_lambda_function.f", "monthlyCost": null}],
        "totalMonthlyCost": "4.596"}}], "totalMonthlyCost": "4.596", "timeGenerated": "2026-05-01T00:00:00Z"}"#;
    let (id, taken) = read(text);
    let instance = resources(&taken)[0];
    assert_eq!((id, instance.kind.as_deref()), ("infracost", Some("aws_instance")));
    assert_eq!(instance.meta.as_ref().unwrap()["estimated_monthly_cost"], "4.596");
    assert_eq!(taken.skipped[0].0, "$.projects[0].breakdown.resources[1]");
    assert!(taken.notes[0].contains("4.596 EUR a month"), "{:?}", taken.notes);
}
