//! Files that are recognised but not read: people are told what they have.

use crate::head::{Head, has};

/// What a file is that no format reads, to complete "The file is …"; `None` when it is not known either.
pub fn known(head: &Head<'_>) -> Option<&'static str> {
    let (object, first) = (head.object(), head.first());
    let found = if has(object, &["format_version", "resource_changes"]) {
        "a Terraform plan"
    } else if has(object, &["format_version", "terraform_version", "values"])
        || has(object, &["terraform_version", "lineage", "serial", "resources"])
    {
        "a Terraform state"
    } else if has(object, &["projects", "totalMonthlyCost"]) {
        "an Infracost estimate"
    } else if has(object, &["value"])
        && object["value"][0].get("properties").is_some_and(|one| has(one, &["impact", "category"]))
    {
        "a list of recommendations of Azure Advisor"
    } else if has(first, &["recommenderSubtype"]) || has(first, &["primaryImpact", "stateInfo"]) {
        "a list of recommendations of Google Cloud"
    } else if has(object, &["items"]) && object["items"][0].get("recommendationId").is_some() {
        "a list of recommendations of the AWS Cost Optimization Hub"
    } else if head.has_columns(&[
        "recommendationDisplayName",
        "subscriptionId",
        "azurePortalRecommendationLink",
    ]) {
        "a list of recommendations of Microsoft Defender for Cloud"
    } else {
        return None;
    };
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_named() {
        let of = |text: &str| known(&Head::new(text.as_bytes(), true));
        assert_eq!(
            of(r#"{"format_version": "0.1", "terraform_version": "0.14", "values": {}}"#),
            Some("a Terraform state")
        );
        assert_eq!(of(r#"{"projects": [], "totalMonthlyCost": "1"}"#), Some("an Infracost estimate"));
        assert_eq!(of(r#"{"value": [1]}"#), None);
        assert_eq!(of("a,b\n"), None);
    }
}
