//! Logs of the shop's cluster in the hours before the current day, as OpenTelemetry JSON: a new version of one program runs out of memory.

use super::day_of;
use serde_json::{Value, json};

const SECOND_NANOS: i64 = 1_000_000_000;
const MINUTE_NANOS: i64 = 60 * SECOND_NANOS;

/// Namespace, service, pod.
type Origin = (&'static str, &'static str, &'static str);

const STOREFRONT: Origin = ("web", "storefront", "storefront-1");
const SEARCH: Origin = ("web", "search", "search-1");
const CHECKOUT: Origin = ("payments", "checkout", "checkout-5c9d8f7b6-x2x4p");
const LEDGER: Origin = ("payments", "ledger", "ledger-1");

/// Minutes before the day of the first and the last line, and the interval between lines.
type Minutes = (i64, i64, i64);

/// Repeated lines: origin, severity, text and times.
const LINES: [(Origin, &str, &str, Minutes); 9] = [
    (STOREFRONT, "INFO", "GET /cart 200 in 34 ms", (360, 0, 7)),
    (STOREFRONT, "INFO", "GET /products 200 in 51 ms", (358, 0, 11)),
    (SEARCH, "INFO", "query answered in 18 ms", (355, 0, 9)),
    (SEARCH, "WARN", "index is 4 minutes behind", (300, 240, 20)),
    (LEDGER, "INFO", "posted 120 entries", (350, 0, 15)),
    (CHECKOUT, "INFO", "checkout 2.14.0 started", (190, 4, 12)),
    (CHECKOUT, "WARN", "cache of prices holds 210 MiB of 256 MiB", (188, 2, 12)),
    (CHECKOUT, "ERROR", "out of memory: killed process 7 (checkout)", (186, 0, 12)),
    (
        STOREFRONT,
        "ERROR",
        "POST /checkout 502 in 3012 ms: upstream checkout closed the connection",
        (185, 1, 8),
    ),
];

/// The log lines by service.
pub fn json(now: i64) -> String {
    let begin = i64::from(day_of(now)) * 24 * 60 * MINUTE_NANOS;
    let mut resources = Vec::new();
    for origin in [STOREFRONT, SEARCH, CHECKOUT, LEDGER] {
        // Each origin has its own second of the minute: lines with the same time would have no fixed order.
        let of_origin = (0_i64..).zip(LINES.iter()).filter(|(_, (of, ..))| *of == origin);
        let mut records: Vec<(i64, Value)> = of_origin
            .flat_map(|(second, (_, severity, text, (first, last, step)))| {
                (0..).map(move |turn| first - turn * step).take_while(move |minutes| minutes >= last).map(
                    move |minutes| {
                        let at = begin - minutes * MINUTE_NANOS + second * SECOND_NANOS;
                        let body = json!({ "stringValue": text });
                        (
                            at,
                            json!({ "timeUnixNano": at.to_string(), "severityText": severity, "body": body }),
                        )
                    },
                )
            })
            .collect();
        records.sort_by_key(|(at, _)| *at);
        let records: Vec<Value> = records.into_iter().map(|(_, record)| record).collect();
        let (namespace, service, pod) = origin;
        let attributes: Vec<Value> = [
            ("k8s.cluster.name", "shop"),
            ("k8s.namespace.name", namespace),
            ("service.name", service),
            ("k8s.pod.name", pod),
        ]
        .map(|(key, value)| json!({ "key": key, "value": { "stringValue": value } }))
        .into();
        resources.push(
            json!({ "resource": { "attributes": attributes }, "scopeLogs": [{ "logRecords": records }] }),
        );
    }
    json!({ "resourceLogs": resources }).to_string()
}
