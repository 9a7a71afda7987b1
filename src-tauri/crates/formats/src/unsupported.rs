//! Files that are recognised but not supported: the user is told the file's type.

use crate::head::{Head, has};

/// The type of a file that no format reads; completes "The file is …". `None` when the type is unknown.
pub fn find_unsupported_type(head: &Head<'_>) -> Option<&'static str> {
    let objects = [head.object(), head.first()];
    let any = |keys: &[&str]| objects.iter().any(|object| has(object, keys));
    let columns = |names: &[&str]| head.has_columns(names);
    let text = |key: &str| head.object().get(key).and_then(serde_json::Value::as_str).unwrap_or_default();
    if any(&["bomFormat", "specVersion"]) || text("spdxVersion").starts_with("SPDX") {
        return Some(
            "a list of the parts of a program (SBOM), which has no findings: scan it, as with trivy sbom",
        );
    }
    if any(&["Records", "eventVersion"])
        || any(&["eventVersion", "eventSource", "eventName"])
        || is_of_trail(head)
    {
        return Some("a log of AWS CloudTrail, whose calls are not read");
    }
    if any(&["dashboard", "meta"]) || any(&["panels", "schemaVersion"]) {
        return Some("a dashboard of Grafana, which has no measurements");
    }
    if any(&["manifestVersion", "blobs"]) || any(&["assemblyId", "columns"]) {
        return Some("a manifest without the files it names: import it with them");
    }
    if any(&["AWSTemplateFormatVersion"]) {
        return Some("a template of CloudFormation, which describes planned resources, not existing ones");
    }
    if columns(&["password_enabled", "mfa_active", "access_key_1_active"]) {
        return Some("a credential report of AWS IAM, which is not read");
    }
    None
}

fn is_of_trail(head: &Head<'_>) -> bool {
    let records = head.object().get("Records").and_then(|records| records.get(0));
    records.is_some_and(|record| has(record, &["eventSource", "eventName"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_named() {
        let of = |text: &str| find_unsupported_type(&Head::new(text.as_bytes(), true)).unwrap_or_default();
        assert!(of(r#"{"bomFormat": "CycloneDX", "specVersion": "1.5"}"#).contains("SBOM"));
        assert!(of(r#"{"Records": [{"eventSource": "s3", "eventName": "Get"}]}"#).contains("CloudTrail"));
        assert!(of("user,password_enabled,mfa_active,access_key_1_active\n").contains("credential report"));
        assert_eq!(of(r#"{"value": [1]}"#), "");
        assert_eq!(of("a,b\n"), "");
    }
}
