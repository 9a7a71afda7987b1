//! Calls to services and their responses: HTTP, Prometheus, models, and remote tools and agents.

use super::{LARGEST_ANSWER, QUOTED, Runner, wait};
use automation::plan::TaskFailure;
use automation::services::metrics::{Measurements, MetricsCall, series_of};
use automation::services::remote_tools::{self, RemoteCall, ToolCall};
use automation::services::requests::HttpRequest;
use operations::runs::{self, ModelCall};
use outgoing::{Method, Outgoing, header};
use serde_json::{Map, Value, json};
use std::time::Duration;
use store::Cancel;

impl Runner {
    pub(super) async fn ask_in_time(&self, request: HttpRequest) -> Result<Value, TaskFailure> {
        let patience = Duration::from_micros(u64::try_from(request.timeout).unwrap_or_default());
        tokio::time::timeout(patience, self.ask(request)).await.unwrap_or_else(|_| {
            Err(TaskFailure {
                kind: "Timeout".to_owned(),
                message: format!("there was no answer within {} s", patience.as_secs_f32()),
                is_timeout: true,
            })
        })
    }

    /// Queries a Prometheus server, one query after the other.
    pub(super) async fn measure(&self, call: MetricsCall) -> Result<Value, TaskFailure> {
        let (mut labels, mut series) = (Vec::new(), Vec::new());
        for (label, request) in call.requests {
            let answer = self.ask_in_time(request).await?;
            series.extend(series_of(&label, &answer["body"])?);
            labels.push(label);
        }
        let found = Measurements::of(labels.iter().map(String::as_str), series);
        serde_json::to_value(&found).map_err(|error| TaskFailure::new("Network", error.to_string()))
    }

    /// Calls a model. When it exceeds its timeout, the call is cancelled.
    pub(super) async fn ask_model(&self, call: ModelCall) -> Result<Value, TaskFailure> {
        let patience = Duration::from_micros(u64::try_from(call.timeout).unwrap_or_default());
        let (desk, cancel) = (self.desks.models.clone(), Cancel::default());
        let own = cancel.clone();
        let asked = wait(move || Ok(runs::ask_model(&desk.engine, desk.models.as_ref(), &own, &call)));
        if let Ok(answered) = tokio::time::timeout(patience, asked).await {
            return answered.map_err(|error| TaskFailure::new("Model", error.to_string()))?;
        }
        cancel.cancel();
        Err(TaskFailure {
            kind: "Timeout".to_owned(),
            message: format!("the model gave no answer within {} s", patience.as_secs_f32()),
            is_timeout: true,
        })
    }

    /// Calls a remote tool or agent.
    pub(super) async fn call_elsewhere(&self, call: RemoteCall) -> Result<Value, TaskFailure> {
        match call {
            RemoteCall::Agent(call) => {
                let answer = self.ask_in_time(*call).await?;
                Ok(json!({ "result": remote_tools::result(&answer["body"], "1")? }))
            }
            RemoteCall::Tool(tool) => {
                let ToolCall { first, mut ready, mut call } = *tool;
                let greeting = self.ask_in_time(first).await?;
                remote_tools::result(&greeting["body"], "1")?;
                if let Some(session) = greeting["headers"][remote_tools::SESSION].as_str() {
                    for request in [&mut ready, &mut call] {
                        request.headers.push((remote_tools::SESSION.to_owned(), session.to_owned()));
                    }
                }
                self.ask_in_time(ready).await?;
                let answer = self.ask_in_time(call).await?;
                remote_tools::result(&answer["body"], "2")
            }
        }
    }

    async fn ask(&self, request: HttpRequest) -> Result<Value, TaskFailure> {
        let runner = self.clone();
        let network = |fault: outgoing::Fault| TaskFailure::new("Network", fault.to_string());
        let way = wait(move || Ok(runner.way().and_then(|way| way.open().map_err(network)))).await;
        let way: Outgoing = way.map_err(|error| TaskFailure::new("Network", error.to_string()))??;
        let wrong = |what: &str| TaskFailure::new("InvalidParameters", format!("{what} cannot be sent"));
        let method: Method =
            request.method.parse().map_err(|_| wrong(&format!("the method {}", request.method)))?;
        let mut asked = way.request(method, &request.url).map_err(network)?;
        for (name, value) in &request.headers {
            let name: header::HeaderName = name.parse().map_err(|_| wrong(&format!("the header {name}")))?;
            let value = value
                .parse::<header::HeaderValue>()
                .map_err(|_| wrong(&format!("the value of the header {name}")))?;
            asked = asked.header(name, value);
        }
        if let Some(body) = request.body {
            asked = asked.body(body);
        }
        let answer = way.send(asked).await.map_err(network)?;
        let status = answer.status();
        let header = |(name, value): (&header::HeaderName, &header::HeaderValue)| {
            (name.as_str().to_owned(), json!(value.to_str().unwrap_or_default()))
        };
        let headers: Map<String, Value> = answer.headers().iter().map(header).collect();
        let body = outgoing::read(answer, LARGEST_ANSWER).await.map_err(network)?;
        let text = String::from_utf8_lossy(&body).into_owned();
        if status.is_client_error() || status.is_server_error() {
            let said: String = text.chars().take(QUOTED).collect();
            return Err(TaskFailure::new(
                "HttpError",
                format!("the service answered {}: {said}", status.as_u16()),
            ));
        }
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Ok(json!({ "status_code": status.as_u16(), "headers": headers, "body": body }))
    }
}
