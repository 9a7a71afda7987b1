//! Tests of chat with every kind of provider.

use super::{KINDS, provider_at, wait};
use crate::{Chat, End, Event, Message, ProviderKind, Tool, ToolCall, Usage, ask};
use serde_json::json;
use testkit::language_models::{LanguageModels, Said};

fn question() -> Chat {
    Chat {
        messages: vec![Message::system("Be brief."), Message::user("What did it cost?")],
        tools: vec![Tool {
            name: "query".to_owned(),
            description: "Asks the database.".to_owned(),
            parameters: json!({ "type": "object", "properties": { "text": { "type": "string" } } }),
        }],
        max_tokens: Some(100),
        temperature: Some(0.0),
    }
}

#[test]
fn every_kind_answers_piece_by_piece_with_its_tokens() {
    for kind in KINDS {
        let double = LanguageModels::start();
        double.say([Said::text("Twelve dollars — ü")]);
        let reply = wait(async {
            let mut answer = ask(&[provider_at(&double, kind)], &question()).await.unwrap();
            let mut pieces = Vec::new();
            while let Some(event) = answer.next().await.unwrap() {
                pieces.push(event);
            }
            assert!(answer.next().await.unwrap().is_none(), "{kind:?}: nothing comes after the end");
            pieces
        });
        let texts: Vec<&str> = reply
            .iter()
            .filter_map(|event| if let Event::Text(text) = event { Some(text.as_str()) } else { None })
            .collect();
        assert_eq!(texts.concat(), "Twelve dollars — ü", "{kind:?}");
        // SageMaker's InvokeEndpoint does not stream.
        assert_eq!(texts.len(), if kind == ProviderKind::SageMaker { 1 } else { 2 }, "{kind:?}");
        let usage = Usage { input_tokens: 12, output_tokens: 3, ..Usage::default() };
        assert!(reply.contains(&Event::Usage(usage)), "{kind:?}: {reply:?}");
        assert_eq!(reply.last(), Some(&Event::End(End::Complete)), "{kind:?}");
        assert_eq!(double.wrong_signatures(), [""; 0], "{kind:?}");
    }
}

#[test]
fn every_kind_calls_tools_and_hears_what_came_of_it() {
    for kind in KINDS {
        let double = LanguageModels::start();
        double.say([Said::call("query", json!({ "text": "{ spends { amount } }" })), Said::text("12.50")]);
        let provider = [provider_at(&double, kind)];
        let reply = wait(async { ask(&provider, &question()).await.unwrap().whole().await.unwrap() });
        assert_eq!(reply.end, End::Calls, "{kind:?}");
        let [call] = reply.calls.as_slice() else { panic!("{kind:?}: {reply:?}") };
        assert_eq!((call.name.as_str(), &call.arguments["text"]), ("query", &json!("{ spends { amount } }")));
        let mut next = question();
        next.messages.push(Message::Assistant { text: reply.text, calls: reply.calls.clone() });
        next.messages.push(Message::Tool {
            id: call.id.clone(),
            name: call.name.clone(),
            text: "{\"amount\":12.50}".to_owned(),
        });
        let reply = wait(async { ask(&provider, &next).await.unwrap().whole().await.unwrap() });
        assert_eq!((reply.text.as_str(), reply.end), ("12.50", End::Complete), "{kind:?}");
    }
}

/// The request of each kind, as its documentation specifies.
#[test]
fn every_kind_is_asked_in_its_own_words() {
    let chat = |kind| {
        let double = LanguageModels::start();
        let call = ToolCall {
            id: "c1".into(),
            name: "query".into(),
            arguments: json!({}),
            signature: Some("s".into()),
        };
        let mut chat = question();
        chat.messages.push(Message::Assistant { text: String::new(), calls: vec![call] });
        let result = Message::Tool { id: "c1".into(), name: "query".into(), text: "[1]".into() };
        chat.messages.extend([result, Message::user("And?")]);
        wait(async { ask(&[provider_at(&double, kind)], &chat).await.unwrap().whole().await.unwrap() });
        let asked = double.seen().pop().unwrap();
        (asked.path, asked.body)
    };
    let (path, body) = chat(ProviderKind::OpenAi);
    assert_eq!(path, "/v1/chat/completions");
    assert_eq!((&body["max_tokens"], &body["stream_options"]["include_usage"]), (&json!(100), &json!(true)));
    assert_eq!(body["messages"][2]["tool_calls"][0]["function"]["arguments"], "{}");
    assert_eq!(body["messages"][3], json!({ "role": "tool", "tool_call_id": "c1", "content": "[1]" }));
    let (path, body) = chat(ProviderKind::Azure);
    assert_eq!(path, "/openai/deployments/anthropic.some-model-v1:0/chat/completions?api-version=2024-10-21");
    assert_eq!(body["max_completion_tokens"], 100);
    let (path, body) = chat(ProviderKind::Ollama);
    assert_eq!((path.as_str(), &body["options"]["num_predict"]), ("/api/chat", &json!(100)));
    assert_eq!(body["messages"][3]["tool_name"], "query");
    let (path, body) = chat(ProviderKind::Gemini);
    assert_eq!(path, "/v1beta/models/anthropic.some-model-v1:0:streamGenerateContent?alt=sse");
    assert_eq!(body["systemInstruction"]["parts"][0]["text"], "Be brief.");
    let call = json!({ "functionCall": { "name": "query", "args": {} }, "thoughtSignature": "s" });
    assert_eq!(body["contents"][1], json!({ "role": "model", "parts": [call] }));
    let result = json!({ "functionResponse": { "name": "query", "response": { "result": [1] } } });
    assert_eq!(body["contents"][2]["parts"], json!([result, { "text": "And?" }]), "roles take turns");
    let (path, _) = chat(ProviderKind::Vertex);
    assert_eq!(
        path,
        "/v1/projects/my-project/locations/us-central1/publishers/google/models/anthropic.some-model-v1:0:streamGenerateContent?alt=sse"
    );
    let (path, body) = chat(ProviderKind::Bedrock);
    assert_eq!(path, "/model/anthropic.some-model-v1%3A0/converse-stream");
    assert_eq!(body["inferenceConfig"], json!({ "maxTokens": 100, "temperature": 0.0 }));
    assert_eq!(body["messages"][2]["content"][0]["toolResult"]["toolUseId"], "c1");
    assert_eq!(body["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"]["type"], "object");
    let (path, body) = chat(ProviderKind::SageMaker);
    assert_eq!((path.as_str(), &body["stream"]), ("/endpoints/my-endpoint/invocations", &json!(false)));
}

#[test]
fn models_are_listed_where_the_provider_lists_them() {
    for (kind, expected) in [
        (ProviderKind::OpenAi, true),
        (ProviderKind::HuggingFace, true),
        (ProviderKind::Ollama, true),
        (ProviderKind::Gemini, true),
        (ProviderKind::Bedrock, true),
        (ProviderKind::Azure, false),
        (ProviderKind::SageMaker, false),
    ] {
        let double = LanguageModels::start();
        let names = wait(provider_at(&double, kind).models()).unwrap();
        assert_eq!(names.is_some(), expected, "{kind:?}");
        assert!(names.is_none_or(|names| names == ["large", "small"]), "{kind:?}");
    }
}
