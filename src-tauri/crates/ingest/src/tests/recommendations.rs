//! Imports of Compute Optimizer exports.

use super::kit::{House, format_id};
use crate::{Report, State};
use catalogue::ValueRef;
use serde_json::Value;
use store::StoreError;

const HEADER: &str = "accountId,instanceArn,instanceName,currentInstanceType,finding,current_vcpus,recommendations_count,\
                      recommendationOptions_1_instanceType,recommendationOptions_2_instanceType,\
                      recommendationOptions_1_estimatedMonthlySavings_value,recommendationOptions_2_estimatedMonthlySavings_value,\
                      recommendationOptions_1_performanceRisk,recommendationOptions_2_performanceRisk\n";

/// One instance: its number, the finding, the saving of the first option.
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

#[test]
fn every_kind_of_export_is_read_with_the_saving_of_its_first_option() {
    for (header, row, rule, resource) in [
        (
            "accountId,autoScalingGroupArn,autoScalingGroupName,finding,currentConfiguration_instanceType,\
             recommendationOptions_1_configuration_instanceType,recommendationOptions_1_estimatedMonthlySavings_value",
            "1,arn:aws:autoscaling:eu-west-1:1:autoScalingGroup:0a-1:autoScalingGroupName/web,web,NotOptimized,m5.large,m6g.large,12.5",
            "auto_scaling_not_optimized | 12.5",
            "web | autoScalingGroup | Amazon Elastic Compute Cloud",
        ),
        (
            "accountId,functionArn,functionVersion,finding,currentConfiguration_memorySize,\
             recommendationOptions_1_configuration_memorySize,recommendationOptions_1_estimatedMonthlySavings_currency,\
             recommendationOptions_1_estimatedMonthlySavings_value",
            "1,arn:aws:lambda:eu-west-1:1:function:resize:7,7,NotOptimized,1024,512,USD,0.75",
            "lambda_not_optimized | 0.75",
            "resize:7 | function | AWS Lambda",
        ),
        (
            "accountId,serviceArn,finding,currentServiceConfiguration_cpu,recommendationOptions_1_cpu,\
             recommendationOptions_1_estimatedMonthlySavings_value",
            "1,arn:aws:ecs:eu-west-1:1:service/shop/web,Overprovisioned,1024,512,9",
            "ecs_over_provisioned | 9",
            "shop/web | service | Amazon Elastic Container Service",
        ),
        (
            "accountId,resourceArn,instanceFinding,storageFinding,currentDBInstanceClass,\
             instanceRecommendationOptions_1_dbInstanceClass,instanceRecommendationOptions_1_estimatedMonthlySavingsCurrency,\
             instanceRecommendationOptions_1_estimatedMonthlySavingsValue",
            "1,arn:aws:rds:eu-west-1:1:db:orders,Overprovisioned,Optimized,db.r5.large,db.r6g.large,USD,40.25",
            "rds_over_provisioned | 40.25",
            "orders | db | Amazon Relational Database Service",
        ),
    ] {
        let house = House::new();
        let report = house.import(format!("{header}\n{row}\n"));
        assert_eq!((report.state, format_id(&report)), (State::Done, "aws-compute-optimizer"), "{report:#?}");
        assert_eq!(house.rows("recommendation", &["rule_name", "estimated_savings"], &[]), [rule]);
        assert_eq!(house.rows("cloud_resourses", &["name", "type", "service_name"], &[]), [resource]);
        let evidence = house.rows("recommendation", &["recommendation"], &[]).remove(0);
        let evidence: Value = serde_json::from_str(&evidence).unwrap();
        assert!(evidence["current"].as_object().is_some_and(|current| current.len() == 1), "{evidence}");
        assert!(evidence["options"][0]["estimated_monthly_savings"].is_number(), "{evidence}");
    }
}

#[test]
fn an_arn_of_another_service_is_left_out_and_named() {
    let house = House::new();
    let header = "accountId,functionArn,finding,recommendationOptions_1_configuration_memorySize";
    let report = house.import(format!("{header}\n1,arn:aws:ec2:eu-west-1:1:instance/i-1,NotOptimized,512\n"));
    assert!(
        report.reasons.iter().any(|reason| reason.reason == "not the ARN of a Lambda function"),
        "{report:#?}"
    );
}

#[test]
fn a_resource_that_another_tool_advises_about_stays_when_its_bill_is_taken_back() {
    let house = House::new();
    let bill = "BilledCost,BillingCurrency,ChargePeriodStart,ChargePeriodEnd,BillingPeriodStart,ChargeCategory,ServiceName,ProviderName,\
                BillingAccountId,SubAccountId,ResourceId\n\
                1.50,USD,2026-05-01T00:00:00Z,2026-05-02T00:00:00Z,2026-05-01T00:00:00Z,Usage,Compute,AWS,9001,9002,i-1\n";
    assert_eq!(house.import(bill).state, State::Done);
    // A recommendation from a tool, without a rule version.
    let advise = |rows: &store::Transaction<'_>| {
        let found = rows.select("cloud_resourses", &["id", "account"], &[])?;
        rows.insert(
            "recommendation",
            &[
                ("cloud_account_id", found[0][1].borrow()),
                ("resource_id", found[0][0].borrow()),
                ("rule_name", "ec2_over_provisioned".into()),
                ("recommendation", ValueRef::Json("{}")),
                ("recommendation_action", "Modify".into()),
                ("status", "Open".into()),
            ],
        )
    };
    house.store.transaction::<_, StoreError>(&house.caller, advise).unwrap();
    let by = crate::undo::UndoRequest { person: None, clock: || 0 };
    crate::undo::undo(&house.store, &house.caller, uuid::Uuid::from_u128(0x1001), &[], by).unwrap();
    assert_eq!((house.count("spends"), house.count("recommendation")), (0, 1));
    assert_eq!(house.count("cloud_resourses"), 1);
}
