//! OpenCost allocations of the sample's clusters by workload and day, at OpenCost's default list prices. The bill of the nodes is considerably
//! lower.

use super::cluster::{ANALYTICS, SHOP};
use super::day_of;
use catalogue::format_date;
use serde_json::{Map, Value, json};

const DAYS: i32 = 30;
/// Millionths of a dollar per day for a core and for a GiB of memory: 0.031611 and 0.004237 per hour.
const PRICES: (i64, i64) = (758_664, 101_688);
/// Workloads with volumes, and the daily cost of the volumes in cents.
const VOLUMES: [(&str, i64); 2] = [("postgres", 33), ("clickhouse", 120)];

/// The response of `/allocation`, aggregated by controller, for the days before that of `now` (µs since 1970 UTC).
pub fn json(now: i64) -> String {
    let today = day_of(now);
    let sets: Vec<Value> = (today - DAYS..today).map(|day| Value::Object(set(day))).collect();
    json!({ "code": 200, "data": sets }).to_string()
}

fn set(day: i32) -> Map<String, Value> {
    let mut set = Map::new();
    for cluster in [&SHOP, &ANALYTICS] {
        let (cores, memory) = cluster.capacity();
        let (mut idle_cores, mut idle_memory) = (cores, memory);
        for workload in cluster.workloads {
            let (cores, memory) = workload.requested();
            (idle_cores, idle_memory) = (idle_cores - cores, idle_memory - memory);
            let (namespace, kind, name) = workload.names();
            let volumes =
                VOLUMES.iter().find(|(owner, _)| *owner == name).map_or(0, |(_, cents)| cents * 10_000);
            let properties = json!({
                "cluster": cluster.name, "namespace": namespace, "controllerKind": kind.to_lowercase(), "controller": name,
            });
            let cost = allocation(day, &properties, (cores, memory), volumes);
            set.insert(format!("{}/{namespace}/{name}", cluster.name), cost);
        }
        let cost = allocation(day, &json!({ "cluster": cluster.name }), (idle_cores, idle_memory), 0);
        set.insert(format!("{}/__idle__", cluster.name), cost);
    }
    set
}

/// The daily cost of these millicores and MiB of memory, plus volumes (in millionths of a dollar).
fn allocation(day: i32, properties: &Value, (cores, memory): (i64, i64), volumes: i64) -> Value {
    let (cpu, ram) = (cores * PRICES.0 / 1_000, memory * PRICES.1 / 1_024);
    let [start, end] = [day, day + 1].map(|day| format!("{}T00:00:00Z", format_date(day)));
    json!({
        "properties": properties, "window": { "start": start, "end": end }, "start": start, "end": end,
        "cpuCost": dollars(cpu), "ramCost": dollars(ram), "pvCost": dollars(volumes), "totalCost": dollars(cpu + ram + volumes),
    })
}

/// A JSON number with all digits.
fn dollars(millionths: i64) -> Value {
    serde_json::from_str(&format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000))
        .expect("digits around a point are a number")
}
