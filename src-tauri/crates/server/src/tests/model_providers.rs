//! Tests of Settings → Model providers over HTTP, with a provider on loopback.

use super::Service;
use super::client::Client;
use crate::clock;
use auth::tenancy;
use catalogue::Role;
use serde_json::{Value, json};
use testkit::language_models::{KEY, LanguageModels};

const PATH: &str = "/api/model-providers";

async fn put(client: &Client, path: &str, body: &Value) -> (u16, Value) {
    let answer = client.send("PUT", path, body.to_string().as_bytes()).await;
    (answer.status, answer.json())
}

/// Adds a provider and returns its id.
async fn added(client: &Client, change: &Value) -> String {
    let answer = client.post(PATH, &change.to_string()).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()["added"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn providers_belong_to_the_administrators_of_the_service() {
    let service = Service::start().await;
    let reader = service.program("rita@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    for (method, path) in [
        ("GET", ""),
        ("POST", ""),
        ("PUT", "/order"),
        ("PUT", "/overrides"),
        ("PUT", "/x"),
        ("DELETE", "/x"),
        ("POST", "/x/test"),
        ("GET", "/x/models"),
    ] {
        let path = format!("{PATH}{path}");
        assert_eq!(service.stranger().send(method, &path, b"{}").await.status, 401, "{method} {path}");
        assert_eq!(
            reader.send(method, &path, b"{}").await.refusal(),
            (403, "forbidden".to_owned()),
            "{method} {path}"
        );
    }
}

/// The fields are visible to every tenant administrator, but the service may only be changed by those of the home tenant.
#[tokio::test]
async fn an_administrator_of_another_tenant_sets_nothing_up_over_graphql() {
    let service = Service::start().await;
    let rng = &mut rand::rng();
    let (elsewhere, _) = tenancy::find_or_create(&service.store(), "Elsewhere", clock::now(), rng).unwrap();
    let foreign = service.program("eve@example.com", Role::TenantAdmin, &elsewhere).await;
    for query in [
        "{ ai_list_service_models { data { folder } } }",
        "{ ai_list_model_providers { data { secrets } } }",
        "{ ai_check_model_registry { data { host } } }",
        "mutation { ai_pull_service_model(request: {name: \"svc-llm\"}) { data { name } } }",
        "mutation { ai_pause_service_model(request: {name: \"svc-llm\"}) { data { name } } }",
        "mutation { ai_cancel_service_model(request: {name: \"svc-llm\"}) { data { name } } }",
        "mutation { ai_import_service_model(request: {file: \"svc-llm\"}) { data { name } } }",
        "mutation { ai_export_service_model(request: {name: \"svc-llm\"}) { data { path } } }",
        "mutation { ai_verify_service_model(request: {name: \"svc-llm\"}) { data { name } } }",
        "mutation { ai_remove_service_model(request: {name: \"svc-llm\"}) { data { name } } }",
        "mutation { ai_move_service_models(request: {path: \"/srv/models\"}) { data { folder } } }",
        "mutation { ai_update_service_model_settings(request: {values: []}) { data { folder } } }",
        "{ ai_list_provider_models(request: {id: \"x\"}) { data } }",
        "mutation { ai_create_model_provider(request: {kind: \"ollama\"}) { id } }",
        "mutation { ai_update_model_provider(request: {id: \"x\"}) { id } }",
        "mutation { ai_delete_model_provider(request: {id: \"x\"}) { id } }",
        "mutation { ai_check_model_provider(request: {id: \"x\"}) { id } }",
        "mutation { ai_order_model_providers(request: {ids: []}) { data { secrets } } }",
        "mutation { ai_update_model_overrides(request: {overrides: []}) { data { secrets } } }",
    ] {
        let answer = foreign.post("/api/graphql", &json!({ "query": query }).to_string()).await.json();
        let error = &answer["errors"][0];
        assert_eq!(
            (&error["extensions"]["code"], &error["message"]),
            (&json!("permission-error"), &json!(operations::model_setup::NOT_YOURS)),
            "{query}: {answer}"
        );
    }
}

#[tokio::test]
async fn a_provider_is_added_tried_out_and_removed_and_its_key_never_comes_back() {
    let service = Service::start().await;
    let admin = service.program("ana@example.com", Role::TenantAdmin, &service.tenant()).await;
    let double = LanguageModels::start();
    let endpoint = format!("{}/v1", double.address);
    let change = json!({
        "kind": "openai", "is_on": true, "chat_model": "large", "embeddings_model": "small",
        "values": { "endpoint": endpoint, "key": KEY },
    });
    let id = added(&admin, &change).await;
    let shown = admin.get(PATH).await;
    assert!(!shown.body.contains(KEY), "{}", shown.body);
    let provider = &shown.json()["providers"][0];
    assert_eq!(provider["fields"]["key"]["is_set"], true);
    assert_eq!(
        (&provider["fields"]["endpoint"]["source"], &provider["is_local"]),
        (&json!("saved"), &json!(true))
    );
    let models = admin.get(&format!("{PATH}/{id}/models")).await.json();
    assert_eq!(models["models"], json!(["large", "small"]));
    let tested = admin.post(&format!("{PATH}/{id}/test"), "").await.json()["providers"][0]["test"].clone();
    assert_eq!(tested["is_sound"], true, "{tested}");
    let texts: Vec<&str> =
        tested["steps"].as_array().unwrap().iter().map(|step| step["text"].as_str().unwrap()).collect();
    let host = double.address.trim_start_matches("http://");
    assert_eq!(
        texts,
        [
            &format!("Reached {host}"),
            "large answered a test prompt",
            "small embedded a test text in 16 numbers"
        ]
    );
    assert_eq!(tested["steps"][1]["tokens"], 15);
    assert_eq!(admin.delete(&format!("{PATH}/{id}")).await.json()["providers"], json!([]));
    assert_eq!(admin.delete(&format!("{PATH}/{id}")).await.status, 404);
}

#[tokio::test]
async fn a_test_tells_the_providers_own_words() {
    let service = Service::start().await;
    let admin = service.program("ana@example.com", Role::TenantAdmin, &service.tenant()).await;
    let double = LanguageModels::start();
    let wrong = "a-wrong-key-123456";
    let endpoint = format!("{}/v1", double.address);
    let change =
        json!({ "kind": "openai", "chat_model": "large", "values": { "endpoint": endpoint, "key": wrong } });
    let id = added(&admin, &change).await;
    let answer = admin.post(&format!("{PATH}/{id}/test"), "").await;
    assert!(!answer.body.contains(wrong), "{}", answer.body);
    let tested = answer.json()["providers"][0]["test"].clone();
    assert_eq!(tested["is_sound"], false);
    let text = tested["steps"][0]["text"].as_str().unwrap();
    assert!(text.contains("refuses the key (status 401). It says: the key"), "{text}");
    assert!(tested["steps"][0]["remedy"].as_str().unwrap().contains("Look at the key"), "{tested}");
}

#[tokio::test]
async fn wrong_values_are_named_by_their_field() {
    let service = Service::start().await;
    let admin = service.program("ana@example.com", Role::TenantAdmin, &service.tenant()).await;
    let id = added(&admin, &json!({ "kind": "ollama" })).await;
    let (status, body) =
        put(&admin, &format!("{PATH}/{id}"), &json!({ "values": { "endpoint": "ftp://x" } })).await;
    assert_eq!(
        (status, &body["error"], &body["problems"][0]["setting"]),
        (400, &json!("wrong_value"), &json!("endpoint"))
    );
    let (status, _) = put(&admin, &format!("{PATH}/nobody"), &json!({ "is_on": true })).await;
    assert_eq!(status, 404);
    let wrong =
        json!({ "overrides": [{ "scope": "tier", "name": "dreaming", "provider": id, "model": "m" }] });
    let (status, body) = put(&admin, &format!("{PATH}/overrides"), &wrong).await;
    assert!(
        status == 400 && body["message"].as_str().unwrap().contains("reasoning, retrieval or summary"),
        "{body}"
    );
}

#[tokio::test]
async fn a_service_without_providers_says_which_there_could_be() {
    let service = Service::start().await;
    let admin = service.program("ana@example.com", Role::TenantAdmin, &service.tenant()).await;
    let shown = admin.get(PATH).await.json();
    assert_eq!(shown["providers"], json!([]));
    assert_eq!(shown["kinds"].as_array().unwrap().len(), 10);
    assert_eq!(shown["secrets"], "Stored encrypted on this machine");
}
