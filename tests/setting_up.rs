//! Tests of configuring models and providers over GraphQL, with a registry and a provider on loopback; all interfaces must report the same.

use crate::support::client::Client;
use crate::support::programs;
use crate::support::service::Service;
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use testkit::language_models::{KEY as MODEL_KEY, LanguageModels};
use testkit::registry::{Content, KEY, Registry, RegistryBehaviour};

/// The `data` of a root field. The response must contain no error and no key.
async fn asked(client: &Client, query: &str, variables: Value) -> Value {
    let answer = client.ask(query, &variables).await;
    assert!(!answer.body.contains(KEY) && !answer.body.contains(MODEL_KEY), "{answer:?}");
    let answer = answer.json();
    let fields = answer["data"].as_object().unwrap_or_else(|| panic!("{query}: {answer}"));
    fields.values().next().unwrap()["data"].clone()
}

async fn standing(client: &Client) -> Value {
    let query = r#"{ ai_list_service_models(request: {names: ["svc-slm"]}) { data { models {
        here { sha256 size_bytes trust origin } download { state bytes size_bytes rate seconds_left registry } } } } }"#;
    asked(client, query, json!({})).await["models"][0].clone()
}

async fn until(client: &Client, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let began = Instant::now();
    loop {
        let standing = standing(client).await;
        if holds(&standing) {
            return standing;
        }
        assert!(began.elapsed() < Duration::from_mins(1), "{what} did not come true: {standing}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_model_is_pulled_paused_resumed_and_verified_over_graphql() {
    const SIZE: usize = 3_000_000;
    let content = Content::Bytes(Arc::new((0..=250).cycle().take(SIZE).collect()));
    let slow = RegistryBehaviour { rate: Some(200_000), ..RegistryBehaviour::default() };
    let registry = Registry::start(content.clone(), content, slow);
    let service = Service::start_with(&[("MODEL_REGISTRY_URL", &registry.address)]);
    let client = service.client().await;
    let save = "mutation Save($key: String!) { ai_update_service_model_settings(request: {values: [{name: \"LICENSE_KEY\", value: $key}]}) {
        data { missing settings { name value is_set source } } } }";
    let saved = asked(&client, save, json!({ "key": KEY })).await;
    assert_eq!(saved["missing"], json!([]));
    let of = |name: &str| {
        saved["settings"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap().clone()
    };
    assert_eq!(of("MODEL_REGISTRY_URL")["source"], "environment");
    assert_eq!(
        of("LICENSE_KEY"),
        json!({ "name": "LICENSE_KEY", "value": null, "is_set": true, "source": "saved" })
    );

    let pull = r#"mutation { ai_pull_service_model(request: {name: "svc-slm"}) { data { name download { state } } } }"#;
    asked(&client, pull, json!({})).await;
    let coming = until(&client, "some bytes", |one| one["download"]["bytes"].as_u64().unwrap_or(0) > 0).await;
    assert_eq!(
        (&coming["download"]["size_bytes"], &coming["download"]["registry"]),
        (&json!(SIZE), &json!(format!("{}/", registry.address)))
    );
    let pause = r#"mutation { ai_pause_service_model(request: {name: "svc-slm"}) { data { download { state bytes } } } }"#;
    let paused = asked(&client, pause, json!({})).await;
    assert_eq!(paused["download"]["state"], "paused");
    assert!(paused["download"]["bytes"].as_u64().unwrap() > 0, "{paused}");

    registry.change_manners(|manners| manners.rate = None);
    asked(&client, pull, json!({})).await;
    let here =
        until(&client, "the model", |one| one["here"]["size_bytes"] == SIZE && one["download"].is_null())
            .await;
    assert_eq!(here["here"]["trust"], "first_use");
    let vouch = format!(
        "mutation {{ ai_verify_service_model(request: {{name: \"svc-slm\", sha256: {}}}) {{ data {{ here {{ trust }} }} }} }}",
        here["here"]["sha256"]
    );
    assert_eq!(asked(&client, &vouch, json!({})).await["here"]["trust"], "person");
    let trail = client
        .data("{ audit_trail(where: {table_name: {_in: [\"model_download\", \"model_file\"]}}, order_by: {created_at: asc}) { operation change } }")
        .await;
    let trail: Value = serde_json::from_str(&trail).unwrap();
    let told: Vec<String> = trail["audit_trail"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| format!("{} {}", line["change"].as_str().unwrap(), line["operation"].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            "insert ai_pull_service_model",
            "update ai_pause_service_model",
            "update ai_pull_service_model",
            "update ai_verify_service_model"
        ]
    );
    assert!(!programs::holds(service.data_dir(), KEY), "the key is sealed");
}

#[tokio::test]
async fn a_provider_is_added_and_tried_out_over_graphql_as_the_page_does() {
    let double = LanguageModels::start();
    let service =
        Service::start_with(&[("LLM_PROVIDER", "ollama"), ("LLM_PROVIDER_API_ENDPOINT", &double.address)]);
    let client = service.client().await;
    let add = "mutation Add($key: String!, $endpoint: String!) { ai_create_model_provider(request: {kind: \"openai\", is_on: true,
        chat_model: \"large\", values: [{name: \"endpoint\", value: $endpoint}, {name: \"key\", value: $key}]}) { data { id missing } } }";
    let endpoint = format!("{}/v1", double.address);
    let added = asked(&client, add, json!({ "key": MODEL_KEY, "endpoint": endpoint })).await;
    let request = json!({ "request": { "id": added["id"] } });
    let check = "mutation Check($request: AIModelProviderRequest!) { ai_check_model_provider(request: $request) { data {
        test { is_sound steps { outcome text tokens } } } } }";
    let tested = asked(&client, check, request.clone()).await["test"].clone();
    assert_eq!(
        (&tested["is_sound"], &tested["steps"][1]),
        (&json!(true), &json!({ "outcome": "ok", "text": "large answered a test prompt", "tokens": 15 }))
    );
    let names = "query Names($request: AIModelProviderRequest!) { ai_list_provider_models(request: $request) { data } }";
    assert_eq!(asked(&client, names, request).await, json!(["large", "small"]));
    let listed = asked(
        &client,
        "{ ai_list_model_providers { data { providers { id is_given fields { name value is_set source variable } } } } }",
        json!({}),
    )
    .await;
    let page = client.get("/api/model-providers").await.json();
    assert_eq!(listed["providers"][0]["id"], page["providers"][0]["id"]);
    let given = listed["providers"].as_array().unwrap().iter().find(|one| one["is_given"] == true).unwrap();
    let endpoint = given["fields"].as_array().unwrap().iter().find(|one| one["name"] == "endpoint").unwrap();
    let expected = json!({
        "name": "endpoint", "value": double.address, "is_set": true, "source": "environment", "variable": "LLM_PROVIDER_API_ENDPOINT"
    });
    assert_eq!(*endpoint, expected);
}

#[tokio::test]
async fn what_is_refused_is_refused_in_the_same_words_at_every_door() {
    let service = Service::start();
    let client = service.client().await;
    for (query, method, path, body, command) in [
        (
            "mutation { ai_pull_service_model(request: {name: \"svc-llm\"}) { data { name } } }",
            Method::POST,
            "/api/models/svc-llm/download",
            json!({}),
            &["model", "pull", "svc-llm"][..],
        ),
        (
            "mutation { ai_remove_service_model(request: {name: \"svc-llm\"}) { data { name } } }",
            Method::DELETE,
            "/api/models/svc-llm",
            json!({}),
            &["model", "remove", "svc-llm"],
        ),
        (
            "mutation { ai_verify_service_model(request: {name: \"a b\"}) { data { name } } }",
            Method::POST,
            "/api/models/a%20b/verify",
            json!({}),
            &["model", "verify", "a b"],
        ),
        (
            "mutation { ai_delete_model_provider(request: {id: \"nobody\"}) { id } }",
            Method::DELETE,
            "/api/model-providers/nobody",
            json!({}),
            &["provider", "remove", "nobody"],
        ),
        (
            "mutation { ai_update_model_overrides(request: {overrides: [{scope: \"tier\", name: \"dreaming\", provider: \"p\", model: \"m\"}]}) { data { secrets } } }",
            Method::PUT,
            "/api/model-providers/overrides",
            json!({ "overrides": [{ "scope": "tier", "name": "dreaming", "provider": "p", "model": "m" }] }),
            &["provider", "override", "tier", "dreaming", "p", "m"],
        ),
    ] {
        let refused = client.ask(query, &json!({})).await.json();
        let words = refused["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{query}: {refused}"));
        let answer = client.request(method, path).json(&body).send().await.unwrap();
        assert!(answer.status().is_client_error(), "{path}: {answer:?}");
        let page: Value = answer.json().await.unwrap();
        assert_eq!(page["message"], words, "{path}");
        let told = programs::run(service.data_dir(), command);
        assert!(told.code != 0 && told.stderr.contains(words), "{words}: {told:?}");
    }
}
