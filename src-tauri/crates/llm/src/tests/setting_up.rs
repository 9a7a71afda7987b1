//! Tests of the precedence of environment, saved settings and overrides.

use crate::{
    Change, Entry, EnvironmentValues, FailureKind, Field, KeyStorage, Override, ProviderKind, Providers,
    Purpose, SaveError, Saving, Source, StoredValue, Tier,
};
use catalogue::{Caller, Catalogue, Source as Text, ValueRef};
use std::path::Path;
use std::sync::Arc;
use store::{Store, eq};
use tempfile::TempDir;
use zeroize::Zeroizing;

struct Fixed;

impl KeyStorage for Fixed {
    fn key(&self) -> Result<Zeroizing<[u8; 32]>, String> {
        Ok(Zeroizing::new([7; 32]))
    }

    fn about(&self) -> &'static str {
        "in a test"
    }
}

/// The columns of the ledger that this crate reads.
const LEDGER: &str = r#"
"Something that was sent."
type llm_ledger @table(scope: house, exposed: false) {
  id: uuid! @key @default(call: random_uuid)
  provider: String!
  sent_at: timestamp!
  cost: numeric
}
"#;

struct Desk {
    _folder: TempDir,
    store: Store,
    providers: Providers,
}

fn desk(environment: &[(&str, &str)]) -> Desk {
    let folder = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema/tables/models.graphql");
    let text = std::fs::read_to_string(path).unwrap();
    let files = [
        Text { name: "tables/models.graphql", text: &text },
        Text { name: "tables/ledger.graphql", text: LEDGER },
    ];
    let catalogue = Arc::new(Catalogue::parse(&files).unwrap());
    let store = Store::open(&folder.path().join("test.db"), catalogue).unwrap();
    let given: EnvironmentValues =
        environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let providers = Providers::new(store.clone(), given, || 0).with_keys(Arc::new(Fixed));
    Desk { _folder: folder, store, providers }
}

impl Desk {
    fn save(&self, id: &str, change: &str) -> Result<(), SaveError> {
        let change: Change = serde_json::from_str(change).unwrap();
        let mut rng = rand::rng();
        let mut saving = Saving { by: "Ana", now: 7, rng: &mut rng };
        if change.kind.flatten().is_some()
            && !self.providers.setup().unwrap().entries.iter().any(|one| one.id == id)
        {
            self.providers.add(id, &change, &mut saving)
        } else {
            self.providers.save(id, &change, &mut saving)
        }
    }

    fn entry(&self, id: &str) -> Entry {
        self.providers.setup().unwrap().entries.into_iter().find(|entry| entry.id == id).unwrap()
    }

    /// Adds a ledger entry for a request to a provider; `at` in µs since 1970 UTC.
    fn sent(&self, provider: &str, cost: Option<&str>, at: i64) {
        let cost = cost.map_or(ValueRef::Null, |cost| ValueRef::Decimal(cost.parse().unwrap()));
        let row = [("provider", provider.into()), ("cost", cost), ("sent_at", ValueRef::Timestamp(at))];
        self.store.transaction(&Caller::system(), |rows| rows.insert("llm_ledger", &row)).unwrap();
    }

    /// The chosen providers, as `id model`.
    fn asked(&self, purpose: &Purpose<'_>) -> Vec<String> {
        let found = self.providers.candidates(purpose).unwrap_or_default();
        found.iter().map(|provider| format!("{} {}", provider.id, provider.model)).collect()
    }
}

fn of(tier: Tier, agent: Option<&str>) -> Purpose<'_> {
    Purpose::Chat { tier, agent }
}

#[test]
fn nothing_set_up_names_what_is_missing() {
    let desk = desk(&[]);
    for (purpose, missing) in [
        (Purpose::chat(), ["LLM_PROVIDER", "LLM_MODEL_NAME"]),
        (Purpose::Embeddings, ["EMBEDDINGS_PROVIDER", "EMBEDDINGS_MODEL_NAME"]),
    ] {
        let failure = desk.providers.candidates(&purpose).map(|_| ()).unwrap_err();
        assert_eq!(
            (failure.trouble, failure.missing.as_slice()),
            (FailureKind::NotConfigured, missing.as_slice())
        );
    }
}

#[test]
fn the_environment_alone_sets_a_provider_up_with_the_defaults_of_the_contract() {
    let desk = desk(&[("LLM_MODEL_NAME", "amazon.nova-pro-v1:0"), ("EMBEDDINGS_PROVIDER", "bedrock")]);
    let chat = &desk.providers.candidates(&Purpose::chat()).unwrap()[0];
    assert_eq!((chat.kind, chat.model.as_str()), (ProviderKind::Bedrock, "amazon.nova-pro-v1:0"));
    assert_eq!((chat.host().as_str(), chat.is_local()), ("bedrock-runtime.us-west-2.amazonaws.com", false));
    assert_eq!(desk.asked(&Purpose::Embeddings), ["environment-embeddings amazon.titan-embed-text-v2:0"]);
}

#[test]
fn narrower_variables_count_before_wider_ones() {
    let desk = desk(&[
        ("LLM_PROVIDER", "openai"),
        ("LLM_MODEL_NAME", "main"),
        ("LLM_PROVIDER_API_ENDPOINT", "http://127.0.0.1:1/v1"),
        ("LLM_MODEL_FALLBACKS", "second, third"),
        ("LLM_TIER_MODEL_NAME_SUMMARY", "short"),
        ("LLM_MODEL_NAME_COST_EXPERT", "expert"),
    ]);
    assert_eq!(desk.asked(&Purpose::chat()), ["environment main", "environment second", "environment third"]);
    assert_eq!(desk.asked(&of(Tier::Summary, None))[0], "environment short");
    let asked = desk.asked(&of(Tier::Summary, Some("Cost-expert")));
    assert_eq!(asked[..3], ["environment expert", "environment short", "environment main"]);
    // Values not set for the tier or agent come from the general variables.
    let expert = &desk.providers.candidates(&of(Tier::Reasoning, Some("cost expert"))).unwrap()[0];
    assert_eq!((expert.kind, expert.host().as_str()), (ProviderKind::OpenAi, "127.0.0.1:1"));
}

/// Every field has an environment variable; saved values have precedence, and each value reports its source.
#[test]
fn every_value_a_form_can_set_has_a_variable_and_says_that_it_comes_from_there() {
    let value = |field: Field| match field {
        Field::Endpoint => "http://127.0.0.1:9",
        Field::Role => "arn:aws:iam::123456789012:role/models",
        Field::MaxTokens | Field::Dimensions => "256",
        Field::MonthlyLimit => "400.00",
        Field::Region => "eu-central-1",
        Field::Version => "2024-10-21",
        // The protocol.
        Field::Type => "openai",
        _ => "as-given",
    };
    for kind in ProviderKind::ALL {
        let names = |of: fn(Field) -> Option<&'static str>| {
            let names = kind.fields().iter().filter_map(move |field| Some((of(*field)?, value(*field))));
            names.collect::<Vec<_>>()
        };
        let of_embeddings =
            if kind.chats() { [("LLM_MODEL_NAME", "m")] } else { [("EMBEDDINGS_MODEL_NAME", "m")] };
        let all = [
            vec![("LLM_PROVIDER", kind.name()), ("EMBEDDINGS_PROVIDER", kind.name())],
            of_embeddings.to_vec(),
            names(Field::of_chat),
            names(Field::of_embeddings),
        ];
        let desk = desk(&all.concat());
        for (id, of) in [
            ("environment", Field::of_chat as fn(Field) -> Option<&'static str>),
            ("environment-embeddings", Field::of_embeddings),
        ] {
            let entry = desk.entry(id);
            for field in kind.fields().iter().copied() {
                // The token limit does not apply to embeddings, nor the vector length to chat.
                let Some(name) = of(field) else {
                    assert!(
                        matches!(field, Field::MaxTokens | Field::Dimensions),
                        "{kind:?} {field:?} of {id}"
                    );
                    continue;
                };
                let found =
                    entry.values.get(&field).unwrap_or_else(|| panic!("{kind:?}: {name} is not read"));
                assert!(found.value == StoredValue::Plain(value(field).to_owned()), "{kind:?} {name}");
                assert_eq!(found.source, Source::Environment, "{kind:?} {name}");
                assert!(crate::ENVIRONMENT.iter().any(|(known, ..)| *known == name), "{name} is not told of");
            }
        }
    }
}

#[test]
fn keys_of_the_chat_serve_embeddings_that_have_none_and_a_role_goes_with_its_keys() {
    let chat = [
        ("LLM_PROVIDER", "bedrock"),
        ("LLM_MODEL_NAME", "m"),
        ("EMBEDDINGS_PROVIDER", "sagemaker"),
        ("LLM_PROVIDER_ACCESS_KEY", "chat"),
        ("LLM_PROVIDER_ROLE_ARN", "arn:aws:iam::123456789012:role/chat"),
    ];
    let of = |more: &[(&str, &str)]| {
        let entry = desk(&[&chat[..], more].concat()).entry("environment-embeddings");
        [Field::AccessKey, Field::Role].map(|field| {
            match entry.values.get(&field).map(|found| found.value.clone()) {
                Some(StoredValue::Plain(value)) => value.rsplit('/').next().unwrap_or_default().to_owned(),
                _ => String::new(),
            }
        })
    };
    assert_eq!(of(&[]), ["chat", "chat"]);
    let role = ("EMBEDDINGS_PROVIDER_ROLE_ARN", "arn:aws:iam::123456789012:role/own");
    assert_eq!(of(&[role]), ["chat", "own"]);
    let key = ("EMBEDDINGS_PROVIDER_ACCESS_KEY", "own");
    assert_eq!(of(&[key]), ["own", ""]);
    assert_eq!(of(&[key, role]), ["own", "own"]);
}

#[test]
fn a_value_of_the_environment_that_cannot_be_used_is_named_by_its_variable() {
    for (name, value, words) in [
        (
            "LLM_PROVIDER_MONTHLY_LIMIT",
            "cheap",
            "LLM_PROVIDER_MONTHLY_LIMIT is \"cheap\": expected an amount",
        ),
        ("LLM_PROVIDER_ROLE_ARN", "me", "LLM_PROVIDER_ROLE_ARN is \"me\": expected the ARN of a role"),
        ("LLM_PROVIDER_API_ENDPOINT", "ftp://x", "LLM_PROVIDER_API_ENDPOINT begins with ftp:"),
    ] {
        let desk = desk(&[("LLM_PROVIDER", "bedrock"), ("LLM_MODEL_NAME", "m"), (name, value)]);
        let failure = desk.providers.candidates(&Purpose::chat()).map(|_| ()).unwrap_err();
        assert_eq!(failure.trouble, FailureKind::Setting);
        assert!(failure.message.contains(words), "{failure}");
    }
}

#[test]
fn a_monthly_limit_of_the_environment_is_one_and_a_form_s_counts_before_it() {
    let desk =
        desk(&[("LLM_PROVIDER", "ollama"), ("LLM_MODEL_NAME", "m"), ("LLM_PROVIDER_MONTHLY_LIMIT", "2")]);
    desk.sent("environment", Some("2"), 5);
    assert_eq!(desk.asked(&Purpose::chat()), [""; 0]);
    desk.save("environment", r#"{"values":{"monthly_limit":"3"}}"#).unwrap();
    assert_eq!(desk.asked(&Purpose::chat()), ["environment m"]);
}

#[test]
fn an_unknown_kind_is_named() {
    let desk = desk(&[("LLM_PROVIDER", "skynet"), ("LLM_MODEL_NAME", "t")]);
    let failure = desk.providers.candidates(&Purpose::chat()).map(|_| ()).unwrap_err();
    assert!(failure.message.contains("\"skynet\", which is no kind"), "{failure}");
}

#[test]
fn what_a_form_saved_counts_before_the_environment_and_can_be_taken_back() {
    let desk = desk(&[
        ("LLM_PROVIDER", "openai"),
        ("LLM_MODEL_NAME", "given"),
        ("LLM_PROVIDER_API_KEY", "from-environment"),
    ]);
    desk.save(
        "environment",
        r#"{"chat_model":"mine","values":{"endpoint":"http://127.0.0.1:9/v1","key":"typed-secret"}}"#,
    )
    .unwrap();
    let entry = desk.entry("environment");
    assert_eq!((entry.chat_model.value.as_str(), entry.chat_model.source), ("mine", Source::Saved));
    assert_eq!((entry.updated_by.as_str(), entry.updated_at), ("Ana", 7));
    let provider = desk.providers.provider(&entry, "mine").unwrap();
    assert_eq!(provider.connection.get(Field::Key), Some("typed-secret"));
    desk.save("environment", r#"{"chat_model":null,"values":{"key":null}}"#).unwrap();
    let entry = desk.entry("environment");
    assert_eq!((entry.chat_model.value.as_str(), entry.chat_model.source), ("given", Source::Environment));
    let provider = desk.providers.provider(&entry, "given").unwrap();
    assert_eq!(provider.connection.get(Field::Key), Some("from-environment"));
    assert_eq!(provider.host(), "127.0.0.1:9");
}

#[test]
fn secrets_are_sealed_and_open_for_their_own_field_alone() {
    let desk = desk(&[]);
    desk.save("a", r#"{"kind":"openai","is_on":true,"values":{"key":"typed-secret"}}"#).unwrap();
    let held = |column| {
        let rows = |rows: &store::Transaction<'_>| rows.select("model_provider", &[column], &[eq("id", "a")]);
        format!("{:?}", desk.store.snapshot::<_, store::StoreError>(&Caller::system(), rows).unwrap())
    };
    assert!(!held("values").contains("typed-secret") && !held("sealed").contains("typed-secret"));
    let mut entry = desk.entry("a");
    let key = entry.values.remove(&Field::Key).unwrap();
    entry.values.insert(Field::SecretKey, key);
    let failure = desk.providers.provider(&entry, "m").map(|_| ()).unwrap_err();
    assert!(failure.message.contains("sealed with another key"), "{failure}");
}

#[test]
fn the_form_sets_an_order_and_overrides_for_tiers_and_agents() {
    let desk = desk(&[
        ("LLM_PROVIDER", "ollama"),
        ("LLM_MODEL_NAME", "given"),
        ("LLM_TIER_MODEL_NAME_SUMMARY", "tier"),
    ]);
    desk.save("a", r#"{"kind":"openai","is_on":true,"chat_model":"big","small_model":"little","values":{}}"#)
        .unwrap();
    desk.save("b", r#"{"kind":"ollama","is_on":true,"chat_model":"llama","embeddings_model":"nomic"}"#)
        .unwrap();
    desk.save("c", r#"{"kind":"ollama","is_on":false,"chat_model":"off"}"#).unwrap();
    assert_eq!(desk.asked(&Purpose::chat()), ["a big", "b llama", "environment given"]);
    assert_eq!(
        desk.asked(&of(Tier::Summary, None)),
        ["a little", "b llama", "environment tier", "environment given"],
        "the database counts before the environment"
    );
    assert_eq!(desk.asked(&Purpose::Embeddings), ["b nomic"]);
    desk.providers.order(&["b".to_owned(), "a".to_owned()]).unwrap();
    assert_eq!(desk.asked(&Purpose::chat())[..2], ["b llama", "a big"]);
    let over = |scope: &str, name: &str, model: &str| Override {
        scope: scope.to_owned(),
        name: name.to_owned(),
        provider: "a".to_owned(),
        model: model.to_owned(),
    };
    desk.providers
        .save_overrides(&[over("agent", "Cost Expert", "huge"), over("tier", "summary", "tiny")])
        .unwrap();
    assert_eq!(desk.asked(&of(Tier::Summary, Some("cost expert")))[..3], ["a huge", "a tiny", "b llama"]);
    desk.providers.remove("a").unwrap();
    assert_eq!(desk.asked(&of(Tier::Summary, Some("cost expert")))[0], "b llama");
    assert!(desk.providers.setup().unwrap().overrides.is_empty());
}

#[test]
fn wrong_values_are_named_and_nothing_is_saved() {
    let desk = desk(&[]);
    for (change, words) in [
        (r#"{"kind":"openai","values":{"endpoint":"ftp://x"}}"#, "endpoint begins with ftp:"),
        (r#"{"kind":"openai","values":{"endpoint":"http://a:b@x"}}"#, "endpoint holds a name or password"),
        (r#"{"kind":"openai","values":{"key":"a\nb"}}"#, "key holds letters that cannot be sent"),
        (r#"{"kind":"openai","values":{"max_tokens":"many"}}"#, "max_tokens is \"many\""),
        (r#"{"kind":"openai","values":{"monthly_limit":"-1"}}"#, "expected an amount such as 400.00"),
        (r#"{"kind":"bedrock","values":{"role":"models"}}"#, "expected the ARN of a role"),
        (r#"{"kind":null}"#, "there is no model provider \"x\""),
    ] {
        let error = desk.save("x", change).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert!(desk.providers.setup().unwrap().entries.is_empty());
}

#[test]
fn a_test_or_a_place_in_the_order_changes_nothing_of_what_the_environment_says() {
    let desk = desk(&[
        ("LLM_PROVIDER", "ollama"),
        ("LLM_MODEL_NAME", "given"),
        ("LLM_TIER_MODEL_NAME_SUMMARY", "tier"),
    ]);
    desk.providers.note_test("environment", serde_json::json!({ "is_sound": true })).unwrap();
    desk.providers.order(&["environment".to_owned()]).unwrap();
    let entry = desk.entry("environment");
    assert!(!entry.is_saved && entry.test.is_some());
    assert_eq!(desk.asked(&of(Tier::Summary, None)), ["environment tier", "environment given"]);
}

#[test]
fn who_has_used_up_a_monthly_limit_is_passed_over_until_the_month_ends() {
    let desk = desk(&[]);
    desk.save("a", r#"{"kind":"openai","is_on":true,"chat_model":"big","values":{"monthly_limit":"1.50"}}"#)
        .unwrap();
    desk.save("b", r#"{"kind":"ollama","is_on":true,"chat_model":"llama"}"#).unwrap();
    // The current time is the beginning of 1970: the first entry is of the previous month, the last one has no price.
    for (cost, at) in [(Some("100"), -1), (Some("1.49999"), 5), (None, 6)] {
        desk.sent("a", cost, at);
    }
    assert_eq!(desk.asked(&Purpose::chat()), ["a big", "b llama"]);
    desk.sent("a", Some("0.00001"), 7);
    assert_eq!(desk.providers.spent().unwrap()["a"].to_string(), "1.5");
    assert_eq!(desk.asked(&Purpose::chat()), ["b llama"]);
    let failure = desk.providers.named("a", "big").map(|_| ()).unwrap_err();
    assert_eq!(failure.trouble, FailureKind::Limited);
    assert!(
        failure.message.contains("monthly limit: 1.5 of 1.5. It is asked again from 1 February on."),
        "{failure}"
    );
    desk.save("a", r#"{"values":{"monthly_limit":""}}"#).unwrap();
    assert_eq!(desk.asked(&Purpose::chat()), ["a big", "b llama"]);
}

#[test]
fn what_the_environment_says_of_tiers_and_agents_is_told() {
    let desk = desk(&[
        ("LLM_PROVIDER", "openai"),
        ("LLM_MODEL_NAME", "large"),
        ("LLM_PROVIDER_API_KEY_RCA", "a key of an agent says of no model"),
        ("LLM_MODEL_NAME_COST_EXPERT", "huge"),
        ("LLM_PROVIDER_TRIAGE", "ollama"),
        ("LLM_MODEL_NAME_TRIAGE", "tiny"),
        ("LLM_TIER_MODEL_NAME_SUMMARY", "small"),
    ]);
    let told = desk.providers.setup().unwrap().given_overrides();
    let told: Vec<_> = told.iter().map(|one| [&one.scope, &one.name, &one.provider, &one.model]).collect();
    assert_eq!(
        told,
        [
            ["tier", "summary", "OpenAI-compatible API", "small"],
            ["agent", "cost_expert", "OpenAI-compatible API", "huge"],
            ["agent", "triage", "Ollama", "tiny"],
        ]
    );
}
