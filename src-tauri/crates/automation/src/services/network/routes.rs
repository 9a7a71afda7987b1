//! Parses the output of `ping` and `traceroute`.

use regex::Regex;
use serde::Serialize;
use std::net::IpAddr;
use std::sync::LazyLock;

/// The output of `network.ping`.
#[derive(Debug, PartialEq, Serialize)]
pub struct PingAnswer {
    pub host: String,
    pub reachable: bool,
    /// Percent.
    pub packet_loss: f64,
    /// Milliseconds; 0 without any reply.
    pub avg_latency: f64,
    pub output: String,
}

/// The output of `network.traceroute`.
#[derive(Debug, PartialEq, Serialize)]
pub struct RouteAnswer {
    pub host: String,
    pub hops: Vec<Hop>,
    pub reached: bool,
    pub raw: String,
}

/// A router on the route; `*` if it did not reply.
#[derive(Debug, PartialEq, Serialize)]
pub struct Hop {
    pub hop: u32,
    pub ip: String,
    /// -1 if it did not reply.
    pub latency_ms: f64,
}

fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

static LOSS: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"([0-9.]+)%\s+packet\s+loss"));
/// `min/avg/max/mdev = 1/2/3/4 ms` on Linux, `round-trip min/avg/max = …` with BusyBox and on macOS.
static LATENCY: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"min/avg/max[^=]*=\s*[0-9.]+/([0-9.]+)/"));
static HOP: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"^\s*(\d+)\s+(?:([0-9a-fA-F:.]+)\s+([0-9.]+)\s+ms|\*)"));

/// The arguments of `ping`.
pub fn ping_arguments(address: IpAddr, count: u8) -> Vec<String> {
    let flag = if cfg!(windows) { "-n" } else { "-c" };
    vec![flag.to_owned(), count.to_string(), address.to_string()]
}

/// The arguments of `traceroute`: one probe for each hop, a timeout of two seconds, no name resolution.
pub fn route_arguments(address: IpAddr, hops: u8) -> Vec<String> {
    let hops = hops.to_string();
    ["-n", "-m", &hops, "-w", "2", "-q", "1", &address.to_string()].map(str::to_owned).to_vec()
}

fn number(pattern: Option<&Regex>, text: &str) -> Option<f64> {
    pattern?.captures(text)?.get(1)?.as_str().parse().ok()
}

/// Parses the output of `ping`, even after a failure.
pub fn pinged(host: &str, output: String) -> PingAnswer {
    let packet_loss = number(LOSS.as_ref(), &output).unwrap_or(100.0);
    let avg_latency = number(LATENCY.as_ref(), &output).unwrap_or_default();
    PingAnswer { host: host.to_owned(), reachable: packet_loss < 100.0, packet_loss, avg_latency, output }
}

/// Parses the output of `traceroute`.
pub fn traced(host: &str, address: IpAddr, output: String) -> RouteAnswer {
    let hop = |line: &str| {
        let found = HOP.as_ref()?.captures(line)?;
        let part = |place: usize| found.get(place).map(|part| part.as_str());
        Some(Hop {
            hop: part(1)?.parse().ok()?,
            ip: part(2).unwrap_or("*").to_owned(),
            latency_ms: part(3).and_then(|text| text.parse().ok()).unwrap_or(-1.0),
        })
    };
    let hops: Vec<Hop> = output.lines().filter_map(hop).collect();
    let reached = hops.iter().any(|hop| hop.ip.parse() == Ok(address));
    RouteAnswer { host: host.to_owned(), hops, reached, raw: output }
}

#[cfg(test)]
mod tests {
    use super::{pinged, traced};

    #[test]
    fn what_ping_writes_is_read_in_all_its_forms() {
        let linux = "3 packets transmitted, 2 received, 33.3333% packet loss, time 2003ms\nrtt min/avg/max/mdev = 2.3/3.4/5.6/0.1 ms\n";
        let busybox = "3 packets transmitted, 3 packets received, 0% packet loss\nround-trip min/avg/max = 2.3/3.4/5.6 ms\n";
        let found = pinged("a", linux.to_owned());
        assert!(
            found.reachable
                && (found.packet_loss - 33.3333).abs() < 1e-9
                && (found.avg_latency - 3.4).abs() < 1e-9
        );
        let found = pinged("a", busybox.to_owned());
        assert!(found.reachable && found.packet_loss.abs() < 1e-9 && (found.avg_latency - 3.4).abs() < 1e-9);
        assert!(!pinged("a", "3 packets transmitted, 0 received, 100% packet loss".to_owned()).reachable);
        assert!(!pinged("a", "ping: socket: Operation not permitted".to_owned()).reachable);
    }

    #[test]
    fn a_route_has_its_hops() {
        let output = "traceroute to 10.0.0.9 (10.0.0.9), 30 hops max\n 1  172.17.0.1  0.043 ms\n 2  *\n 3  10.0.0.9  1.5 ms\n";
        let found = traced("web", "10.0.0.9".parse().unwrap(), output.to_owned());
        let hops: Vec<(u32, &str)> = found.hops.iter().map(|hop| (hop.hop, hop.ip.as_str())).collect();
        assert_eq!(hops, [(1, "172.17.0.1"), (2, "*"), (3, "10.0.0.9")]);
        assert!(found.reached && (found.hops[1].latency_ms + 1.0).abs() < 1e-9);
        assert!(!traced("web", "10.0.0.8".parse().unwrap(), found.raw).reached);
    }
}
