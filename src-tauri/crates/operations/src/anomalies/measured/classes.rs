//! Maps the name of a measurement to a rule type (CPU, Memory, …) by its words, because every source has its own names.

use model::AnomalyType;

/// Words of requests, limits, capacities, prices and derived values, which are not usage.
const NO_USE: [&str; 11] = [
    "request",
    "requests",
    "requested",
    "limit",
    "limits",
    "allocatable",
    "capacity",
    "cost",
    "efficiency",
    "credit",
    "credits",
];

/// The type of a measurement by its name, such as `cpuCoreUsageAverage`, `CPUUtilization` or `http_request_duration_seconds`; `None` for others.
pub(super) fn class(metric: &str) -> Option<AnomalyType> {
    let words = words(metric);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let is_use = !has(&NO_USE);
    if has(&["error", "errors", "5xx", "4xx", "failure", "failures", "failed"]) {
        Some(AnomalyType::ErrorRate)
    } else if has(&["latency", "duration", "responsetime"]) || has(&["response"]) && has(&["time"]) {
        Some(AnomalyType::Latency)
    } else if has(&["cpu", "processor"]) {
        is_use.then_some(AnomalyType::Cpu)
    } else if has(&["memory", "ram", "mem"]) {
        is_use.then_some(AnomalyType::Memory)
    } else if has(&["network", "bandwidth", "receive", "transmit"]) {
        (!has(&["cost"])).then_some(AnomalyType::Network)
    } else if has(&["request", "requests"]) {
        Some(AnomalyType::APIRequest)
    } else {
        None
    }
}

/// The words of a name in lower case: `HTTPCode_Target_5XX_Count` is http, code, target, 5xx, count.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let is_lower = |letter: Option<&char>| letter.is_some_and(|letter| letter.is_lowercase());
        let is_upper = |letter: Option<&char>| letter.is_some_and(|letter| letter.is_uppercase());
        let begins =
            letter.is_uppercase() && (is_lower(before) || is_upper(before) && is_lower(letters.get(at + 1)));
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_is_known_by_the_words_of_its_name() {
        let known = [
            ("CPUUtilization", Some(AnomalyType::Cpu)),
            ("cpuCoreUsageAverage", Some(AnomalyType::Cpu)),
            ("container_cpu_usage_seconds_total", Some(AnomalyType::Cpu)),
            ("cpuCoreRequestAverage", None),
            ("cpuEfficiency", None),
            ("CPUCreditBalance", None),
            ("ramByteUsageAverage", Some(AnomalyType::Memory)),
            ("mem_used_percent", Some(AnomalyType::Memory)),
            ("container_spec_memory_limit_bytes", None),
            ("networkReceiveBytes", Some(AnomalyType::Network)),
            ("NetworkIn", Some(AnomalyType::Network)),
            ("TargetResponseTime", Some(AnomalyType::Latency)),
            ("http_request_duration_seconds", Some(AnomalyType::Latency)),
            ("HTTPCode_Target_5XX_Count", Some(AnomalyType::ErrorRate)),
            ("RequestCount", Some(AnomalyType::APIRequest)),
            ("http_requests_total", Some(AnomalyType::APIRequest)),
            ("program_version", None),
        ];
        for (metric, expected) in known {
            assert_eq!(class(metric), expected, "{metric}: {:?}", words(metric));
        }
    }
}
