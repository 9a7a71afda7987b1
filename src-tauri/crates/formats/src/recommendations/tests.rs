//! Tests with small hand-written responses, in the shapes that the tools' documentation shows.

use crate::record::{Finding, FindingState, Record, Severity};
use crate::{Head, Position, ReadError, Sink, recognise};

#[derive(Default)]
struct Collected {
    findings: Vec<Finding>,
    skipped: Vec<(String, &'static str)>,
}

impl Sink for Collected {
    fn record(&mut self, _: &Position, record: Record) -> Result<(), ReadError> {
        if let Record::Finding(finding) = record {
            self.findings.push(*finding);
        }
        Ok(())
    }

    fn skip(&mut self, place: &Position, reason: &'static str, _: &str) -> Result<(), ReadError> {
        self.skipped.push((place.0.clone(), reason));
        Ok(())
    }

    fn note(&mut self, _: String) {}
}

fn read(text: &str) -> (&'static str, Collected) {
    let format = recognise(&Head::new(text.as_bytes(), true)).expect("a format");
    let mut collected = Collected::default();
    (format.read)(&mut text.as_bytes(), &mut collected).unwrap();
    (format.id, collected)
}

fn savings(finding: &Finding) -> Option<String> {
    finding.monthly_savings.map(|sum| sum.to_string())
}

#[test]
fn the_cost_optimization_hub_tells_savings_and_what_is_to_be_done() {
    let answer = r#"{"items": [
        {"recommendationId": "r1", "accountId": "123456789012", "region": "eu-west-1", "resourceId": "i-1",
         "resourceArn": "arn:aws:ec2:eu-west-1:123456789012:instance/i-1", "currentResourceType": "Ec2Instance",
         "estimatedMonthlySavings": 12.35, "currencyCode": "USD", "actionType": "Rightsize", "implementationEffort": "Medium",
         "restartNeeded": true, "rollbackPossible": true, "currentResourceSummary": "m5.large"},
        {"accountId": "123456789012", "estimatedMonthlySavings": 1}], "nextToken": "x"}"#;
    let (id, found) = read(answer);
    assert_eq!((id, found.findings.len()), ("aws-cost-optimization-hub", 1));
    let one = &found.findings[0];
    assert_eq!(
        (savings(one).as_deref(), one.category, one.account.number.as_str()),
        (Some("12.35"), "RightSizing", "123456789012")
    );
    assert_eq!(
        (one.details["currency"].as_str(), one.details["restart_needed"].as_bool()),
        (Some("USD"), Some(true))
    );
    assert_eq!(found.skipped[0].0, "$.items[1]");
    let export = "recommendation_id,account_id,action_type,currency_code,current_resource_type,resource_arn,\
                  estimated_monthly_savings_before_discount,estimated_monthly_savings_after_discount\n\
                  r2,123456789012,Delete,USD,EbsVolume,arn:aws:ec2:eu-west-1:123456789012:volume/vol-1,9,8.1\n";
    let (id, found) = read(export);
    assert_eq!((id, savings(&found.findings[0]).as_deref()), ("aws-cost-optimization-hub", Some("8.1")));
    assert_eq!(found.findings[0].action, "Delete");
}

#[test]
fn trusted_advisor_is_read_in_all_three_answers() {
    let arn = "arn:aws:trustedadvisor::123456789012:recommendation/r1";
    let summaries = format!(
        r#"{{"recommendationSummaries": [{{"id": "r1", "arn": "{arn}", "name": "Low utilisation", "status": "warning",
        "checkArn": "arn:aws:trustedadvisor:::check/Qch7DwouX1", "pillars": ["cost_optimizing"],
        "pillarSpecificAggregates": {{"costOptimizing": {{"estimatedMonthlySavings": 14.4}}}}}},
        {{"id": "r2", "arn": "{arn}", "status": "ok", "name": "Fine"}}]}}"#
    );
    let (id, found) = read(&summaries);
    assert_eq!((id, savings(&found.findings[0]).as_deref()), ("aws-trusted-advisor", Some("14.4")));
    assert_eq!(found.findings[1].state, FindingState::Passed);
    let resources = format!(
        r#"{{"recommendationResourceSummaries": [{{"id": "x", "arn": "{arn}/x", "awsResourceId": "i-1", "regionCode": "eu-west-1",
        "recommendationArn": "{arn}", "status": "error", "metadata": {{"Estimated Monthly Savings": "$3"}}}}]}}"#
    );
    assert_eq!(read(&resources).1.findings[0].severity, Severity::High);
    let support = r#"{"result": {"checkId": "Qch7DwouX1", "status": "warning", "flaggedResources": [
        {"status": "warning", "region": "eu-west-1", "resourceId": "abc", "isSuppressed": true, "metadata": ["eu-west-1a"]}]}}"#;
    let (_, found) = read(support);
    assert_eq!(
        (found.findings[0].state, found.findings[0].subject.as_str()),
        (FindingState::Suppressed, "abc")
    );
}

#[test]
fn flagged_resources_without_an_id_or_with_an_unknown_status_are_left_out_by_name() {
    let support = r#"{"result": {"checkId": "c", "status": "warning", "flaggedResources": [
        {"status": "warning", "resourceId": "abc"}, {"status": "warning"}, {"status": "new", "resourceId": "def"}]}}"#;
    let (_, found) = read(support);
    let places: Vec<&str> = found.skipped.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(found.findings.len(), 1);
    assert_eq!(places, ["$.result.flaggedResources[1]", "$.result.flaggedResources[2]"]);
}

#[test]
fn a_member_of_a_single_object_that_cannot_be_read_is_left_out_by_name() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let support = format!(
        r#"{{"result": {{"checkId": "c", "flaggedResources": [{{"status": "ok", "resourceId": "abc"}}]}}, "extra": {deep}}}"#
    );
    let mut collected = Collected::default();
    (super::TRUSTED_ADVISOR.read)(&mut support.as_bytes(), &mut collected).unwrap();
    assert_eq!((collected.findings.len(), collected.skipped.len()), (1, 1));
    assert_eq!(collected.skipped[0].0, "$.extra");
}

#[test]
fn azure_advisor_is_read_as_the_interface_and_the_command_line_write_it() {
    let resource = "/subscriptions/S-1/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/VM1";
    let properties = format!(
        r#""category": "Cost", "impact": "High", "impactedField": "Microsoft.Compute/virtualMachines", "impactedValue": "VM1",
        "recommendationTypeId": "t-1", "shortDescription": {{"problem": "Shut it down", "solution": "Do"}},
        "resourceMetadata": {{"resourceId": "{resource}"}},
        "extendedProperties": {{"annualSavingsAmount": "1200", "savingsCurrency": "EUR"}}"#
    );
    for text in [
        format!(r#"{{"value": [{{"id": "x", "properties": {{{properties}}}}}]}}"#),
        format!("[{{{properties}}}]"),
    ] {
        let (id, found) = read(&text);
        let one = &found.findings[0];
        assert_eq!(
            (id, one.account.number.as_str(), savings(one).as_deref()),
            ("azure-advisor", "s-1", Some("100"))
        );
        assert_eq!((one.severity, one.subject.as_str()), (Severity::High, resource.to_lowercase().as_str()));
    }
}

#[test]
fn a_recommendation_of_google_saves_what_its_projection_falls_by() {
    let one = |state: &str, duration: &str| {
        format!(
            r#"[{{"name": "projects/p-1/locations/europe-west1-b/recommenders/google.compute.instance.MachineTypeRecommender/recommendations/a",
            "description": "Smaller", "recommenderSubtype": "CHANGE_MACHINE_TYPE", "priority": "P2", "stateInfo": {{"state": "{state}"}},
            "primaryImpact": {{"category": "COST", "costProjection": {{"cost": {{"currencyCode": "EUR", "units": "-7", "nanos": -500000000}},
            "duration": "{duration}"}}}}, "content": {{"operationGroups": [{{"operations": [{{"resource": "//compute/instances/vm"}}]}}]}}}}]"#
        )
    };
    let (id, found) = read(&one("ACTIVE", "2592000s"));
    let finding = &found.findings[0];
    assert_eq!(
        (id, savings(finding).as_deref(), finding.category),
        ("gcp-recommender", Some("7.5"), "RightSizing")
    );
    assert_eq!((finding.severity, finding.subject_name.as_deref()), (Severity::High, Some("vm")));
    let (_, found) = read(&one("DISMISSED", "31536000s"));
    assert_eq!((found.findings[0].state, savings(&found.findings[0])), (FindingState::Suppressed, None));
}

#[test]
fn goldilocks_and_the_autoscaler_tell_the_same_of_a_container() {
    let summary = r#"{"Namespaces": {"shop": {"namespace": "shop", "workloads": {"web": {"controllerName": "web",
        "controllerType": "Deployment", "containers": {"nginx": {"containerName": "nginx", "target": {"cpu": "25m", "memory": "262144k"},
        "requests": {"cpu": "1"}}, "idle": {"target": {}}}}}}}}"#;
    let (id, found) = read(summary);
    assert_eq!((id, found.findings.len(), found.skipped.len()), ("goldilocks", 1, 1));
    let of_summary = &found.findings[0];
    let object = r#"{"apiVersion": "autoscaling.k8s.io/v1", "kind": "VerticalPodAutoscaler", "metadata": {"name": "v", "namespace": "shop"},
        "spec": {"targetRef": {"kind": "Deployment", "name": "web"}}, "status": {"recommendation": {"containerRecommendations":
        [{"containerName": "nginx", "target": {"cpu": "25m", "memory": "262144k"}}]}}}"#;
    let (id, found) = read(object);
    assert_eq!(id, "kubernetes");
    let of_object = &found.findings[0];
    assert_eq!((&of_object.subject, &of_object.rule), (&of_summary.subject, &of_summary.rule));
    assert_eq!(of_object.details["recommended"], of_summary.details["recommended"]);
    assert_eq!(of_object.account.provider, "K8s");
}

#[test]
fn a_container_that_asks_for_what_it_uses_passes() {
    let scan = |severity: &str| {
        format!(
            r#"{{"object": {{"cluster": "shop", "name": "web", "container": "app", "namespace": "shop", "kind": "Deployment", "allocations": {{}}}},
                "recommended": {{"requests": {{"cpu": {{"value": 0.1}}}}}}, "severity": "{severity}"}}"#
        )
    };
    let scans = ["CRITICAL", "WARNING", "OK", "GOOD", "UNKNOWN"].map(scan).join(", ");
    let (id, found) = read(&format!(r#"{{"scans": [{scans}], "strategy": {{"name": "simple"}}}}"#));
    let states: Vec<FindingState> = found.findings.iter().map(|finding| finding.state).collect();
    let [open, passed] = [FindingState::Open, FindingState::Passed];
    assert_eq!((id, states), ("krr", vec![open, open, passed, passed]));
    assert_eq!(found.skipped.len(), 1);
}
