//! Recognises files that resemble a format but lack required parts, to report the missing parts instead of "unknown format".

use crate::head::Head;
use crate::read_error::ReadError;
use serde_json::Value;

/// How to recognise that a file was meant to have a format.
struct RequiredParts {
    title: &'static str,
    /// Keys of the document, or of the first element of its list, that only this format has together.
    shown_by: &'static [&'static str],
    /// Keys the format cannot be read without. Each group is satisfied by any one of its keys.
    needed: &'static [&'static [&'static str]],
}

const DOCUMENTS: &[RequiredParts] = &[
    RequiredParts {
        title: "a Trivy report",
        shown_by: &["SchemaVersion", "ArtifactName"],
        needed: &[&["Results"]],
    },
    RequiredParts {
        title: "a report of kube-bench",
        shown_by: &["Totals.total_pass"],
        needed: &[&["Controls"]],
    },
    RequiredParts {
        title: "findings of AWS Security Hub",
        shown_by: &["ProductArn", "AwsAccountId"],
        needed: &[&["SchemaVersion"], &["GeneratorId"]],
    },
    RequiredParts {
        title: "OCSF findings",
        shown_by: &["finding_info"],
        needed: &[&["severity_id"], &["class_uid", "status_code"]],
    },
    RequiredParts { title: "a report of Checkov", shown_by: &["check_type"], needed: &[&["results"]] },
    RequiredParts {
        title: "a webhook of Alertmanager",
        shown_by: &["receiver", "groupLabels"],
        needed: &[&["alerts"]],
    },
    RequiredParts {
        title: "an estimate of Infracost",
        shown_by: &["totalMonthlyCost"],
        needed: &[&["projects"]],
    },
    RequiredParts {
        title: "a state or plan of Terraform",
        shown_by: &["format_version", "terraform_version"],
        needed: &[&["values", "planned_values", "resource_changes"]],
    },
    RequiredParts {
        title: "sizes of KRR",
        shown_by: &["strategy", "resources", "score"],
        needed: &[&["scans"]],
    },
    RequiredParts {
        title: "recommendations of AWS Cost Optimization Hub",
        shown_by: &["recommendationId", "actionType"],
        needed: &[&["estimatedMonthlySavings"]],
    },
];

const TABLES: &[RequiredParts] = &[
    RequiredParts {
        title: "findings of Prowler",
        shown_by: &["CHECK_ID"],
        needed: &[&["STATUS"], &["FINDING_UID", "FINDING_UNIQUE_ID"]],
    },
    RequiredParts {
        title: "a list of recommendations of Microsoft Defender for Cloud",
        shown_by: &["recommendationDisplayName"],
        needed: &[&["subscriptionId"], &["resourceId"], &["recommendationName"], &["state"]],
    },
    RequiredParts {
        title: "an export of OpenCost",
        shown_by: &["ControllerKind", "Namespace"],
        needed: &[&["CPUCoreUsageAverage"], &["TotalCost"]],
    },
    RequiredParts {
        title: "a table of measurements",
        shown_by: &["resource", "metric", "value"],
        needed: &[&["account"], &["time"]],
    },
];

/// A file that resembles a format, and its missing parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingParts {
    /// Completes the sentence "The file looks like …".
    pub title: &'static str,
    pub missing: Vec<String>,
}

/// The missing parts of a file that no format recognises. `None` when it resembles no format, or when only part of a JSON file is
/// visible.
pub fn find_missing_parts(head: &Head<'_>) -> Option<MissingParts> {
    if !head.is_whole && head.columns().is_none() {
        return None;
    }
    let objects = [head.object(), head.first()];
    let of_document = |one: &RequiredParts| {
        let object = objects.iter().find(|object| one.shown_by.iter().all(|key| is_there(object, key)))?;
        find_missing(one, &|key| is_there(object, key))
    };
    let of_table = |one: &RequiredParts| {
        head.has_columns(one.shown_by).then(|| find_missing(one, &|key| head.has_columns(&[key])))?
    };
    DOCUMENTS.iter().find_map(of_document).or_else(|| TABLES.iter().find_map(of_table))
}

fn find_missing(one: &RequiredParts, is_there: &dyn Fn(&str) -> bool) -> Option<MissingParts> {
    let groups = one.needed.iter().filter(|keys| !keys.iter().any(|key| is_there(key)));
    let missing: Vec<String> = groups.map(|keys| keys.join(" or ")).collect();
    (!missing.is_empty()).then_some(MissingParts { title: one.title, missing })
}

/// Whether a document has a key or a nested key such as `Totals.total_pass`.
fn is_there(object: &Value, key: &str) -> bool {
    key.split('.').try_fold(object, |value, key| value.get(key)).is_some()
}

impl MissingParts {
    /// The error message shown to the user.
    pub fn message(&self) -> String {
        format!(
            "The file looks like {}, but it lacks {}. Nothing was imported.",
            self.title,
            self.missing.join(", ")
        )
    }
}

/// The error for a document that was read to its end without a required part.
pub fn missing_part_error(title: &'static str, missing: &str) -> ReadError {
    let missing_parts = MissingParts { title, missing: vec![missing.to_owned()] };
    ReadError::Refused {
        message: missing_parts.message(),
        expected: missing.to_owned(),
        found: format!("{title} that lacks {missing}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sink, kubernetes::tests::RecordCollector, recognise};

    fn message(text: &str) -> String {
        let head = Head::new(text.as_bytes(), true);
        if let Some(format) = recognise(&head) {
            let mut taken = RecordCollector::default();
            let read = (format.read)(&mut text.as_bytes(), &mut taken as &mut dyn Sink);
            assert!(taken.records.is_empty(), "{text}: {:?}", taken.records);
            return read.unwrap_err().to_string();
        }
        find_missing_parts(&head).unwrap_or_else(|| panic!("{text}")).message()
    }

    #[test]
    fn a_document_that_only_looks_like_a_format_is_refused_by_what_lacks() {
        for (text, lacks) in [
            (
                r#"{"SchemaVersion": 2, "ArtifactName": "nginx", "ArtifactType": "container_image"}"#,
                "Results",
            ),
            (r#"{"SchemaVersion": 2, "ArtifactName": "nginx"}"#, "Results"),
            (r#"{"Totals": {"total_pass": 1}}"#, "Controls"),
            (r#"{"summaryDetails": {"controls": {}}}"#, "results"),
            (r#"{"popeye": {"score": 90, "grade": "A"}}"#, "sections"),
            (r#"{"PolarisOutputVersion": "1.0", "SourceType": "Cluster"}"#, "Results"),
            (r#"{"check_type": "terraform", "results": {}}"#, "failed_checks"),
            (r#"{"check_type": "terraform", "summary": {}}"#, "results"),
            (r#"[{"ProductArn": "p", "AwsAccountId": "1", "SchemaVersion": "2018"}]"#, "GeneratorId"),
            (r#"[{"finding_info": {"uid": "u"}}]"#, "severity_id, class_uid or status_code"),
            (r#"{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0"}"#, "runs"),
            (r#"{"receiver": "x", "groupLabels": {}}"#, "alerts"),
            (r#"{"totalMonthlyCost": "1", "currency": "USD"}"#, "projects"),
            (r#"{"format_version": "1.0", "terraform_version": "1.5"}"#, "values or planned_values"),
            ("CHECK_ID;STATUS;SEVERITY\nc;FAIL;high\n", "FINDING_UID or FINDING_UNIQUE_ID"),
            (
                "recommendationDisplayName,state\nx,Healthy\n",
                "subscriptionId, resourceId, recommendationName",
            ),
            ("resource,metric,value\na,cpu,1\n", "account, time"),
        ] {
            let message = message(text);
            assert!(
                message.starts_with("The file looks like ") && message.contains(&format!("lacks {lacks}")),
                "{text}: {message}"
            );
        }
    }

    #[test]
    fn what_is_whole_or_unlike_lacks_nothing() {
        for text in [r#"{"a": 1}"#, "a,b\n1,2\n", r#"{"code": 200, "data": [{"web": {"a": 1}}]}"#] {
            assert_eq!(find_missing_parts(&Head::new(text.as_bytes(), true)), None, "{text}");
        }
        // The rest of the document is not visible.
        assert_eq!(
            find_missing_parts(&Head::new(br#"{"SchemaVersion": 2, "ArtifactName": "x", "Meta"#, false)),
            None
        );
    }

    #[test]
    fn an_empty_list_of_results_is_a_scan_that_found_nothing() {
        for results in ["null", "[]"] {
            let text = format!(
                r#"{{"SchemaVersion": 2, "ArtifactName": "nginx", "ArtifactType": "container_image", "Results": {results}}}"#
            );
            let format = recognise(&Head::new(text.as_bytes(), true)).unwrap();
            let mut taken = RecordCollector::default();
            (format.read)(&mut text.as_bytes(), &mut taken).unwrap();
            assert_eq!(taken.records.len(), 1, "the scan alone: {:?}", taken.records);
        }
    }
}
