//! An instance of an older version: a real service behind a proxy that removes what that version did not have.

use std::collections::BTreeMap;

use reqwest::redirect::Policy;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::service::Service;

/// The version it reports.
pub const VERSION: &str = "0.0.9";

/// What the older version lacks.
#[derive(Clone, Copy)]
pub struct Lacks {
    /// Root fields of GraphQL.
    pub fields: &'static [&'static str],
    /// Path segments after `/api/`.
    pub areas: &'static [&'static str],
}

/// The address of a proxy that makes `service` look older, for the duration of the test.
pub async fn older(service: &Service, lacks: Lacks) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let _ = rustls::crypto::ring::default_provider().install_default();
    let real = Real {
        http: Client::builder().redirect(Policy::none()).build().unwrap(),
        address: service.address.clone(),
        lacks,
    };
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(real.clone().serve(stream));
        }
    });
    address
}

#[derive(Clone)]
struct Real {
    http: Client,
    address: String,
    lacks: Lacks,
}

struct Asked {
    method: Method,
    path: String,
    headers: BTreeMap<String, String>,
    body: String,
}

impl Real {
    /// Serves one request for each connection.
    async fn serve(self, stream: TcpStream) {
        let mut stream = BufReader::new(stream);
        let Some(asked) = read(&mut stream).await else { return };
        let (status, headers, body) = self.answer(&asked).await;
        let length = body.len();
        let answer = format!(
            "HTTP/1.1 {status} Answer\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
        // The client may have disconnected.
        drop(stream.write_all(answer.as_bytes()).await);
    }

    async fn answer(&self, asked: &Asked) -> (u16, String, String) {
        let area = asked.path.strip_prefix("/api/").and_then(|rest| rest.split(['/', '?']).next());
        if let Some(area) = area.filter(|area| self.lacks.areas.contains(area)) {
            let body = json!({ "error": "not_found", "message": format!("There is nothing at /api/{area}") });
            return (404, "content-type: application/json\r\n".to_owned(), body.to_string());
        }
        let asks_itself = asked.body.contains("__schema");
        let is_asked =
            |field: &&&str| [' ', '('].iter().any(|end| asked.body.contains(&format!("{field}{end}")));
        let unknown = self.lacks.fields.iter().find(is_asked);
        if let Some(field) = unknown.filter(|_| area == Some("graphql") && !asks_itself) {
            let message = format!("field '{field}' not found in type: 'query_root'");
            let body = json!({ "errors": [{ "message": message }] });
            return (200, "content-type: application/json\r\n".to_owned(), body.to_string());
        }
        let mut request = self.http.request(asked.method.clone(), format!("{}{}", self.address, asked.path));
        for (name, value) in &asked.headers {
            // These belong to the connection with the proxy.
            if !["host", "origin", "connection", "content-length", "accept-encoding"].contains(&name.as_str())
            {
                request = request.header(name, value);
            }
        }
        // The service is unreachable: respond like a gateway.
        let Ok(answer) = request.body(asked.body.clone()).send().await else {
            return (502, String::new(), String::new());
        };
        let status = answer.status().as_u16();
        let headers: String = ["content-type", "location", "set-cookie"]
            .into_iter()
            .filter_map(|name| Some(format!("{name}: {}\r\n", answer.headers().get(name)?.to_str().ok()?)))
            .collect();
        let mut body = answer.text().await.unwrap();
        if asked.path == "/api/about" {
            body = self.about(serde_json::from_str(&body).unwrap());
        } else if area == Some("graphql") && asks_itself {
            body = self.schema(serde_json::from_str(&body).unwrap());
        }
        (status, headers, body)
    }

    fn about(&self, mut about: Value) -> String {
        about["version"] = VERSION.into();
        about.as_object_mut().unwrap().remove("schema_version");
        let areas = about["areas"].as_array_mut().unwrap();
        areas.retain(|area| !self.lacks.areas.contains(&area.as_str().unwrap()));
        about.to_string()
    }

    fn schema(&self, mut answer: Value) -> String {
        for root in ["queryType", "mutationType"] {
            if let Some(fields) = answer["data"]["__schema"][root]["fields"].as_array_mut() {
                fields.retain(|field| !self.lacks.fields.contains(&field["name"].as_str().unwrap()));
            }
        }
        answer.to_string()
    }
}

async fn read(stream: &mut BufReader<TcpStream>) -> Option<Asked> {
    let mut line = String::new();
    stream.read_line(&mut line).await.ok().filter(|read| *read > 0)?;
    let mut words = line.split(' ');
    let (method, path) = (words.next()?.parse().ok()?, words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let mut header = String::new();
        stream.read_line(&mut header).await.ok()?;
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Asked { method, path, headers, body: String::from_utf8(body).ok()? })
}
