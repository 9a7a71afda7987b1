//! Tests the assistant for callers with different roles: conversations, budgets, rights and the audit trail.

mod many;

use catalogue::{Caller, CallerAccounts, Decimal, Role, ValueRef, parse_timestamp};
use graphql::{Engine, Request};
use serde_json::{Value, json};
use std::sync::Arc;
use store::{Store, StoreError};
use uuid::Uuid;

pub(crate) const TENANT: Uuid = Uuid::from_u128(0xA);
pub(crate) const OTHER_TENANT: Uuid = Uuid::from_u128(0xB);
pub(crate) const SHOP: Uuid = Uuid::from_u128(0xA1);
pub(crate) const LAB: Uuid = Uuid::from_u128(0xA2);
pub(crate) const FAR: Uuid = Uuid::from_u128(0xB1);
pub(crate) const ADA: Uuid = Uuid::from_u128(1);
const BOB: Uuid = Uuid::from_u128(2);

fn now() -> i64 {
    parse_timestamp("2026-11-20T12:00:00").unwrap()
}

/// Two tenants: the first with the accounts shop and lab, the other one with a single account.
pub(crate) struct TestService {
    pub store: Store,
    pub engine: Engine,
    folder: tempfile::TempDir,
}

impl TestService {
    pub fn new() -> Self {
        Self::with_models(Arc::new(crate::NoModels))
    }

    pub fn with_models(models: Arc<dyn crate::Models>) -> Self {
        Self::with_environment(&llm::EnvironmentValues::new(), models)
    }

    /// A service with these settings in its environment.
    pub fn with_environment(given: &llm::EnvironmentValues, models: Arc<dyn crate::Models>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("office.db"), testkit::product::catalogue()).unwrap();
        let store = store.with_clock(now);
        let providers = llm::Providers::new(store.clone(), given.clone(), now);
        let engine = Engine::over_tested_catalogue(store.clone())
            .with_operations(crate::all(
                providers,
                models,
                Arc::new(crate::NoTrackers),
                Arc::new(crate::notices::NoMessengers),
                Arc::new(crate::NoImports),
            ))
            .unwrap();
        let service = Self { store, engine, folder };
        service.fill();
        service
    }

    fn fill(&self) {
        let system = Caller::system();
        let filled = self.store.transaction(&system, |rows| -> Result<(), StoreError> {
            for (id, name) in [(TENANT, "acme"), (OTHER_TENANT, "umbrella")] {
                let by = [("created_by", ADA.into()), ("updated_by", ADA.into())];
                rows.insert("tenant", &[&by[..], &[("id", id.into()), ("name", name.into())]].concat())?;
            }
            for (id, name) in [(ADA, "Ada"), (BOB, "Bob")] {
                let row = [("id", id.into()), ("username", name.into()), ("display_name", name.into())];
                rows.insert("users", &row)?;
                let by = [("user_id", id.into()), ("created_by", ADA.into()), ("updated_by", ADA.into())];
                rows.insert("tenant_users", &[&by[..], &[("tenant", TENANT.into())]].concat())?;
            }
            for (id, tenant, name) in
                [(SHOP, TENANT, "shop"), (LAB, TENANT, "lab"), (FAR, OTHER_TENANT, "far")]
            {
                rows.insert(
                    "cloud_accounts",
                    &[
                        ("id", id.into()),
                        ("tenant", tenant.into()),
                        ("account_name", name.into()),
                        ("account_type", "kubernetes".into()),
                        ("created_by", ADA.into()),
                        ("updated_by", ADA.into()),
                    ],
                )?;
            }
            Ok(())
        });
        filled.unwrap();
    }

    /// Opens the same database as another process would.
    pub fn elsewhere(&self) -> Store {
        Store::open(&self.folder.path().join("office.db"), testkit::product::catalogue()).unwrap()
    }

    /// Adds a row as the service for the first tenant.
    pub fn add(&self, table: &str, row: &[(&str, ValueRef<'_>)]) {
        let added = self.store.transaction(&Caller::system_for(TENANT), |rows| rows.insert(table, row));
        added.unwrap_or_else(|error: StoreError| panic!("{table}: {error}"));
    }

    /// Records input tokens that Ada used in an account at a given time.
    pub fn use_tokens(&self, account: Uuid, source: &str, at: &str, input: i64) {
        self.add(
            "llm_usage",
            &[
                ("account_id", account.into()),
                ("conversation_id", Uuid::new_v4().into()),
                ("source", source.into()),
                ("provider", "local".into()),
                ("model", "small".into()),
                ("input_tokens", input.into()),
                ("created_at", ValueRef::Timestamp(parse_timestamp(at).unwrap())),
            ],
        );
    }

    /// Sets prices: 1 per million input tokens and 2 per million output tokens.
    pub fn price(&self) {
        let price = |number| Decimal::from(number).into();
        let row = [
            ("provider", "local".into()),
            ("model", "small".into()),
            ("input", price(1)),
            ("output", price(2)),
        ];
        self.add("llm_price", &row);
    }

    pub fn ask(&self, caller: &Caller, query: &str) -> Value {
        let query = query.replace("$SHOP", &SHOP.to_string()).replace("$LAB", &LAB.to_string());
        let request = Request { query, ..Request::default() };
        serde_json::from_slice(&self.engine.execute(caller, &request, |error| panic!("{error:?}"))).unwrap()
    }

    /// The only field of a response without errors.
    #[track_caller]
    pub fn data(&self, caller: &Caller, query: &str) -> Value {
        let mut answer = self.ask(caller, query);
        let fields = answer["data"].as_object_mut().unwrap_or_else(|| panic!("{query}: refused"));
        fields.values_mut().next().unwrap().take()
    }

    /// The code and the message of an error response.
    #[track_caller]
    pub fn refusal(&self, caller: &Caller, query: &str) -> (String, String) {
        let answer = self.ask(caller, query);
        let error = &answer["errors"][0];
        assert!(error.is_object(), "{query}: {answer}");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&error["extensions"]["code"]), text(&error["message"]))
    }
}

pub(crate) fn admin() -> Caller {
    Caller::user(ADA, TENANT, vec![Role::TenantAdmin])
}

pub(crate) fn reader() -> Caller {
    Caller::user(BOB, TENANT, vec![Role::TenantAdminReadonly])
}

/// Bob with a role in the account shop only.
pub(crate) fn of_shop(role: Role) -> Caller {
    let places = CallerAccounts { accounts: vec![SHOP], namespaces: Vec::new() };
    let (readable, writable) = match role {
        Role::AccountAdmin => (CallerAccounts::default(), places),
        _ => (places, CallerAccounts::default()),
    };
    Caller::user(BOB, TENANT, vec![role]).with_accounts(readable, writable)
}

/// Bob with access to one namespace of shop.
pub(crate) fn of_namespace() -> Caller {
    let places = CallerAccounts { accounts: Vec::new(), namespaces: vec![(SHOP, "web".to_owned())] };
    Caller::user(BOB, TENANT, vec![Role::NamespaceAdmin]).with_accounts(CallerAccounts::default(), places)
}

const NEW_KB: &str = r#"mutation { ai_create_kb(request: {account_id: "$SHOP", knowledgebase:
    {name: "Runbook", file_name: "r.txt", format: "text", data: "Restart api, then web."}}) { data { id } } }"#;
const ASK: &str = r#"mutation { ai_followup_response(request: {account_id: "$SHOP", message: "Why did  web restart?"})
    { conversation_id response status } }"#;

/// The id, status and title of the only conversation.
fn conversation(service: &TestService, caller: &Caller) -> (Uuid, String, String) {
    let found = service.data(caller, "{ users { llm_conversations { id status title } } }");
    let all: Vec<&Value> = found
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|user| user["llm_conversations"].as_array().unwrap())
        .collect();
    let [one] = all[..] else { panic!("{all:?}") };
    let text = |name: &str| one[name].as_str().unwrap().to_owned();
    (text("id").parse().unwrap(), text("status"), text("title"))
}

/// The messages of all conversations: their texts, and the reasons why they were not answered.
fn messages(service: &TestService) -> Vec<(String, String)> {
    let read = service
        .store
        .snapshot(&Caller::system(), |rows| rows.select("llm_message", &["text", "status_reason"], &[]));
    let rows: Result<_, StoreError> = read;
    let text = |cell: &catalogue::Value| cell.as_text().unwrap_or_default().to_owned();
    rows.unwrap().iter().map(|row| (text(&row[0]), text(&row[1]))).collect()
}

#[test]
fn a_message_is_kept_while_no_model_can_answer_it() {
    let service = TestService::new();
    let (code, message) = service.refusal(&reader(), ASK);
    let (id, status, title) = conversation(&service, &reader());
    assert_eq!(code, "not-configured");
    assert!(message.contains("LLM_PROVIDER and LLM_MODEL_NAME are missing"), "{message}");
    assert!(message.ends_with(&format!("Your message is kept in conversation {id}")), "{message}");
    assert_eq!((status.as_str(), title.as_str()), ("FAILED", "Why did web restart?"));
    let kept = messages(&service);
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].0, "Why did  web restart?");
    assert!(message.starts_with(&kept[0].1), "{kept:?}");
}

#[test]
fn a_conversation_is_read_again_by_its_person_and_by_who_reads_the_tenant() {
    let service = TestService::new();
    let asked = of_shop(Role::AccountAdmin);
    service.refusal(&asked, ASK);
    let (id, ..) = conversation(&service, &admin());
    let read = |caller: &Caller, since: &str| {
        let query = format!(
            r#"{{ ai_get_conversation_v3(request: {{account_id: "$SHOP", conversation_id: "{id}"{since}}}) {{
                conversation {{ title status user_display_name }} messages {{ role message status }} agents {{ id }} cursor }} }}"#
        );
        service.ask(caller, &query)
    };
    let whole = json!({ "data": { "ai_get_conversation_v3": {
        "conversation": { "title": "Why did web restart?", "status": "FAILED", "user_display_name": "Bob" },
        "messages": [{ "role": "user", "message": "Why did  web restart?", "status": "FAILED" }],
        "agents": [],
        "cursor": "2026-11-20T12:00:00.000001+00:00",
    } } });
    assert_eq!(read(&asked, ""), whole);
    assert_eq!(read(&admin(), ""), whole);
    let later = read(&asked, r#", since: "2026-11-20T12:00:00.000001Z""#);
    assert_eq!(later["data"]["ai_get_conversation_v3"]["messages"], json!([]));
    let mut colleague = of_shop(Role::AccountAdmin);
    colleague.user = Some(ADA);
    let refused = read(&colleague, "");
    assert_eq!(refused["errors"][0]["extensions"]["code"], "not-found", "{refused}");
}

#[test]
fn a_conversation_goes_on_with_its_person_only() {
    let service = TestService::new();
    service.refusal(&reader(), ASK);
    let (id, ..) = conversation(&service, &reader());
    let more = format!(
        r#"mutation {{ ai_followup_response(request: {{account_id: "$SHOP", conversation_id: "{id}", message: "And api?"}}) {{ status }} }}"#
    );
    assert_eq!(service.refusal(&reader(), &more).0, "not-configured");
    assert_eq!(service.refusal(&admin(), &more).0, "not-found");
    assert_eq!(messages(&service).len(), 2);
}

#[test]
fn a_conversation_is_saved_let_go_and_removed_by_its_person() {
    let service = TestService::new();
    service.refusal(&reader(), ASK);
    let (id, ..) = conversation(&service, &reader());
    let on = |field: &str| {
        format!(r#"mutation {{ {field}(request: {{conversation_id: "{id}"}}) {{ data {{ success }} }} }}"#)
    };
    let done = json!({ "data": { "success": true } });
    let ways = ["ai_save_conversation", "ai_save_conversation", "ai_delete_saved_conversation"];
    for field in ways {
        assert_eq!(service.data(&reader(), &on(field)), done, "{field}");
    }
    assert_eq!(service.refusal(&reader(), &on("ai_delete_saved_conversation")).0, "not-found");
    assert_eq!(service.refusal(&admin(), &on("ai_delete_llm_conversation_by_id")).0, "not-found");
    assert_eq!(service.data(&reader(), &on("ai_delete_llm_conversation_by_id")), done);
    assert_eq!(messages(&service), []);
}

#[test]
fn only_a_conversation_at_work_is_ended() {
    let service = TestService::new();
    service.refusal(&admin(), ASK);
    let (id, ..) = conversation(&service, &admin());
    let stop = format!(
        r#"mutation {{ ai_stop_investigation(request: {{account_id: "$SHOP", conversation_id: "{id}"}}) {{ data }} }}"#
    );
    let (code, message) = service.refusal(&admin(), &stop);
    assert_eq!(code, "conflict");
    assert!(message.contains("is FAILED: only one that is PENDING, IN_PROGRESS, WAITING or"), "{message}");
    let waiting = service.store.transaction(&Caller::system_for(TENANT), |rows| {
        rows.update("llm_conversations", &[], &[("status", "WAITING".into())])
    });
    assert_eq!(waiting.unwrap_or_else(|error: StoreError| panic!("{error}")), 1);
    assert_eq!(service.data(&admin(), &stop)["data"]["status"], "KILLED");
}

const BUDGET: &str = r#"{ ai_budget_status(request: {account_id: "$SHOP"}) { err data { period
    investigation { account { current_usage budget_remaining } }
    user_investigation { tenant { current_usage rate_limit } account { current_usage budget_remaining rate_limit } } } } }"#;

#[test]
fn usage_of_this_month_is_priced_by_account_and_by_what_began_it() {
    let service = TestService::new();
    service.price();
    service.use_tokens(SHOP, "user", "2026-11-01T00:00:00", 1_500_000);
    service.use_tokens(SHOP, "event", "2026-11-20T11:00:00", 250_000);
    service.use_tokens(LAB, "user", "2026-11-19T23:59:59", 3_000_000);
    service.use_tokens(SHOP, "user", "2026-10-31T23:59:59", 99_000_000);
    let status = service.data(&reader(), BUDGET);
    assert_eq!(
        status,
        json!({ "err": [], "data": {
            "period": "2026-11",
            "investigation": { "account": { "current_usage": 0.25, "budget_remaining": 599.75 } },
            "user_investigation": {
                "tenant": { "current_usage": 4.75, "rate_limit": false },
                "account": { "current_usage": 1.75, "budget_remaining": 398.25, "rate_limit": false },
            },
        } })
    );
}

#[test]
fn a_model_without_a_price_is_named() {
    let service = TestService::new();
    service.use_tokens(SHOP, "user", "2026-11-02T00:00:00", 1_500_000);
    let status = service.data(&admin(), BUDGET);
    assert_eq!(
        status["err"],
        json!([{ "message": "local/small has no price: what it has cost is not counted" }])
    );
    assert_eq!(status["data"]["user_investigation"]["account"]["current_usage"], 0);
}

#[test]
fn a_message_beyond_the_budget_is_kept_and_refused_as_such() {
    let service = TestService::new();
    service.price();
    service.use_tokens(SHOP, "user", "2026-11-20T00:00:00", 30_000_000);
    let (code, message) = service.refusal(&admin(), ASK);
    assert_eq!(code, "budget-exceeded");
    assert!(
        message.starts_with("the assistant's budget of the account is spent: cost of the day."),
        "{message}"
    );
    assert_eq!(messages(&service).len(), 1);
    let status = service.data(&admin(), BUDGET);
    assert_eq!(status["data"]["user_investigation"]["account"]["rate_limit"], true);
    assert_eq!(status["data"]["user_investigation"]["tenant"]["rate_limit"], false);
}

#[test]
fn limits_people_set_take_the_place_of_the_services() {
    let service = TestService::new();
    service.price();
    service.use_tokens(LAB, "user", "2026-11-20T00:00:00", 30_000_000);
    let set = |fields: &str| {
        let query = format!(
            r#"mutation {{ ai_upsert_budget_config(request: {{entity_type: "tenant", entity_id: "{TENANT}",
                module: "user_investigation", {fields}}}) {{ data }} }}"#
        );
        service.data(&admin(), &query);
        service.refusal(&admin(), ASK).0
    };
    assert_eq!(set("daily_cost_limit: 30"), "budget-exceeded");
    assert_eq!(set("daily_cost_enabled: false"), "not-configured");
    assert_eq!(set("monthly_cost_limit: 29.5"), "budget-exceeded");
    assert_eq!(set("budget_disabled: true"), "not-configured");
}

#[test]
fn what_a_conversation_has_cost_is_told_by_model() {
    let service = TestService::new();
    service.price();
    service.refusal(&admin(), ASK);
    let (id, ..) = conversation(&service, &admin());
    for output in [100_000, 400_000] {
        service.add(
            "llm_usage",
            &[
                ("account_id", SHOP.into()),
                ("conversation_id", id.into()),
                ("source", "user".into()),
                ("provider", "local".into()),
                ("model", "small".into()),
                ("output_tokens", output.into()),
                ("created_at", ValueRef::Timestamp(now())),
            ],
        );
    }
    let cost = service.data(
        &admin(),
        &format!(
            r#"mutation {{ ai_get_conversation_usage_metrics(request: {{account_id: "$SHOP", conversation_id: "{id}"}}) {{ data }} }}"#
        ),
    );
    assert_eq!(cost["data"]["total_cost"], 1);
    assert_eq!(cost["data"]["models"][0]["answers"], 2);
    assert_eq!(cost["data"]["models"][0]["output_tokens"], 500_000);
}

#[test]
fn who_administers_an_account_writes_there_and_nowhere_else() {
    let service = TestService::new();
    let shop = of_shop(Role::AccountAdmin);
    let kb = service.data(&shop, NEW_KB);
    assert!(kb["data"]["id"].is_string(), "{kb}");
    let (code, message) = service.refusal(&shop, &NEW_KB.replace("$SHOP", "$LAB"));
    assert_eq!(code, "not-found");
    assert_eq!(message, format!("there is no account {LAB} that you may see"));
    let far = NEW_KB.replace("$SHOP", &FAR.to_string());
    assert_eq!(service.refusal(&admin(), &far).1, format!("there is no account {FAR} that you may see"));
}

#[test]
fn a_role_that_reads_one_account_and_writes_another_is_told_so() {
    let service = TestService::new();
    let both = Caller::user(BOB, TENANT, vec![Role::TenantAdminReadonly, Role::AccountAdmin]).with_accounts(
        CallerAccounts::default(),
        CallerAccounts { accounts: vec![LAB], namespaces: Vec::new() },
    );
    let (code, message) = service.refusal(&both, NEW_KB);
    assert_eq!(code, "permission-error");
    assert_eq!(message, format!("your roles let you read account {SHOP}, not change it"));
}

#[test]
fn who_has_a_namespace_reads_what_agents_of_its_account_are() {
    let service = TestService::new();
    let new = r#"mutation { ai_create_agent(request: {account_id: "$SHOP", agent: {name: "Cost expert", system_prompt: "You know prices."}}) { data } }"#;
    service.data(&admin(), new);
    let agents =
        service.data(&of_namespace(), r#"{ ai_list_agents(request: {account_id: "$SHOP"}) { data } }"#);
    let shown = |place: usize| (agents["data"][place]["name"].clone(), agents["data"][place]["type"].clone());
    assert_eq!(shown(0), (json!("assistant"), json!("system")));
    assert_eq!(shown(1), (json!("Cost expert"), json!("custom")));
    let lab =
        service.refusal(&of_namespace(), r#"{ ai_list_agents(request: {account_id: "$LAB"}) { data } }"#);
    assert_eq!(lab.0, "not-found");
}

#[test]
fn what_is_built_in_is_listed_used_and_keeps_its_names() {
    let service = TestService::new();
    let tools = service.data(&admin(), r#"{ ai_list_tools(request: {account_id: "$SHOP"}) { data } }"#);
    let names: Vec<&str> =
        tools["data"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["explain_event", "fields", "query", "search_documents", "spend"]);
    assert_eq!(tools["data"][4]["schema"]["required"], json!(["group_by"]));
    assert_eq!(
        (&tools["data"][4]["type"], &tools["data"][4]["executor_type"]),
        (&json!("system"), &json!("system"))
    );
    let agents = service.data(&admin(), r#"{ ai_list_agents(request: {account_id: "$SHOP"}) { data } }"#);
    assert_eq!(agents["data"][0]["tools"].as_array().map(Vec::len), Some(5));
    assert!(agents["data"][0]["system_prompt"].as_str().unwrap().contains("{account}"));

    let agent = |name: &str, more: &str| {
        format!(
            r#"mutation {{ ai_create_agent(request: {{account_id: "$SHOP", agent: {{name: "{name}", system_prompt: "You know.", tools: ["spend"]}} {more}}}) {{ data }} }}"#
        )
    };
    assert_eq!(service.data(&admin(), &agent("Cost expert", ""))["data"]["tools"], json!(["spend"]));
    let taken = "the name \"Assistant\" of the agent is that of a built-in agent or tool; choose another";
    assert_eq!(service.refusal(&admin(), &agent("Assistant", "")).1, taken);
    assert!(
        service
            .refusal(&admin(), &agent("Assistant", ", override_agent: true"))
            .1
            .contains("keeps its place")
    );
    let tool = r#"mutation { ai_create_tool(request: {account_id: "$SHOP", tool: {name: "spend", description: "x", executor_type: "mcp"}}) { data } }"#;
    assert!(service.refusal(&admin(), tool).1.contains("of a built-in agent or tool"));
    let gone = r#"mutation { ai_delete_tool(request: {account_id: "$SHOP", name: "spend"}) { data } }"#;
    assert_eq!(service.refusal(&admin(), gone).1, "the tool \"spend\" is built in: it cannot be removed");
    let gone = r#"mutation { ai_delete_agent(request: {account_id: "$SHOP", name: "assistant"}) { data } }"#;
    assert_eq!(
        service.refusal(&admin(), gone).1,
        "the agent \"assistant\" is built in: it cannot be changed"
    );
}

#[test]
fn who_only_reads_an_account_meets_its_knowledge_and_writes_none() {
    let service = TestService::new();
    service.data(&admin(), NEW_KB);
    let shop = of_shop(Role::AccountAdminReadonly);
    let list =
        service.data(&shop, r#"{ ai_list_kb(request: {account_id: "$SHOP"}) { data { name data } } }"#);
    assert_eq!(list["data"], json!([{ "name": "Runbook", "data": "Restart api, then web." }]));
    assert_eq!(
        service.refusal(&shop, NEW_KB).1,
        "Access Denied: the role account_admin_readonly may not use this; allowed are tenant_admin, account_admin"
    );
}

#[test]
fn links_name_people_and_an_agents_knowledge_bases_come_without_their_texts() {
    let service = TestService::new();
    let kb = service.data(&admin(), NEW_KB)["data"]["id"].as_str().unwrap().to_owned();
    let agent = r#"mutation { ai_create_agent(request: {account_id: "$SHOP", agent: {name: "Night watch", system_prompt: "You watch."}}) { data } }"#;
    service.data(&admin(), agent);
    let map = format!(
        r#"mutation {{ ai_map_kb_to_agent(request: {{account_id: "$SHOP", kb_id: "{kb}", agent_id: "night watch"}}) {{ data }} }}"#
    );
    assert_eq!(service.data(&of_shop(Role::AccountAdmin), &map)["data"]["created_by"], "Bob");
    let kbs = r#"{ ai_list_agent_kbs(request: {account_id: "$SHOP", agent_id: "Night watch"}) { data } }"#;
    let kbs = service.data(&admin(), kbs);
    assert_eq!(kbs["data"][0]["name"], "Runbook");
    assert_eq!(kbs["data"][0]["data_size_bytes"], 22);
    assert!(kbs["data"][0].get("data").is_none(), "{kbs}");
}

#[test]
fn every_write_leaves_a_row_in_the_trail_with_the_person() {
    let service = TestService::new();
    service.data(&of_shop(Role::AccountAdmin), NEW_KB);
    let trail = service.store.snapshot(&Caller::system(), |rows| {
        let table =
            rows.catalogue().trail.map(|trail| rows.catalogue().table(trail.table).name.clone()).unwrap();
        rows.select(&table, &["user_id", "table_name", "change", "operation"], &[])
    });
    let trail = trail.unwrap_or_else(|error: StoreError| panic!("{error}"));
    let texts: Vec<_> = trail[0][1..].iter().map(|cell| cell.as_text().unwrap()).collect();
    assert_eq!((trail.len(), trail[0][0].as_uuid()), (1, Some(BOB)));
    assert_eq!(texts, ["llm_knowledgebase", "insert", "ai_create_kb"]);
}
