//! Changes requests and limits of containers, in absolute values or relative to the current ones.

use super::quantity;
use super::usage::UsageRule;
use crate::template::to_text;
use serde_json::{Map, Value, json};

/// A resource of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    Cpu,
    Memory,
}

impl Amount {
    pub const ALL: [Self; 2] = [Self::Cpu, Self::Memory];

    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Memory => "memory",
        }
    }
}

/// The wanted change of one resource.
#[derive(Debug, Clone, PartialEq)]
pub enum ResourceRule {
    /// Sets these quantities; `None` leaves one unchanged.
    Set { request: Option<String>, limit: Option<String> },
    /// Multiplies the current request, within bounds. Limits are scaled too, or removed.
    Scale { factor: f64, least: Option<f64>, most: Option<f64>, removes_limit: bool },
    /// Follows the measured usage, with a margin.
    Follow(UsageRule),
}

/// The wanted changes to a workload.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceChange {
    pub kind: String,
    pub namespace: String,
    pub name: String,
    /// Name of the container. If `None`: the only container, or all of them for relative changes.
    pub container: Option<String>,
    pub wishes: Vec<(Amount, ResourceRule)>,
}

/// `requests` or `limits`, with the new quantity; `None` removes it.
pub(super) type Target = (&'static str, Amount, Option<String>);

/// Kinds with a pod template, and pods.
const KINDS: [&str; 7] = ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "Pod"];

impl ResourceChange {
    /// Reads the parameters of `k8s.vertical_rightsize`, or `resources` of a file.
    pub fn read(params: &Value) -> Result<Self, String> {
        let name = |parameter: &str| {
            let text = to_text(&params[parameter]).trim().to_owned();
            let is_name = text.starts_with(|letter: char| letter.is_ascii_alphanumeric())
                && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-.".contains(letter));
            if is_name { Ok(text) } else { Err(format!("{parameter}: expected a name, found \"{text}\"")) }
        };
        let kind = name("kind")?;
        let Some(kind) = KINDS.into_iter().find(|known| known.eq_ignore_ascii_case(&kind)) else {
            return Err(format!("kind: expected {}, found \"{kind}\"", KINDS.join(", ")));
        };
        let container = if params["container"].is_null() || to_text(&params["container"]).is_empty() {
            None
        } else {
            Some(name("container")?)
        };
        let mut wishes = Vec::new();
        for amount in Amount::ALL {
            wishes.extend(wish(amount, params)?.map(|wish| (amount, wish)));
        }
        if wishes.is_empty() {
            return Err("cpu: expected cpu or memory with request, limit, or change_pct".to_owned());
        }
        Ok(Self {
            kind: kind.to_owned(),
            namespace: name("namespace")?,
            name: name("name")?,
            container,
            wishes,
        })
    }

    /// Whether the change depends on the current quantities.
    pub fn is_relative(&self) -> bool {
        self.wishes.iter().any(|(_, wish)| matches!(wish, ResourceRule::Scale { .. }))
    }

    /// Describes the change.
    pub fn told(&self) -> String {
        let container = match &self.container {
            Some(container) => format!("container {container}"),
            None if self.is_relative() => "every container".to_owned(),
            None => "its container".to_owned(),
        };
        let parts = self.wishes.iter().map(|(amount, wish)| match wish {
            ResourceRule::Set { request, limit } => {
                let parts = [("request", request), ("limit", limit)];
                let parts =
                    parts.into_iter().filter_map(|(part, text)| Some(format!("{part} {}", text.as_ref()?)));
                format!("{} {}", amount.name(), parts.collect::<Vec<_>>().join(", "))
            }
            ResourceRule::Follow(wish) => wish.told(*amount),
            ResourceRule::Scale { factor, least, most, removes_limit } => {
                let bound = |word: &str, bound: &Option<f64>| {
                    bound
                        .map(|bound| format!(", {word} {}", quantity::write(*amount, bound)))
                        .unwrap_or_default()
                };
                let limit = if *removes_limit { ", without a limit" } else { "" };
                format!(
                    "{} {:.0}% of now{}{}{limit}",
                    amount.name(),
                    factor * 100.0,
                    bound("at least", least),
                    bound("at most", most)
                )
            }
        });
        format!(
            "{} {}/{}, {container}: {}",
            self.kind,
            self.namespace,
            self.name,
            parts.collect::<Vec<_>>().join("; ")
        )
    }

    /// The new quantities of a container; `now` returns the current ones.
    pub(super) fn targets(
        &self,
        now: &dyn Fn(&str, Amount) -> Option<String>,
    ) -> Result<Vec<Target>, String> {
        let mut targets: Vec<Target> = Vec::new();
        for (amount, wish) in &self.wishes {
            match wish {
                ResourceRule::Set { request, limit } => {
                    targets.extend(request.clone().map(|text| ("requests", *amount, Some(text))));
                    targets.extend(limit.clone().map(|text| ("limits", *amount, Some(text))));
                }
                ResourceRule::Follow(wish) => {
                    let (request, limit) = present(now, *amount)?;
                    let Some(wanted) = wish.wanted(*amount, request.or(limit))? else { continue };
                    targets.push(("requests", *amount, Some(quantity::write(*amount, wanted))));
                    // The cluster rejects a limit below the request.
                    if limit.is_some_and(|limit| limit < wanted) {
                        targets.push(("limits", *amount, Some(quantity::write(*amount, wanted))));
                    }
                }
                ResourceRule::Scale { factor, least, most, removes_limit } => {
                    // An unspecified request equals the limit.
                    let (request, limit) = present(now, *amount)?;
                    let Some(present) = request.or(limit) else {
                        return Err(format!(
                            "there is neither a request nor a limit of {}, so that no part of it can be said: give request",
                            amount.name()
                        ));
                    };
                    let wanted = (present * factor).max(least.unwrap_or(0.0)).min(most.unwrap_or(f64::MAX));
                    targets.push(("requests", *amount, Some(quantity::write(*amount, wanted))));
                    match limit {
                        Some(_) if *removes_limit => targets.push(("limits", *amount, None)),
                        Some(limit) => {
                            let wanted = (limit * factor).max(wanted);
                            targets.push(("limits", *amount, Some(quantity::write(*amount, wanted))));
                        }
                        None => {}
                    }
                }
            }
        }
        Ok(targets)
    }

    /// Indices of the containers to change, given their names.
    pub(super) fn chosen(&self, names: &[String]) -> Result<Vec<usize>, String> {
        if let Some(wanted) = &self.container {
            let place = names.iter().position(|name| name == wanted);
            return place.map(|place| vec![place]).ok_or_else(|| {
                format!(
                    "there is no container {wanted} in {} {}: there are {}",
                    self.kind,
                    self.name,
                    names.join(", ")
                )
            });
        }
        match names.len() {
            0 => Err(format!("{} {} has no containers", self.kind, self.name)),
            1 => Ok(vec![0]),
            more if self.is_relative() => Ok((0..more).collect()),
            _ => Err(format!("container is missing: {} {} has {}", self.kind, self.name, names.join(", "))),
        }
    }

    /// The change as a strategic merge patch of the workload in the cluster; `None` if it has these quantities already.
    pub fn patch(&self, live: &Value) -> Result<Option<Value>, String> {
        let at: &[&str] = match self.kind.as_str() {
            "Pod" => &["spec"],
            "CronJob" => &["spec", "jobTemplate", "spec", "template", "spec"],
            _ => &["spec", "template", "spec"],
        };
        let pods = at.iter().fold(live, |value, key| &value[*key]);
        let containers: Vec<&Value> = pods["containers"].as_array().into_iter().flatten().collect();
        let names: Vec<String> = containers.iter().map(|one| to_text(&one["name"])).collect();
        let mut changed = Vec::new();
        for place in self.chosen(&names)? {
            let resources = &containers[place]["resources"];
            let now = |part: &str, amount: Amount| {
                Some(to_text(&resources[part][amount.name()])).filter(|text| !text.is_empty())
            };
            let mut parts: Map<String, Value> = Map::new();
            for (part, amount, wanted) in self.targets(&now)? {
                if now(part, amount) != wanted {
                    let quantities = parts.entry(part).or_insert_with(|| json!({}));
                    quantities[amount.name()] = json!(wanted);
                }
            }
            if !parts.is_empty() {
                changed.push(json!({ "name": names[place], "resources": parts }));
            }
        }
        if changed.is_empty() {
            return Ok(None);
        }
        let whole = at.iter().rev().fold(json!({ "containers": changed }), |inner, key| {
            Value::Object(Map::from_iter([((*key).to_owned(), inner)]))
        });
        Ok(Some(whole))
    }
}

/// The current request and limit of a container.
fn present(
    now: &dyn Fn(&str, Amount) -> Option<String>,
    amount: Amount,
) -> Result<(Option<f64>, Option<f64>), String> {
    let known = |part: &str| -> Result<Option<f64>, String> {
        let Some(text) = now(part, amount) else { return Ok(None) };
        let wrong = || format!("{part}.{} is \"{text}\", which is no quantity", amount.name());
        quantity::read(amount, &text).map(Some).ok_or_else(wrong)
    };
    Ok((known("requests")?, known("limits")?))
}

fn wish(amount: Amount, params: &Value) -> Result<Option<ResourceRule>, String> {
    let name = amount.name();
    let given = &params[name];
    if given.is_null() {
        return Ok(None);
    }
    if let Some(wish) = UsageRule::read(amount, given)? {
        return Ok(Some(ResourceRule::Follow(wish)));
    }
    let quantity_of = |field: &str| -> Result<Option<(String, f64)>, String> {
        let text = to_text(&given[field]).trim().to_owned();
        if text.is_empty() {
            return Ok(None);
        }
        let wrong = || {
            format!(
                "{name}.{field}: expected a quantity such as {}, found \"{text}\"",
                if amount == Amount::Cpu { "250m" } else { "512Mi" }
            )
        };
        let number = quantity::read(amount, &text).filter(|number| *number > 0.0).ok_or_else(wrong)?;
        Ok(Some((text, number)))
    };
    let (request, limit) = (quantity_of("request")?, quantity_of("limit")?);
    let part = to_text(&given["change_pct"]);
    if request.is_some() || limit.is_some() {
        if !part.is_empty() {
            return Err(format!("{name}: request and limit do not go with change_pct: give one"));
        }
        if let (Some((request, one)), Some((limit, other))) = (&request, &limit)
            && one > other
        {
            return Err(format!("{name}: the request {request} is more than the limit {limit}"));
        }
        return Ok(Some(ResourceRule::Set {
            request: request.map(|(text, _)| text),
            limit: limit.map(|(text, _)| text),
        }));
    }
    if part.is_empty() {
        return Ok(None);
    }
    let percent =
        part.trim().trim_end_matches('%').parse::<f64>().ok().filter(|part| part.is_finite() && *part > 0.0);
    let percent = percent
        .ok_or_else(|| format!("{name}.change_pct: expected a percentage above 0, found \"{part}\""))?;
    let factor = match to_text(&params["direction"]).as_str() {
        "up" => 1.0 + percent / 100.0,
        "down" if percent < 100.0 => 1.0 - percent / 100.0,
        "down" => {
            return Err(format!("{name}.change_pct: expected less than 100 to go down, found \"{part}\""));
        }
        other => return Err(format!("direction: expected up or down, found \"{other}\"")),
    };
    let bound = |field: &str| quantity_of(field).map(|found| found.map(|(_, number)| number));
    let (least, most) = (bound("min")?, bound("max")?);
    if least.zip(most).is_some_and(|(least, most)| least > most) {
        return Err(format!("{name}: min is more than max"));
    }
    Ok(Some(ResourceRule::Scale {
        factor,
        least,
        most,
        removes_limit: to_text(&given["remove_limit"]) == "true",
    }))
}

#[cfg(test)]
mod tests {
    use super::ResourceChange;
    use serde_json::{Value, json};

    fn web(more: &Value) -> Value {
        let mut params = json!({ "namespace": "shop", "kind": "deployment", "name": "web" });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    }

    #[test]
    fn a_part_of_what_there_is_becomes_a_patch_within_bounds() {
        let params = web(&json!({ "direction": "down",
            "cpu": { "change_pct": 50, "min": "300m", "remove_limit": true }, "memory": { "change_pct": 25 } }));
        let change = ResourceChange::read(&params).unwrap();
        let live = json!({ "spec": { "template": { "spec": { "containers": [
            { "name": "app", "resources": { "requests": { "cpu": "500m", "memory": "1Gi" }, "limits": { "cpu": 1, "memory": "2Gi" } } },
        ] } } } });
        let resources = json!({
            "requests": { "cpu": "300m", "memory": "768Mi" }, "limits": { "cpu": null, "memory": "1536Mi" },
        });
        let expected = json!({ "spec": { "template": { "spec": { "containers": [{ "name": "app", "resources": resources }] } } } });
        assert_eq!(change.patch(&live), Ok(Some(expected)));
        assert_eq!(
            change.told(),
            "Deployment shop/web, every container: cpu 50% of now, at least 300m, without a limit; memory 75% of now"
        );
    }

    #[test]
    fn what_cannot_be_meant_is_told() {
        for (params, expected) in [
            (json!({}), "cpu: expected cpu or memory with"),
            (
                json!({ "cpu": { "request": "lots" } }),
                "cpu.request: expected a quantity such as 250m, found \"lots\"",
            ),
            (
                json!({ "cpu": { "request": "2", "limit": "1" } }),
                "cpu: the request 2 is more than the limit 1",
            ),
            (json!({ "memory": { "change_pct": 10 } }), "direction: expected up or down"),
            (
                json!({ "memory": { "change_pct": 100 }, "direction": "down" }),
                "memory.change_pct: expected less than 100",
            ),
            (json!({ "kind": "Service", "cpu": { "request": "1" } }), "kind: expected Deployment"),
            (json!({ "name": "--all", "cpu": { "request": "1" } }), "name: expected a name"),
        ] {
            let refused = ResourceChange::read(&web(&params)).unwrap_err();
            assert!(refused.starts_with(expected), "{refused}");
        }
        let change = ResourceChange::read(&web(&json!({ "cpu": { "request": "1" } }))).unwrap();
        let two = json!({ "spec": { "template": { "spec": { "containers": [{ "name": "a" }, { "name": "b" }] } } } });
        assert_eq!(change.patch(&two), Err("container is missing: Deployment web has a, b".to_owned()));
    }
}
