//! A small HTTP client for programs: with a bearer token, or without one.

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

pub struct Client {
    http: reqwest::Client,
    address: String,
    token: Option<String>,
}

/// A status and a body as text: numbers keep every digit.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub body: String,
}

impl Answer {
    pub async fn of(response: Response) -> Self {
        Self { status: response.status(), body: response.text().await.unwrap() }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("not JSON ({error}): {self:#?}"))
    }
}

impl Client {
    pub fn stranger(address: &str) -> Self {
        // The workspace's HTTP client has no default cryptography provider and requires one even for plain HTTP. An error means that another test
        // has set it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self { http: reqwest::Client::new(), address: address.to_owned(), token: None }
    }

    /// Exchanges an API token pair (`{"email", "secret"}`) for a bearer token.
    pub async fn sign_in(address: &str, pair: &Value) -> Self {
        let mut client = Self::stranger(address);
        let answer = client.post("/api/auth/token", pair).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:#?}");
        client.token = Some(answer.json()["token"].as_str().unwrap().to_owned());
        client
    }

    /// The same user at another server.
    pub fn at(&self, address: &str) -> Self {
        Self { http: self.http.clone(), address: address.to_owned(), token: self.token.clone() }
    }

    /// The bearer token, if there is one.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.address));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        Answer::of(self.request(Method::GET, path).send().await.unwrap()).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        Answer::of(self.request(Method::POST, path).json(body).send().await.unwrap()).await
    }

    /// Sends a query to `/api/graphql`.
    pub async fn ask(&self, query: &str, variables: &Value) -> Answer {
        self.post("/api/graphql", &json!({ "query": query, "variables": variables })).await
    }

    /// The `data` of a query that must succeed, as text.
    pub async fn data(&self, query: &str) -> String {
        let answer = self.ask(query, &json!({})).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:#?}");
        let data = answer.body.strip_prefix(r#"{"data":"#).and_then(|rest| rest.strip_suffix('}'));
        data.unwrap_or_else(|| panic!("the query failed: {answer:#?}")).to_owned()
    }
}
