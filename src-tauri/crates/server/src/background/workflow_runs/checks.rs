//! Runs `network.*` tasks. Names are resolved and checked against the service's egress policy before any connection is made.

use super::programs;
use auth::saml::certificate;
use automation::plan::TaskFailure;
use automation::services::network::names::{self, Record, RecordKind, Reply, question, reply};
use automation::services::network::ntp::{self, compare};
use automation::services::network::routes::{ping_arguments, pinged, route_arguments, traced};
use automation::services::network::whois::{self, Registration, referral, usual_server};
use automation::services::network::{Endpoint, NetworkCheck, NetworkCheckKind, TcpAnswer, TlsAnswer};
use outgoing::{Fault, OutgoingSettings, connect_of_system, datagrams_of_system};
use serde::Serialize;
use serde_json::Value;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Maximum number of bytes kept of a response over TCP.
const LARGEST_ANSWER: usize = 4096;
/// Maximum size of a whois response, bytes.
const LARGEST_REGISTRATION: u64 = 256 * 1024;
/// How long to wait for a name server before the next is tried.
const PATIENCE: Duration = Duration::from_secs(3);

/// Returns the path of a program on this machine, if it is allowed to run.
pub(super) type FindProgram<'p> = dyn Fn(&str) -> Result<String, TaskFailure> + Sync + 'p;

fn network(fault: Fault) -> TaskFailure {
    TaskFailure::new("Network", fault.to_string())
}

fn broken(host: &str, error: &std::io::Error) -> TaskFailure {
    TaskFailure::new("Network", format!("the connection to {host} broke off: {error}"))
}

fn given(answer: &impl Serialize) -> Result<Value, TaskFailure> {
    serde_json::to_value(answer).map_err(|error| TaskFailure::new("Network", error.to_string()))
}

/// Performs the check within its timeout. `now` returns the time in µs since 1970 UTC.
pub(super) async fn carry_out(
    way: &OutgoingSettings,
    check: NetworkCheck,
    program: &FindProgram<'_>,
    now: fn() -> i64,
) -> Result<Value, TaskFailure> {
    let patience = Duration::from_micros(u64::try_from(check.timeout).unwrap_or_default());
    let way = OutgoingSettings { connecting: way.connecting.min(patience), ..way.clone() };
    let micros = check.timeout;
    let looked = async {
        match check.question {
            NetworkCheckKind::Tcp { at, message, reading } => given(&tcp(&way, &at, &message, reading).await),
            NetworkCheckKind::Tls { at } => given(&tls(&way, &at, now()).await?),
            NetworkCheckKind::Dns { domain, record, server } => {
                let records = records(&way, &domain, record, server.as_ref()).await?;
                given(&names::answer(&domain, record, records)?)
            }
            NetworkCheckKind::Ntp { at } => given(&clock(&way, &at, now).await?),
            NetworkCheckKind::Whois { domain, server } => given(&registration(&way, &domain, server).await),
            NetworkCheckKind::Ping { host, count } => {
                let path = program("ping")?;
                let address = first(&way, &host).await?;
                let output = programs::written("ping", path, ping_arguments(address, count), micros).await?;
                given(&pinged(&host, output))
            }
            NetworkCheckKind::Traceroute { host, hops } => {
                let path = program("traceroute")?;
                let address = first(&way, &host).await?;
                let output =
                    programs::written("traceroute", path, route_arguments(address, hops), micros).await?;
                given(&traced(&host, address, output))
            }
        }
    };
    // Reading has a separate timeout.
    timeout(patience + Duration::from_secs(61), looked).await.unwrap_or_else(|_| Err(too_slow(patience)))
}

fn too_slow(patience: Duration) -> TaskFailure {
    TaskFailure {
        kind: "Timeout".to_owned(),
        message: format!("there was no answer within {} s", patience.as_secs_f32()),
        is_timeout: true,
    }
}

async fn first(way: &OutgoingSettings, host: &str) -> Result<IpAddr, TaskFailure> {
    let found = way.addresses(host, 0).await.map_err(network)?;
    let first = found.first().map(SocketAddr::ip);
    first.ok_or_else(|| TaskFailure::new("Network", format!("{host} has no address")))
}

/// An unreachable endpoint is a result of the task, not an error.
async fn tcp(way: &OutgoingSettings, at: &Endpoint, message: &str, reading: Option<i64>) -> TcpAnswer {
    let mut answer = TcpAnswer {
        host: at.host.clone(),
        port: at.port.to_string(),
        reachable: false,
        response: String::new(),
        error: String::new(),
    };
    let mut stream = match way.connect(&at.host, at.port).await {
        Ok(stream) => stream,
        Err(fault) => return TcpAnswer { error: fault.to_string(), ..answer },
    };
    if !message.is_empty()
        && let Err(error) = stream.write_all(message.as_bytes()).await
    {
        return TcpAnswer { error: format!("the message cannot be sent: {error}"), ..answer };
    }
    answer.reachable = true;
    if let Some(reading) = reading {
        let patience = Duration::from_micros(u64::try_from(reading).unwrap_or_default());
        let mut bytes = vec![0; LARGEST_ANSWER];
        match timeout(patience, stream.read(&mut bytes)).await {
            Ok(Ok(count)) => answer.response = String::from_utf8_lossy(&bytes[..count]).into_owned(),
            Ok(Err(error)) => answer.error = format!("the answer cannot be read: {error}"),
            // An endpoint that sends nothing is still reachable.
            Err(_) => {}
        }
    }
    answer
}

async fn tls(way: &OutgoingSettings, at: &Endpoint, now: i64) -> Result<TlsAnswer, TaskFailure> {
    let proof = way.proof(&at.host, at.port).await.map_err(network)?;
    let first = proof.certificates.into_iter().next().and_then(certificate::read);
    let first = first.ok_or_else(|| {
        TaskFailure::new("Network", format!("{} showed no certificate that can be read", at.host))
    })?;
    let (subject, issuer) = first.common_names();
    Ok(TlsAnswer {
        subject,
        issuer,
        not_before: auth::saml::time::text(first.not_before),
        not_after: auth::saml::time::text(first.not_after),
        dns_names: first.dns_names(),
        valid: first.not_before <= now && now <= first.not_after,
        days_left: first.days_left(now),
        trusted: proof.trust.is_ok(),
        error: proof.trust.err().map(|fault| fault.to_string()).unwrap_or_default(),
    })
}

async fn clock(
    way: &OutgoingSettings,
    at: &Endpoint,
    now: fn() -> i64,
) -> Result<ntp::ClockAnswer, TaskFailure> {
    let socket = way.datagrams(&at.host, at.port).await.map_err(network)?;
    let sent = now();
    socket.send(&ntp::QUESTION).await.map_err(|error| broken(&at.host, &error))?;
    let mut bytes = [0; 512];
    let count =
        timeout(way.connecting, socket.recv(&mut bytes)).await.map_err(|_| too_slow(way.connecting))?;
    let count = count.map_err(|error| broken(&at.host, &error))?;
    compare(&at.host, &bytes[..count], sent, now())
}

/// Resolves addresses with the system resolver, all other records with a name server.
///
/// # Errors
/// Also if an address is one that the egress policy does not allow, so that internal addresses are not revealed.
async fn records(
    way: &OutgoingSettings,
    domain: &str,
    record: RecordKind,
    server: Option<&Endpoint>,
) -> Result<Vec<Record>, TaskFailure> {
    let asks_system = server.is_none() && matches!(record, RecordKind::A | RecordKind::Aaaa);
    let found = if asks_system {
        let addresses = way.addresses(domain, 0).await.map_err(network)?;
        addresses.iter().map(|address| address_record(address.ip())).collect()
    } else {
        asked(way, domain, record, server).await?
    };
    let is_wanted = |one: &Record| match record {
        RecordKind::A => matches!(one, Record::V4(_)),
        RecordKind::Aaaa => matches!(one, Record::V6(_)),
        _ => true,
    };
    for one in &found {
        let address = match one {
            Record::V4(address) => IpAddr::V4(*address),
            Record::V6(address) => IpAddr::V6(*address),
            _ => continue,
        };
        if !way.egress.allows(domain, address) {
            let message = format!(
                "{domain} leads to this machine or a private network, which is shown only where an administrator of this instance allows it."
            );
            return Err(TaskFailure::new("Network", message));
        }
    }
    Ok(found.into_iter().filter(is_wanted).collect())
}

fn address_record(address: IpAddr) -> Record {
    match address {
        IpAddr::V4(address) => Record::V4(address),
        IpAddr::V6(address) => Record::V6(address),
    }
}

async fn asked(
    way: &OutgoingSettings,
    domain: &str,
    record: RecordKind,
    server: Option<&Endpoint>,
) -> Result<Vec<Record>, TaskFailure> {
    let id = rand::random();
    let question = question(id, domain, record)?;
    let servers = match server {
        Some(at) => way.addresses(&at.host, at.port).await.map_err(network)?,
        None => system_servers(),
    };
    if servers.is_empty() {
        let message = "this machine does not say which name servers it asks: give one as server";
        return Err(TaskFailure::new("Network", message));
    }
    let mut failure = TaskFailure::new("Network", "no name server answers");
    for server in servers {
        let answered = async {
            let bytes = by_datagram(server, &question).await?;
            match reply(&bytes, id, record)? {
                Reply::Records(records) => Ok(records),
                Reply::TooLong => {
                    let bytes = by_stream(server, &question).await?;
                    match reply(&bytes, id, record)? {
                        Reply::Records(records) => Ok(records),
                        Reply::TooLong => {
                            Err(TaskFailure::new("Network", "the answer is cut off over TCP, too"))
                        }
                    }
                }
            }
        };
        match timeout(PATIENCE, answered).await {
            Ok(Err(reason)) if reason.kind == "Network" => failure = reason,
            Ok(answered) => return answered,
            Err(_) => failure = TaskFailure { is_timeout: false, ..too_slow(PATIENCE) },
        }
    }
    Err(failure)
}

/// The name servers configured on this machine.
fn system_servers() -> Vec<SocketAddr> {
    let text = std::fs::read_to_string("/etc/resolv.conf").unwrap_or_default();
    let server = |line: &str| {
        let (key, value) = line.trim().split_once(char::is_whitespace)?;
        let address: IpAddr = value.trim().parse().ok()?;
        (key == "nameserver").then_some(SocketAddr::new(address, 53))
    };
    text.lines().filter_map(server).take(3).collect()
}

async fn by_datagram(server: SocketAddr, question: &[u8]) -> Result<Vec<u8>, TaskFailure> {
    let socket = datagrams_of_system(server).await.map_err(network)?;
    let failed = |error: std::io::Error| broken("the name server", &error);
    socket.send(question).await.map_err(failed)?;
    let mut bytes = vec![0; 4096];
    let count = socket.recv(&mut bytes).await.map_err(failed)?;
    bytes.truncate(count);
    Ok(bytes)
}

async fn by_stream(server: SocketAddr, question: &[u8]) -> Result<Vec<u8>, TaskFailure> {
    let failed = |error: std::io::Error| broken("the name server", &error);
    let mut stream = connect_of_system(server).await.map_err(network)?;
    let length = u16::try_from(question.len()).unwrap_or_default();
    stream.write_all(&[&length.to_be_bytes()[..], question].concat()).await.map_err(failed)?;
    let length = stream.read_u16().await.map_err(failed)?;
    let mut bytes = vec![0; length.into()];
    stream.read_exact(&mut bytes).await.map_err(failed)?;
    Ok(bytes)
}

/// Queries the first whois server, and the server it refers to.
async fn registration(way: &OutgoingSettings, domain: &str, server: Option<Endpoint>) -> Registration {
    let begins_at_top = server.is_none();
    let at = server.unwrap_or_else(|| Endpoint { host: whois::FIRST.to_owned(), port: 43 });
    let raw = match ask_registry(way, &at, domain).await {
        Ok(raw) => raw,
        Err(failure) => return Registration::failed(domain, &at.host, failure.message),
    };
    let next = referral(&raw).or_else(|| begins_at_top.then(|| usual_server(domain)).flatten());
    let Some(next) = next.filter(|next| *next != at.host) else {
        return Registration::read(domain, &at.host, raw);
    };
    let next = Endpoint { host: next, port: 43 };
    match ask_registry(way, &next, domain).await {
        Ok(raw) => Registration::read(domain, &next.host, raw),
        // The first server's response is about the top-level domain, not about this domain.
        Err(failure) if begins_at_top => Registration::failed(domain, &next.host, failure.message),
        Err(failure) => Registration { error: failure.message, ..Registration::read(domain, &at.host, raw) },
    }
}

async fn ask_registry(way: &OutgoingSettings, at: &Endpoint, domain: &str) -> Result<String, TaskFailure> {
    let mut stream: TcpStream = way.connect(&at.host, at.port).await.map_err(network)?;
    let failed = |error: std::io::Error| broken(&at.host, &error);
    stream.write_all(format!("{domain}\r\n").as_bytes()).await.map_err(failed)?;
    let mut bytes = Vec::new();
    let mut answer = stream.take(LARGEST_REGISTRATION);
    timeout(Duration::from_secs(10), answer.read_to_end(&mut bytes))
        .await
        .map_err(|_| too_slow(Duration::from_secs(10)))?
        .map_err(failed)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
