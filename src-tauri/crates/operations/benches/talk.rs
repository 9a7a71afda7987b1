//! What the assistant adds to a question beside the model: keeping it, looking with the person's rights, ledger, proof, answer. The
//! model is a double that answers at once, first with a look at costs, then with words; once as one of this machine and once as one elsewhere,
//! which is told no name. Goal: under 10 ms for each call of the model.

use catalogue::{Caller, Catalogue, Decimal, Role, Source, ValueRef};
use graphql::Engine;
use llm::{Chat, Failure, ToolCall, Usage};
use operations::{ModelContext, ModelReply, Models, NoModels, Question, Who};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use store::{Cancel, Store, StoreError};
use uuid::Uuid;

const TENANT: Uuid = Uuid::from_u128(1);
const USER: Uuid = Uuid::from_u128(2);
const ACCOUNT: Uuid = Uuid::from_u128(3);
/// Fewer where nothing is measured but whether it works.
const IS_MEASURED: bool = !cfg!(debug_assertions);
const CHARGES: u64 = if IS_MEASURED { 10_000 } else { 500 };
const RESOURCES: u64 = if IS_MEASURED { 20_000 } else { 500 };
const QUESTIONS: usize = if IS_MEASURED { 100 } else { 5 };
const GOAL_MS: f64 = 10.0;

struct Double {
    is_local: bool,
}

impl Models for Double {
    fn candidates(&self, _: Option<&str>) -> Result<Vec<Who>, Failure> {
        let text = |text: &str| text.to_owned();
        Ok(vec![Who {
            id: text("d"),
            name: text("d"),
            model: text("d"),
            host: text("127.0.0.1"),
            is_local: self.is_local,
            may_leave: true,
        }])
    }

    fn ask(&self, _: &Who, chat: &Chat, hear: &mut dyn FnMut(&str) -> bool) -> Result<ModelReply, Failure> {
        let usage = Usage { input_tokens: 100, output_tokens: 10, ..Usage::default() };
        let has_looked = chat.messages.iter().any(|message| matches!(message, llm::Message::Tool { .. }));
        if has_looked {
            hear("It cost 1.00 USD [Q1].");
            return Ok(ModelReply {
                text: "It cost 1.00 USD [Q1].".to_owned(),
                calls: Vec::new(),
                usage,
                is_whole: true,
            });
        }
        let arguments = json!({ "group_by": "service" });
        let call = ToolCall { id: "1".to_owned(), name: "spend".to_owned(), arguments, signature: None };
        Ok(ModelReply { text: String::new(), calls: vec![call], usage, is_whole: true })
    }

    fn embedder(&self) -> Result<Who, Failure> {
        NoModels.embedder()
    }

    fn embed(&self, who: &Who, texts: &[String]) -> Result<Vec<Vec<f32>>, Failure> {
        NoModels.embed(who, texts)
    }
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = Store::open(&folder.path().join("bench.db"), Arc::new(catalogue())).expect("a new database");
    fill(&store).expect("rows that fit");
    println!("{:<62}{:>8}{:>8}{:>8}", "ms a call beside the model", "p50", "p90", "goal");
    measure(&store, &Double { is_local: true }, &format!("one look at {CHARGES} charges"));
    let names = format!("the same, names of {RESOURCES} resources kept back");
    measure(&store, &Double { is_local: false }, &names);
}

fn measure(store: &Store, double: &Double, what: &str) {
    let providers = llm::Providers::new(store.clone(), llm::EnvironmentValues::new(), || 0);
    let operations = operations::all(
        providers,
        Arc::new(NoModels),
        Arc::new(operations::NoTrackers),
        Arc::new(operations::notices::NoMessengers),
        Arc::new(operations::NoImports),
    );
    let engine =
        Engine::new(store.clone()).expect("it is sound").with_operations(operations).expect("all are served");
    let caller = Caller::user(USER, TENANT, vec![Role::TenantAdmin]);
    let cancel = Cancel::default();
    let context = ModelContext { engine: &engine, caller: &caller, models: double, cancel: &cancel };
    let question = Question {
        account: ACCOUNT.to_string(),
        conversation: None,
        message: "What did we spend on machine-77 and machine-7777?".to_owned(),
        model: None,
        references: Vec::new(),
    };
    let mut times: Vec<f64> = (0..QUESTIONS)
        .map(|_| {
            let began = Instant::now();
            operations::converse(&context, &question, &mut |_| ()).expect("it is answered");
            // Two calls of the model a question.
            began.elapsed().as_secs_f64() * 1_000.0 / 2.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{what:<62}{:>8.2}{:>8.2}{GOAL_MS:>8.1}", times[QUESTIONS / 2], times[QUESTIONS * 9 / 10]);
}

fn fill(store: &Store) -> Result<(), StoreError> {
    store.transaction(&Caller::system_for(TENANT), |rows| {
        let by = [("created_by", USER.into()), ("updated_by", USER.into())];
        rows.insert("tenant", &[&by[..], &[("id", TENANT.into()), ("name", "acme".into())]].concat())?;
        rows.insert(
            "users",
            &[("id", USER.into()), ("username", "ada".into()), ("display_name", "Ada".into())],
        )?;
        let account =
            [("id", ACCOUNT.into()), ("account_name", "shop".into()), ("account_type", "aws".into())];
        rows.insert("cloud_accounts", &[&by[..], &account[..]].concat())?;
        // The count of sessions is limited for a day: these questions are more.
        rows.insert(
            "llm_budget",
            &[
                ("entity_type", "tenant".into()),
                ("entity_id", TENANT.into()),
                ("module", "user_investigation".into()),
                ("budget_disabled", true.into()),
            ],
        )?;
        for number in 0..CHARGES {
            let service = format!("service {}", number % 20);
            let amount = Decimal::from(i64::try_from(number % 7).unwrap_or_default());
            rows.insert(
                "spends",
                &[
                    ("cloud_account", ACCOUNT.into()),
                    ("service_name", service.as_str().into()),
                    ("amount", amount.into()),
                    ("date", ValueRef::Timestamp(0)),
                ],
            )?;
        }
        for number in 0..RESOURCES {
            let name = format!("machine-{number}");
            let arn = format!("arn:aws:ec2:eu-west-1:000000000000:instance/i-{number:017x}");
            rows.insert(
                "cloud_resourses",
                &[
                    &by[..],
                    &[
                        ("account", ACCOUNT.into()),
                        ("cloud_provider", "AWS".into()),
                        ("name", name.as_str().into()),
                        ("arn", arn.as_str().into()),
                        ("resourse_id", name.as_str().into()),
                        ("region", "eu-west-1".into()),
                    ],
                ]
                .concat(),
            )?;
        }
        Ok(())
    })
}

fn catalogue() -> Catalogue {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema");
    let mut files = Vec::new();
    for part in ["tables", "operations", "views"] {
        for entry in std::fs::read_dir(schema.join(part)).expect("the schema is there") {
            let path = entry.expect("it can be listed").path();
            let name = format!("{part}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            files.push((name, std::fs::read_to_string(&path).expect("it can be read")));
        }
    }
    let sources: Vec<Source<'_>> = files.iter().map(|(name, text)| Source { name, text }).collect();
    Catalogue::parse(&sources).expect("the schema is sound")
}
