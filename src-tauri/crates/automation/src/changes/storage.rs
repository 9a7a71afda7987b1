//! Changes the size of a volume claim.
//!
//! Claims can only grow: no storage class shrinks them.

use super::quantity::{self, read};
use super::resources::Amount;
use crate::template::to_text;
use serde_json::{Value, json};

/// The wanted size of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct StorageChange {
    pub namespace: String,
    pub name: String,
    size: Size,
    /// In bytes, and as written.
    most: Option<(f64, String)>,
}

#[derive(Debug, Clone, PartialEq)]
enum Size {
    /// A factor of the current size.
    By(f64),
    To(String),
}

impl StorageChange {
    /// Reads the parameters of `k8s.pv_rightsize`.
    pub fn read(params: &Value) -> Result<Self, String> {
        let text = |parameter: &str| to_text(&params[parameter]).trim().to_owned();
        let name = |parameter: &str| {
            let text = text(parameter);
            let is_name = text.starts_with(|letter: char| letter.is_ascii_alphanumeric())
                && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-.".contains(letter));
            if is_name { Ok(text) } else { Err(format!("{parameter}: expected a name, found \"{text}\"")) }
        };
        let kind = text("kind").to_lowercase();
        if !matches!(kind.as_str(), "" | "persistentvolumeclaim" | "pvc") {
            return Err(format!("kind: expected PersistentVolumeClaim, found \"{kind}\""));
        }
        if to_text(&params["gitops_config"]["enabled"]) == "true" {
            return Err("gitops_config is not supported for volume claims: tickets.create or scm.create_pull_request ask for the change instead".to_owned());
        }
        let bytes = |parameter: &str| {
            let given = text(parameter);
            let bytes = read(Amount::Memory, &given).filter(|bytes| *bytes >= 1.0);
            bytes
                .map(|bytes| (bytes, given.clone()))
                .ok_or_else(|| format!("{parameter}: expected a quantity such as 20Gi, found \"{given}\""))
        };
        let size = match (text("change_by").as_str(), text("change_to").as_str()) {
            ("", "") => {
                return Err(
                    "change_to: expected a quantity such as 20Gi, or change_by with percent".to_owned()
                );
            }
            (by, "") => {
                let percent = by.trim_end_matches('%').trim().parse::<f64>().ok();
                let percent = percent.filter(|percent| *percent > 0.0 && *percent <= 10_000.0);
                let percent = percent.ok_or_else(|| {
                    format!("change_by: expected percent above 0, such as 10%, found \"{by}\"")
                })?;
                Size::By(1.0 + percent / 100.0)
            }
            ("", _) => Size::To(bytes("change_to")?.1),
            _ => return Err("change_by and change_to cannot both be given".to_owned()),
        };
        let most = if text("max").is_empty() { None } else { Some(bytes("max")?) };
        Ok(Self { namespace: name("namespace")?, name: name("name")?, size, most })
    }

    /// Describes the change.
    pub fn told(&self) -> String {
        let most = self.most.as_ref().map(|(_, most)| format!(", at most {most}")).unwrap_or_default();
        let size = match &self.size {
            Size::By(factor) => format!("{:.0}% of now", factor * 100.0),
            Size::To(size) => size.clone(),
        };
        format!("Storage of the claim {}/{}: {size}{most}", self.namespace, self.name)
    }

    /// The patch, with the size before and after; `None` if the claim has that size already.
    ///
    /// # Errors
    /// The claim would shrink, or grow beyond its bound.
    pub fn patch(&self, live: &Value) -> Result<Option<(Value, String, String)>, String> {
        let old = to_text(&live["spec"]["resources"]["requests"]["storage"]);
        let before = read(Amount::Memory, &old)
            .ok_or_else(|| format!("the claim asks for \"{old}\", which is no quantity of storage"))?;
        let new = match &self.size {
            Size::To(size) => size.clone(),
            Size::By(factor) => quantity::write(Amount::Memory, before * factor),
        };
        let after = read(Amount::Memory, &new).unwrap_or_default();
        if (after - before).abs() < 0.5 {
            return Ok(None);
        }
        if after < before {
            return Err(format!("the claim has {old}, and volumes cannot shrink to {new}"));
        }
        if let Some((most, written)) = &self.most
            && after > *most
        {
            return Err(format!("the claim would have {new}, which is more than max ({written})"));
        }
        let patch = json!({ "spec": { "resources": { "requests": { "storage": new } } } });
        Ok(Some((patch, old, new)))
    }
}

#[cfg(test)]
mod tests {
    use super::StorageChange;
    use serde_json::{Value, json};

    fn patch(params: Value, now: &str) -> Result<Option<String>, String> {
        let mut params = params;
        params["namespace"] = json!("shop");
        params["name"] = json!("data");
        let live = json!({ "spec": { "resources": { "requests": { "storage": now } } } });
        Ok(StorageChange::read(&params)?.patch(&live)?.map(|(_, _, new)| new))
    }

    #[test]
    fn claims_grow_and_never_shrink() {
        for (params, now, expected) in [
            (json!({ "change_to": "20Gi" }), "10Gi", Ok(Some("20Gi".to_owned()))),
            (json!({ "change_by": "50%", "max": "100Gi" }), "10Gi", Ok(Some("15360Mi".to_owned()))),
            (json!({ "change_by": 10 }), "10Gi", Ok(Some("11264Mi".to_owned()))),
            (json!({ "change_to": "10240Mi", "kind": "PVC" }), "10Gi", Ok(None)),
            (
                json!({ "change_to": "5Gi" }),
                "10Gi",
                Err("the claim has 10Gi, and volumes cannot shrink to 5Gi".to_owned()),
            ),
            (
                json!({ "change_by": "100%", "max": "15Gi" }),
                "10Gi",
                Err("the claim would have 20480Mi, which is more than max (15Gi)".to_owned()),
            ),
        ] {
            assert_eq!(patch(params.clone(), now), expected, "{params}");
        }
    }

    #[test]
    fn what_is_no_size_says_why() {
        for (params, expected) in [
            (json!({}), "change_to: expected a quantity"),
            (json!({ "change_to": "1Gi", "change_by": "1%" }), "change_by and change_to cannot both"),
            (json!({ "change_by": "-10%" }), "change_by: expected percent above 0"),
            (json!({ "change_to": "much" }), "change_to: expected a quantity such as 20Gi"),
            (json!({ "change_to": "1Gi", "kind": "Deployment" }), "kind: expected PersistentVolumeClaim"),
            (
                json!({ "change_to": "1Gi", "gitops_config": { "enabled": true } }),
                "gitops_config is not supported",
            ),
        ] {
            let reason = patch(params, "10Gi").unwrap_err();
            assert!(reason.starts_with(expected), "{reason}");
        }
    }
}
