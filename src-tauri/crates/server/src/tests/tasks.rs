//! Tests of the reference's tasks over real connections on loopback: values, network, Slack, remote tools, volume claims.

use super::workflows::{acting, create, once, trigger};
use super::{Client, Service};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, UdpSocket};

/// A JSON value as a GraphQL literal.
fn literal(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name}: {}", literal(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

async fn start(programs: Option<(&Path, &[&str])>, reaches_private: bool) -> (Service, Client) {
    let data_dir = tempfile::tempdir().unwrap();
    let mut settings = acting(data_dir.path());
    settings.automation.reaches_private = reaches_private;
    if let Some((folder, names)) = programs {
        settings.automation.programs = names.iter().map(|name| (*name).to_owned()).collect();
        settings.automation.search_path = Some(folder.to_path_buf());
    }
    let service = Service { running: crate::start::start(settings).await.unwrap(), data_dir };
    let client = service.administrator().await;
    (service, client)
}

/// Runs tasks to their end. Returns their outputs by id.
async fn ran(service: &Service, client: &Client, tasks: &Value) -> (Value, Value) {
    let tasks: String = tasks.as_array().unwrap().iter().map(literal).collect::<Vec<_>>().join(" ");
    let (account, workflow, _) = create(service, client, "PAUSED", r#"{ type: "manual" }"#, &tasks).await;
    let run = trigger(client, &account, &workflow).await;
    let over = |run: &Value| !matches!(run["status"].as_str(), Some("RUNNING" | "SCHEDULED"));
    let seen = once(client, (&account, &workflow, &run), over).await;
    let outputs = seen["tasks"].as_array().unwrap().iter();
    let outputs =
        outputs.map(|task| (task["id"].as_str().unwrap().to_owned(), task["output"].clone())).collect();
    (seen, Value::Object(outputs))
}

fn program(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    std::fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A TCP server that answers each connection with the same bytes. Returns its port.
async fn answering(answer: Vec<u8>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut asked = [0; 1024];
            let _ = stream.read(&mut asked).await;
            let _ = stream.write_all(&answer).await;
        }
    });
    port
}

/// A UDP server that responds with the result of `answer`. Returns its port.
async fn datagrams(answer: impl Fn(&[u8]) -> Vec<u8> + Send + 'static) -> u16 {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let port = socket.local_addr().unwrap().port();
    tokio::spawn(async move {
        let mut bytes = [0; 512];
        while let Ok((count, from)) = socket.recv_from(&mut bytes).await {
            let _ = socket.send_to(&answer(&bytes[..count]), from).await;
        }
    });
    port
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_are_transformed_hashed_and_encrypted() {
    let (service, client) = start(None, false).await;
    let (seen, outputs) = ran(&service, &client, &json!([
        { "id": "sum", "type": "data.transform", "params": {
            "input": { "pods": [{ "name": "web", "cpu": 91 }, { "name": "db", "cpu": 9 }] },
            "expression": "{\"total\": $sum(pods.cpu), \"busy\": pods[cpu > 80].name}" } },
        { "id": "digest", "type": "crypto.hash", "params": { "data": "{{ Tasks.sum.output.data.busy }}", "algorithm": "sha256" }, "depends_on": ["sum"] },
        { "id": "sealed", "type": "crypto.encrypt", "params": { "data": "hello", "key": "k" } },
        { "id": "open", "type": "crypto.decrypt", "params": { "data": "{{ Tasks.sealed.output.data }}", "key": "k" }, "depends_on": ["sealed"] },
    ]))
    .await;
    assert_eq!(seen["status"], "COMPLETED", "{seen}");
    assert_eq!(outputs["sum"]["data"], json!({ "total": 100, "busy": "web" }));
    assert_eq!(outputs["digest"]["data"], "4b5e57f6eb2f42b9039b3d1e13929295f231749c510cbe341cd68036d9af97e2");
    assert_eq!(outputs["open"]["data"], "hello");
    assert_ne!(outputs["sealed"]["data"], "hello");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_network_is_looked_at_over_real_connections() {
    let programs = tempfile::tempdir().unwrap();
    program(
        programs.path(),
        "ping",
        "echo \"$@\"; echo '2 packets transmitted, 1 received, 50% packet loss'; echo 'rtt min/avg/max/mdev = 1/2.5/4/0 ms'; exit 1",
    );
    program(programs.path(), "traceroute", "echo ' 1  127.0.0.1  0.5 ms'");
    let (service, client) = start(Some((programs.path(), &["ping", "traceroute"])), true).await;
    let port = answering(b"220 ready\r\n".to_vec()).await;
    let registry =
        answering(b"Registrar: Example Inc\nRegistry Expiry Date: 2027-08-13T04:00:00Z\n".to_vec()).await;
    let names = datagrams(|asked| {
        let mut answer = asked.to_vec();
        answer[2..4].copy_from_slice(&[0x81, 0x80]);
        answer[7] = 1;
        answer.extend([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 6, 5]);
        answer.extend(b"v=spf");
        answer
    })
    .await;
    let clock = datagrams(|asked| {
        let mut answer = asked.to_vec();
        (answer[0], answer[1]) = (0x1c, 2);
        // 2026-01-01
        answer[40..44].copy_from_slice(&3_976_214_400_u32.to_be_bytes());
        answer
    })
    .await;
    let (seen, outputs) = ran(&service, &client, &json!([
        { "id": "open", "type": "network.tcp", "params": { "host": "127.0.0.1", "port": port, "message": "EHLO" } },
        { "id": "shut", "type": "network.tcp", "params": { "host": "127.0.0.1", "port": 9, "timeout": "2s" } },
        { "id": "name", "type": "network.dns", "params": { "domain": "a.example", "type": "TXT", "server": format!("127.0.0.1:{names}") } },
        { "id": "here", "type": "network.dns", "params": { "domain": "localhost" } },
        { "id": "clock", "type": "network.ntp", "params": { "host": "127.0.0.1", "port": clock.to_string() } },
        { "id": "owner", "type": "network.whois", "params": { "domain": "a.example", "server": format!("127.0.0.1:{registry}") } },
        { "id": "ping", "type": "network.ping", "params": { "host": "localhost", "count": 2 } },
        { "id": "route", "type": "network.traceroute", "params": { "host": "127.0.0.1" } },
    ]))
    .await;
    assert_eq!(seen["status"], "COMPLETED", "{seen}");
    assert_eq!(
        (&outputs["open"]["reachable"], &outputs["open"]["response"]),
        (&json!(true), &json!("220 ready\r\n"))
    );
    assert_eq!(outputs["shut"]["reachable"], false);
    assert_eq!(outputs["name"]["answer"], json!(["v=spf"]));
    assert_eq!(outputs["here"]["answer"][0], "127.0.0.1");
    assert_eq!(outputs["clock"]["ntp_time"], "2026-01-01T00:00:00Z");
    assert_eq!(
        (&outputs["owner"]["status"], &outputs["owner"]["registrar"]),
        (&json!("found"), &json!("Example Inc"))
    );
    assert_eq!(
        (&outputs["ping"]["packet_loss"], &outputs["ping"]["avg_latency"]),
        (&json!(50.0), &json!(2.5))
    );
    // The address was checked, and the program gets the address instead of the name.
    assert!(
        outputs["ping"]["output"].as_str().unwrap().contains("127.0.0.1")
            || outputs["ping"]["output"].as_str().unwrap().contains("::1")
    );
    assert_eq!(outputs["route"]["reached"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_network_inside_is_not_looked_at_unless_the_administrator_says_so() {
    let programs = tempfile::tempdir().unwrap();
    program(programs.path(), "ping", "echo reached");
    let (service, client) = start(Some((programs.path(), &["ping"])), false).await;
    let port = answering(b"secret".to_vec()).await;
    for (kind, params) in [
        ("network.dns", json!({ "domain": "localhost" })),
        ("network.dns", json!({ "domain": "a.example", "type": "TXT", "server": "127.0.0.1" })),
        ("network.ssl", json!({ "host": "127.0.0.1", "port": port.to_string() })),
        ("network.ntp", json!({ "host": "localhost" })),
        ("network.ping", json!({ "host": "169.254.169.254" })),
    ] {
        let (seen, _) =
            ran(&service, &client, &json!([{ "id": "look", "type": kind, "params": params }])).await;
        assert_eq!(seen["status"], "FAILED", "{kind}: {seen}");
        assert!(seen["error"].as_str().unwrap().contains("private network"), "{kind}: {seen}");
    }
    let look = json!([{ "id": "look", "type": "network.tcp", "params": { "host": "127.0.0.1", "port": port, "read_timeout": "1s" } }]);
    let (_, outputs) = ran(&service, &client, &look).await;
    assert_eq!((&outputs["look"]["reachable"], &outputs["look"]["response"]), (&json!(false), &json!("")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_volume_claim_grows_by_what_the_cluster_says_of_it() {
    let programs = tempfile::tempdir().unwrap();
    let written = programs.path().join("written");
    let live = r#"{"spec":{"resources":{"requests":{"storage":"10Gi"}}}}"#;
    let text = format!(
        "echo \"$@\" >> {}\ncase \" $* \" in *' get '*) echo '{live}';; *) echo patched;; esac",
        written.display()
    );
    program(programs.path(), "kubectl", &text);
    let (service, client) = start(Some((programs.path(), &["kubectl"])), false).await;
    let grow = |change: &str| json!([{ "id": "grow", "type": "k8s.pv_rightsize", "params": { "namespace": "shop", "name": "data", "kind": "PersistentVolumeClaim", "change_by": change, "max": "15Gi" } }]);
    let (seen, outputs) = ran(&service, &client, &grow("50%")).await;
    assert_eq!(seen["status"], "COMPLETED", "{seen}");
    let grown = &outputs["grow"];
    assert_eq!(
        (&grown["status"], &grown["old_storage"], &grown["new_storage"]),
        (&json!("success"), &json!("10Gi"), &json!("15360Mi"))
    );
    let (seen, _) = ran(&service, &client, &grow("100%")).await;
    assert!(seen["error"].as_str().unwrap().contains("more than max (15Gi)"), "{seen}");
    let lines = std::fs::read_to_string(&written).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[0], "--namespace shop get persistentvolumeclaim/data --output json");
    assert_eq!(
        lines[1],
        r#"--namespace shop patch persistentvolumeclaim/data --type merge --patch {"spec":{"resources":{"requests":{"storage":"15360Mi"}}}}"#
    );
    assert_eq!(lines.len(), 3, "nothing is patched that would be too large");
}

/// An HTTP service that records its requests and responds by path.
async fn service_with(
    answer: impl Fn(&str, &str) -> Value + Send + 'static,
) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let asked = Arc::clone(&seen);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut bytes = Vec::new();
            loop {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                if let Some((head, body)) = text.split_once("\r\n\r\n") {
                    let length = head.lines().find_map(|line| {
                        line.to_lowercase().strip_prefix("content-length: ").map(str::to_owned)
                    });
                    if body.len() >= length.and_then(|length| length.parse().ok()).unwrap_or(0) {
                        break;
                    }
                }
                if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                    break;
                }
            }
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let path = text.split(' ').nth(1).unwrap_or_default().to_owned();
            let body = answer(&path, &text).to_string();
            asked.lock().unwrap().push(text);
            let reply = format!(
                "HTTP/1.1 200 OK\r\nMcp-Session-Id: s1\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(reply.as_bytes()).await;
        }
    });
    (url, seen)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_elsewhere_is_called_within_its_session() {
    let (url, seen) = service_with(|_, asked| {
        if asked.contains("initialize\"") && asked.contains("\"id\":\"1\"") {
            json!({ "jsonrpc": "2.0", "id": "1", "result": { "protocolVersion": "2025-06-18" } })
        } else {
            json!({ "jsonrpc": "2.0", "id": "2", "result": { "content": [{ "type": "text", "text": "42" }], "isError": false } })
        }
    })
    .await;
    let (service, client) = start(None, true).await;
    let tasks = json!([{ "id": "tool", "type": "llm.mcp_call", "params": { "url": url, "tool_name": "answer", "arguments": { "question": 6 } } }]);
    let (run, outputs) = ran(&service, &client, &tasks).await;
    assert_eq!(run["status"], "COMPLETED", "{run}");
    assert_eq!(outputs["tool"]["content"][0]["text"], "42");
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 3);
    assert!(
        !seen[0].to_lowercase().contains("mcp-session-id")
            && seen[2].to_lowercase().contains("mcp-session-id: s1")
    );
}
