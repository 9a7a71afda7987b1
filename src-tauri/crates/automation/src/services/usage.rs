//! Usage of a workload: the workload, the period, and the statistic over its measurements.

use crate::template::to_text;
use serde_json::Value;

/// Default period in hours: 14 days, as in KRR.
pub const HOURS: i64 = 336;
/// A year, more than anybody stores.
const MOST_HOURS: i64 = 8_784;
/// Default statistic.
const USUAL: Statistic = Statistic::Percentile(95);

/// A statistic over measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// By nearest rank, 1 to 100.
    Percentile(u32),
    Max,
    Average,
}

impl Statistic {
    /// Parses `P95`, `max`, `avg`.
    fn read(text: &str) -> Option<Self> {
        match text.trim().to_lowercase().as_str() {
            "" => Some(USUAL),
            "max" => Some(Self::Max),
            "avg" | "average" => Some(Self::Average),
            other => {
                let percent = other.strip_prefix('p')?.parse().ok()?;
                (1..=100).contains(&percent).then_some(Self::Percentile(percent))
            }
        }
    }

    /// The statistic of these values; `None` if there are none. An average is rounded up.
    pub fn of(self, values: &[i64]) -> Option<i64> {
        let count = i64::try_from(values.len()).ok().filter(|count| *count > 0)?;
        match self {
            Self::Max => values.iter().copied().max(),
            Self::Average => {
                let sum = values.iter().fold(0_i64, |sum, value| sum.saturating_add(*value));
                Some(sum.saturating_add(count - 1).div_euclid(count))
            }
            Self::Percentile(percent) => {
                let mut sorted = values.to_vec();
                sorted.sort_unstable();
                let rank = (sorted.len() * usize::try_from(percent).ok()?).div_ceil(100);
                sorted.get(rank.checked_sub(1)?).copied()
            }
        }
    }
}

/// A query of a workload's usage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageQuery {
    pub namespace: String,
    pub kind: String,
    pub name: String,
    /// Empty: the only container.
    pub container: String,
    pub hours: i64,
    /// `None` if it is not queried.
    pub cpu: Option<Statistic>,
    pub memory: Option<Statistic>,
}

impl UsageQuery {
    /// Reads rendered parameters. The error describes what is wrong.
    pub fn read(params: &Value) -> Result<Self, String> {
        let text = |name: &str| to_text(&params[name]).trim().to_owned();
        let needed = |name: &str| match text(name) {
            given if given.is_empty() => Err(format!("{name}: expected a name")),
            given => Ok(given),
        };
        let hours = match text("analysis_duration_hour").as_str() {
            "" => HOURS,
            given => {
                given.parse().ok().filter(|hours| (1..=MOST_HOURS).contains(hours)).ok_or_else(|| {
                    format!("analysis_duration_hour: expected 1 to {MOST_HOURS} hours, found \"{given}\"")
                })?
            }
        };
        let has_one = ["cpu", "memory"].iter().any(|amount| params[*amount].is_object());
        let statistic = |amount: &str| {
            if has_one && !params[amount].is_object() {
                return Ok(None);
            }
            let given = to_text(&params[amount]["algorithm"]);
            Statistic::read(&given).map(Some).ok_or_else(|| {
                format!("{amount}.algorithm: expected P1 to P100, max or avg, found \"{given}\"")
            })
        };
        Ok(Self {
            namespace: needed("namespace")?,
            kind: needed("kind")?,
            name: needed("name")?,
            container: text("container"),
            hours,
            cpu: statistic("cpu")?,
            memory: statistic("memory")?,
        })
    }

    /// In the form `shop/Deployment/web`.
    pub fn subject(&self) -> String {
        format!("{}/{}/{}", self.namespace, self.kind, self.name)
    }

    /// Whether a pod may belong to the workload, judging by the names its controller gives; used for pods that are in no dump.
    pub fn may_name(&self, pod: &str) -> bool {
        let parts = |count: usize| {
            let rest = pod.strip_prefix(&self.name).and_then(|rest| rest.strip_prefix('-'));
            let is_part = |part: &str| {
                !part.is_empty() && part.chars().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit())
            };
            rest.is_some_and(|rest| rest.split('-').count() == count && rest.split('-').all(is_part))
        };
        match self.kind.to_lowercase().as_str() {
            "deployment" => parts(2) && has_template_hash(pod),
            "cronjob" => parts(2),
            "statefulset" => {
                parts(1) && pod.rsplit('-').next().is_some_and(|number| number.parse::<u32>().is_ok())
            }
            "pod" => pod == self.name,
            _ => parts(1),
        }
    }

    /// Describes the query, for dry runs.
    pub fn told(&self) -> String {
        format!(
            "Read what {} used in the last {} hours, by imported measurements",
            self.subject(),
            self.hours
        )
    }
}

/// Whether a name ends like that of a Deployment's pod: a template hash and five characters. Kubernetes uses no vowels in either.
fn has_template_hash(pod: &str) -> bool {
    let mut parts = pod.rsplit('-');
    let is_plain = |part: &str| !part.chars().any(|one| "aeiou".contains(one));
    parts.next().is_some_and(|part| part.len() == 5 && is_plain(part)) && parts.next().is_some_and(is_plain)
}

#[cfg(test)]
mod tests {
    use super::{Statistic, UsageQuery};
    use serde_json::json;

    fn question(kind: &str) -> UsageQuery {
        UsageQuery::read(&json!({ "namespace": "shop", "kind": kind, "name": "web" })).unwrap()
    }

    #[test]
    fn one_number_stands_for_many() {
        let values = [5, 1, 4, 2, 3];
        for (text, expected) in [("", 5), ("P50", 3), ("p80", 4), ("P1", 1), ("max", 5), ("avg", 3)] {
            assert_eq!(Statistic::read(text).and_then(|one| one.of(&values)), Some(expected), "{text}");
        }
        assert_eq!(Statistic::Average.of(&[1, 2]), Some(2), "rather a little more than too little");
        assert_eq!(Statistic::Max.of(&[]), None);
        for wrong in ["P0", "P101", "median"] {
            assert_eq!(Statistic::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn pods_are_known_by_how_their_controller_names_them() {
        for (kind, pod, expected) in [
            ("Deployment", "web-7d9fc5b6bd-x2x7q", true),
            ("Deployment", "web-api-x2x7q", false),
            ("Deployment", "web-x2x7q", false),
            ("StatefulSet", "web-0", true),
            ("StatefulSet", "web-x2x7q", false),
            ("DaemonSet", "web-x2x7q", true),
            ("CronJob", "web-29000000-x2x7q", true),
            ("Pod", "web", true),
            ("Pod", "web-1", false),
        ] {
            assert_eq!(question(kind).may_name(pod), expected, "{kind} {pod}");
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        let read = |more: serde_json::Value| {
            let mut params = json!({ "namespace": "shop", "kind": "Deployment", "name": "web" });
            params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            UsageQuery::read(&params)
        };
        assert_eq!(read(json!({ "name": "" })).unwrap_err(), "name: expected a name");
        assert!(
            read(json!({ "analysis_duration_hour": "0" })).unwrap_err().starts_with("analysis_duration_hour")
        );
        let wrong = read(json!({ "cpu": { "algorithm": "mode" } })).unwrap_err();
        assert_eq!(wrong, "cpu.algorithm: expected P1 to P100, max or avg, found \"mode\"");
        let only_memory = read(json!({ "memory": { "algorithm": "max" } })).unwrap();
        assert_eq!((only_memory.cpu, only_memory.memory), (None, Some(Statistic::Max)));
        assert_eq!(question("Deployment").hours, 336);
    }
}
