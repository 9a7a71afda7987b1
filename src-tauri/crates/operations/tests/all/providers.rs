//! Tests of the list of models, as returned by `ai_list_models` and `ai_get_model_config`.

use super::house::{House, OWN};
use catalogue::{Caller, ValueRef};

fn with_providers() -> House {
    let house = House::new();
    for (id, kind, is_on, position) in
        [("a", "ollama", true, 0), ("b", "openai", true, 1), ("c", "azure", false, 2)]
    {
        let row = [
            ("id", ValueRef::Text(id)),
            ("kind", ValueRef::Text(kind)),
            ("name", ValueRef::Text("A provider")),
            ("position", ValueRef::Int(position)),
            ("is_on", ValueRef::Bool(is_on)),
            ("chat_model", ValueRef::Text("large")),
            ("small_model", ValueRef::Text(if id == "a" { "little" } else { "" })),
        ];
        house.store.transaction(&Caller::system(), |rows| rows.insert("model_provider", &row)).unwrap();
    }
    house
}

#[test]
fn models_are_listed_with_the_one_that_is_asked_first() {
    let house = with_providers();
    let data =
        house.answers(&format!(r#"{{ ai_list_models(request: {{ account_id: "{OWN}" }}) {{ data }} }}"#));
    let data = &data["ai_list_models"]["data"];
    assert_eq!(data["default"], serde_json::json!({ "provider": "a", "model": "large" }));
    let models: Vec<String> = data["models"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{} {}", one["provider"], one["model"]))
        .collect();
    assert_eq!(models, [r#""a" "large""#, r#""b" "large""#, r#""a" "little""#]);
    assert!(data["missing_settings"].is_null());
}

#[test]
fn the_model_of_a_conversation_is_the_first_one_unless_said_otherwise() {
    let house = with_providers();
    let data = house
        .answers(&format!(r#"{{ ai_get_model_config(request: {{ account_id: "{OWN}" }}) {{ data }} }}"#));
    let data = &data["ai_get_model_config"]["data"];
    assert_eq!((&data["default"]["model"], &data["is_custom"]), (&"large".into(), &false.into()));
}
