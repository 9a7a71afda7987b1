//! What becomes of Compute Optimizer exports.

use super::kit::{House, format_id};
use crate::{Report, State};
use catalogue::ValueRef;
use serde_json::Value;
use store::StoreError;

const HEADER: &str = "accountId,instanceArn,instanceName,currentInstanceType,finding,current_vcpus,recommendations_count,\
                      recommendationOptions_1_instanceType,recommendationOptions_2_instanceType,\
                      recommendationOptions_1_estimatedMonthlySavings_value,recommendationOptions_2_estimatedMonthlySavings_value,\
                      recommendationOptions_1_performanceRisk,recommendationOptions_2_performanceRisk\n";

/// One instance: its number, what was found, what the first option saves.
fn row(instance: &str, finding: &str, savings: &str) -> String {
    format!(
        "123456789012,arn:aws:ec2:eu-central-1:123456789012:instance/i-{instance},web,m5.xlarge,{finding},4,1,m5.large,,{savings},,2.0,3.0\n"
    )
}

fn import(house: &House, rows: &[String]) -> Report {
    house.import(HEADER.to_owned() + &rows.concat())
}

fn stored(house: &House) -> Vec<String> {
    house.rows("recommendation", &["rule_name", "estimated_savings", "severity", "status", "category"], &[])
}

#[test]
fn a_finding_becomes_an_open_recommendation_with_the_options_as_evidence() {
    let house = House::new();
    let report = import(&house, &[row("1", "OVER_PROVISIONED", "33.790000000000000001")]);
    assert_eq!((report.state, format_id(&report)), (State::Done, "aws-compute-optimizer"));
    assert_eq!(
        stored(&house),
        ["ec2_over_provisioned | 33.790000000000000001 | Medium | Open | RightSizing"]
    );
    let evidence: Value =
        serde_json::from_str(&house.rows("recommendation", &["recommendation"], &[])[0]).unwrap();
    assert_eq!(evidence["current"], serde_json::json!({"instance_type": "m5.xlarge", "vcpus": 4}));
    assert_eq!(evidence["options"].as_array().unwrap().len(), 1);
    assert_eq!(evidence["options"][0]["instance_type"], "m5.large");
    assert_eq!(evidence["options"][0]["performance_risk"], 2);
    assert_eq!(
        house.rows("cloud_resourses", &["name", "type", "region", "arn"], &[]),
        ["web | instance | eu-central-1 | arn:aws:ec2:eu-central-1:123456789012:instance/i-1"]
    );
    assert_eq!(
        house.rows("cloud_accounts", &["account_number", "cloud_provider"], &[]),
        ["123456789012 | AWS"]
    );
}

#[test]
fn what_is_optimised_or_repeated_is_counted_but_not_recommended() {
    let house = House::new();
    let rows = [
        row("1", "OVER_PROVISIONED", "10"),
        row("1", "OVER_PROVISIONED", "3"),
        row("1", "UNDER_PROVISIONED", "0"),
        row("2", "OPTIMIZED", "80"),
    ];
    let report = import(&house, &rows);
    assert_eq!((report.rows_read, report.rows_written, report.rows_skipped), (4, 2, 2));
    assert_eq!(report.savings[0].estimated_monthly_savings, "10");
    assert!(report.notes[0].starts_with(
        "The first options of all rows add up to 93 USD a month. 10 USD of it are counted as savings; 80 USD stand in rows of \
         resources that are optimised already and 3 USD in rows that repeat an earlier one"
    ));
    let lines: Vec<u64> = report.skipped.iter().map(|skipped| skipped.line).collect();
    assert_eq!(lines, [3, 5]);
}

#[test]
fn rows_that_cannot_be_told_are_left_out_with_their_reason() {
    let house = House::new();
    let rows = [
        row("1", "Unavailable", "1"),
        row("2", "OVER_PROVISIONED", "much"),
        "1,web,,,OPTIMIZED,,,,,,,,\n".to_owned(),
    ];
    let report = import(&house, &rows);
    let reasons: Vec<&str> = report.skipped.iter().map(|skipped| skipped.reason.as_str()).collect();
    assert_eq!(reasons, ["an unknown finding", "not a number", "not the ARN of an EC2 instance"]);
}

#[test]
fn a_later_export_updates_the_numbers_and_keeps_what_a_person_decided() {
    let house = House::new();
    import(&house, &[row("1", "OVER_PROVISIONED", "10")]);
    let dismissed: Result<u64, StoreError> = house.store.transaction(&house.caller, |rows| {
        let set = [("status", ValueRef::Text("Dismissed")), ("note", "too risky".into())];
        rows.update("recommendation", &[], &set)
    });
    dismissed.unwrap();
    let report = import(&house, &[row("1", "OVER_PROVISIONED", "250")]);
    assert_eq!(stored(&house), ["ec2_over_provisioned | 250 | High | Dismissed | RightSizing"]);
    assert_eq!(house.rows("recommendation", &["note"], &[]), ["too risky"]);
    assert!(report.notes.iter().any(|note| note.contains("keep the status a person gave them")));
}

#[test]
fn volumes_are_read_like_instances() {
    let house = House::new();
    let report = house.import(
        "accountId,volumeArn,finding,current_monthlyPrice,currentConfiguration_volumeType,recommendations_count,\
         recommendationOptions_1_configuration_volumeType,recommendationOptions_1_estimatedMonthlySavings_value\n\
         123456789012,arn:aws:ec2:us-west-2:123456789012:volume/vol-1,NotOptimized,8.0,gp2,1,gp3,6.2\n",
    );
    assert_eq!(format_id(&report), "aws-compute-optimizer");
    assert_eq!(stored(&house), ["ebs_not_optimized | 6.2 | Low | Open | RightSizing"]);
    assert_eq!(house.rows("cloud_resourses", &["name", "type"], &[]), ["vol-1 | volume"]);
}
