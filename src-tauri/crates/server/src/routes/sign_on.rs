//! Settings → Single sign-on: seeing, trying and saving its settings; dry runs, the laboratory, refusals, the log.

use crate::app::{App, blocking};
use crate::caller::Steward;
use crate::clock;
use crate::error::Failure;
use crate::routes::password::would_lock_out;
use crate::routes::saml::{away, browser};
use crate::routes::{Sent, parse_body};
use auth::saml::attributes::Groups;
use auth::saml::certificate::{self, Details, Standing};
use auth::saml::exchange::{self, Wish};
use auth::saml::mapping::Mapping;
use auth::saml::report::{self, Exchange, Report};
use auth::saml::settings::{self, ALL, Draft, Problem, Source};
use auth::saml::{Settings, check, idp_metadata, lock_out, time, trial};
use auth::security_log::{self, Event};
use auth::{password, provision, roles};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use catalogue::{Caller, Role};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

#[derive(Serialize)]
struct Shown {
    values: BTreeMap<&'static str, ShownValue>,
    missing: Vec<&'static str>,
    configured: bool,
    enabled: bool,
    certificates: Vec<Details>,
    service_provider: Value,
    mapping: Vec<ShownRow>,
    mapping_problem: Option<String>,
    placement: Value,
    roles: Value,
    warnings: Vec<Warning>,
    last_test: Option<Value>,
    password: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    lock_out: Option<Vec<lock_out::Reason>>,
}

#[derive(Serialize)]
struct ShownValue {
    value: Option<String>,
    source: Source,
    /// What a saved value or a draft hides.
    overrides: Option<&'static str>,
    environment: Option<String>,
    problem: Option<String>,
    required: bool,
    default: Option<&'static str>,
    meaning: &'static str,
}

#[derive(Serialize)]
struct ShownRow {
    row: usize,
    group: String,
    role: String,
    problem: Option<String>,
    people: u64,
}

#[derive(Serialize)]
struct Warning {
    code: &'static str,
    text: String,
    setting: Option<&'static str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changes {
    #[serde(default)]
    values: Draft,
    #[serde(default)]
    confirm: bool,
}

fn no_store<T: Serialize>(value: T) -> Response {
    ([(CACHE_CONTROL, "no-store")], Json(value)).into_response()
}

/// GET: every setting with where it comes from.
pub async fn show(State(app): State<Arc<App>>, _: Steward) -> Result<Response, Failure> {
    let shown =
        blocking(move || in_snapshot(&app, |rows, current| describe(&app, rows, &current, None))).await?;
    Ok(no_store(shown))
}

/// POST: the same with a draft on top, and what saving it would lock people out of. Saves nothing.
pub async fn check_draft(
    State(app): State<Arc<App>>,
    _: Steward,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let Changes { values, .. } = changes(&body)?;
    let shown = blocking(move || {
        in_snapshot(&app, |rows, current| {
            let draft = current.with(&values);
            let reasons = lock_out::reasons(rows, &current, &draft, password_of(&app)?, clock::now())?;
            describe(&app, rows, &draft, Some(reasons))
        })
    })
    .await?;
    Ok(no_store(shown))
}

/// PUT: saves values. They count at once, here and on every server that shares the database.
pub async fn save(
    State(app): State<Arc<App>>,
    Steward(person): Steward,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let Changes { values, confirm } = changes(&body)?;
    let shown = blocking(move || {
        let local = password_of(&app)?;
        app.store.transaction(&Caller::house(), |rows| {
            let current = settings::load(rows, &app.sign_on.given, &app.own_url())?;
            let draft = current.with(&values);
            let problems: Vec<Problem> =
                draft.problems().into_iter().filter(|problem| values.contains_key(problem.setting)).collect();
            if !problems.is_empty() {
                return Err(wrong_values(&problems));
            }
            let reasons = if confirm {
                Vec::new()
            } else {
                lock_out::reasons(rows, &current, &draft, local, clock::now())?
            };
            if !reasons.is_empty() {
                return Err(would_lock_out(&reasons));
            }
            settings::save(rows, &values, clock::now())?;
            let after = settings::load(rows, &app.sign_on.given, &app.own_url())?;
            note_change(rows, &current, &after, person.user, &person.email)?;
            Ok(())
        })?;
        in_snapshot(&app, |rows, current| describe(&app, rows, &current, None))
    })
    .await?;
    Ok(no_store(shown))
}

fn changes(body: &[u8]) -> Result<Changes, Failure> {
    let changes: Changes =
        parse_body(body, "an object with `values`: texts or null by the names of settings")?;
    if let Some(unknown) = changes.values.keys().find(|name| settings::definition(name).is_none()) {
        let known: Vec<&str> = ALL.iter().map(|definition| definition.name).collect();
        return Err(Failure::bad_request(format!(
            "there is no setting {unknown:?}; there is {}",
            known.join(", ")
        )));
    }
    Ok(changes)
}

fn wrong_values(problems: &[Problem]) -> Failure {
    let words: Vec<String> =
        problems.iter().map(|problem| format!("{}: {}", problem.setting, problem.message)).collect();
    let listed = problems
        .iter()
        .map(|problem| json!({ "setting": problem.setting, "message": problem.message }))
        .collect();
    Failure::new(StatusCode::BAD_REQUEST, "wrong_value", words.join("; "))
        .with("problems", Value::Array(listed))
}

fn note_change(
    rows: &Transaction<'_>,
    before: &Settings,
    after: &Settings,
    who: Uuid,
    email: &str,
) -> Result<(), Failure> {
    let changed: BTreeMap<&str, Value> = ALL
        .iter()
        .filter(|definition| before.entry(definition.name) != after.entry(definition.name))
        .map(|definition| {
            (
                definition.name,
                json!({ "before": before.value(definition.name), "after": after.value(definition.name) }),
            )
        })
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = changed.keys().copied().collect();
    let event = Event {
        kind: "settings_changed",
        who: Some(who),
        about: None,
        cause: None,
        text: format!("{email} changed {}", names.join(", ")),
        detail: json!(changed),
    };
    Ok(security_log::note(rows, &event, clock::now(), &mut rand::rng())?)
}

fn password_of(app: &App) -> Result<password::Local, StoreError> {
    password::local(&app.store)
}

fn in_snapshot<T>(
    app: &App,
    work: impl FnOnce(&Transaction<'_>, Settings) -> Result<T, Failure>,
) -> Result<T, Failure> {
    app.store.snapshot(&Caller::house(), |rows| {
        let current = settings::load(rows, &app.sign_on.given, &app.own_url())?;
        work(rows, current)
    })
}

fn describe(
    app: &App,
    rows: &Transaction<'_>,
    settings: &Settings,
    lock_out: Option<Vec<lock_out::Reason>>,
) -> Result<Shown, Failure> {
    let now = clock::now();
    let problems = settings.problems();
    let values = ALL.iter().filter_map(|definition| {
        let entry = settings.entry(definition.name)?;
        let problem: Vec<&str> = problems
            .iter()
            .filter(|one| one.setting == definition.name)
            .map(|one| one.message.as_str())
            .collect();
        let hides = matches!(entry.source, Source::Saved | Source::Draft) && entry.environment.is_some();
        Some((
            definition.name,
            ShownValue {
                value: entry.value.clone(),
                source: entry.source,
                overrides: hides.then_some("environment"),
                environment: entry.environment.clone(),
                problem: (!problem.is_empty()).then(|| problem.join("; ")),
                required: definition.is_required,
                default: definition.default,
                meaning: definition.meaning,
            },
        ))
    });
    let (mapping, mapping_problem) = match settings.mapping() {
        Ok(mapping) => (rows_of(rows, &mapping)?, None),
        Err(problem) => (Vec::new(), Some(problem)),
    };
    let tenant = match &app.sign_on.deployment {
        provision::Deployment::Hosted => None,
        provision::Deployment::SelfHosted { tenant } => Some(provision::home_name(rows, tenant.as_deref())?),
    };
    let local = password_of(app)?;
    let certificates = settings.certificates().unwrap_or_default();
    Ok(Shown {
        values: values.collect(),
        missing: settings.missing(),
        configured: settings.verifier().is_ok(),
        enabled: settings.is_enabled(),
        warnings: warnings(app, settings, now),
        certificates: certificates.iter().map(|one| one.details(now)).collect(),
        service_provider: json!({
            "acs_url": settings.acs_url(),
            "entity_id": settings.entity_id(),
            "name_id_format": idp_metadata::NAME_ID_FORMAT,
            "sign_on_url": settings.sign_on_url(),
            "metadata_url": "/api/auth/saml/metadata",
        }),
        mapping,
        mapping_problem,
        placement: json!({
            "deployment": if tenant.is_some() { "self-hosted" } else { "hosted" },
            "tenant": tenant,
            "from": app.sign_on.tenant_from,
        }),
        roles: json!([
            { "name": Role::TenantAdmin.name(), "label": "Tenant admin" },
            { "name": Role::TenantAdminReadonly.name(), "label": "Tenant admin (read only)" },
        ]),
        last_test: trial::last(rows)?.map(|trial| {
            json!({
                "id": trial.id.to_string(),
                "at": time::text(trial.created_at),
                "passed": trial.passed,
                "of_these_values": trial.values_hash == settings.deciding_hash(),
            })
        }),
        password: json!({ "set": local.is_set, "enabled": local.is_enabled }),
        lock_out,
    })
}

fn rows_of(rows: &Transaction<'_>, mapping: &Mapping) -> Result<Vec<ShownRow>, StoreError> {
    let row = |(at, row): (usize, &auth::saml::mapping::Row)| {
        Ok(ShownRow {
            row: at + 1,
            group: row.group.clone(),
            role: row.role.clone(),
            problem: auth::user::tenant_role(&row.role).err().map(|error| error.to_string()),
            people: rows.count("user_role_reasons", &[eq("by_group", row.group.as_str())])?,
        })
    };
    mapping.rows.iter().enumerate().map(row).collect()
}

/// What is not wrong, and worth knowing.
fn warnings(app: &App, settings: &Settings, now: i64) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let certificates = settings.certificates().unwrap_or_default();
    for one in &certificates {
        let days = one.days_left(now);
        let text = match one.standing(now) {
            Standing::Healthy => continue,
            Standing::Warning => {
                format!("{} expires in {days} days, on {}", one.subject, time::text(one.not_after))
            }
            Standing::Error => format!("{} expired on {}", one.subject, time::text(one.not_after)),
            Standing::NotYetValid => {
                format!("{} is not valid before {}", one.subject, time::text(one.not_before))
            }
        };
        warnings.push(Warning { code: "certificate", text, setting: Some(settings::CERT) });
    }
    if let Ok(mapping) = settings.mapping() {
        for (at, row) in mapping.rows.iter().enumerate() {
            let near =
                |other: &&auth::saml::mapping::Row| other.group.to_lowercase() == row.group.to_lowercase();
            if let Some(earlier) = mapping.rows[..at].iter().find(near) {
                let text =
                    format!("Rows “{}” and “{}” differ in capital letters only", earlier.group, row.group);
                warnings.push(Warning { code: "near_miss", text, setting: Some(settings::GROUP_MAPPING) });
            }
        }
    }
    let is_plain = settings.base_url().starts_with("http://");
    let is_local = ["http://127.0.0.1", "http://localhost", "http://[::1]"]
        .iter()
        .any(|own| settings.base_url().starts_with(own));
    if is_plain && !is_local {
        let text = "Answers of the provider, and then cookies, travel unencrypted: use an address with https"
            .to_owned();
        warnings.push(Warning { code: "plain_http", text, setting: Some(settings::URL) });
    }
    let host = url::Url::parse(&settings.base_url()).ok();
    let host = host.as_ref().and_then(|url| Some((url.host_str()?.to_owned(), url.port())));
    if let Some((host, port)) = host {
        let named = port.map_or_else(|| host.clone(), |port| format!("{host}:{port}"));
        if !app.names.answer_to(&named) {
            let text = format!(
                "This service does not answer for {named}: add it to the setting `hosts` (QUARTERDECK_HOSTS)"
            );
            warnings.push(Warning { code: "unknown_host", text, setting: Some(settings::URL) });
        }
    }
    warnings
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MetadataSent {
    xml: String,
}

/// POST: what metadata of a provider says, before it fills the form.
pub async fn read_metadata(
    State(app): State<Arc<App>>,
    _: Steward,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let sent: MetadataSent = parse_body(&body, "an object with the text `xml`")?;
    let preview = blocking(move || {
        let now = clock::now();
        let read = idp_metadata::parse(&sent.xml, now)
            .map_err(|error| Failure::new(StatusCode::BAD_REQUEST, "bad_metadata", error.to_string()))?;
        let current = app.saml()?;
        let pem: String = read.certificates.iter().map(certificate::Certificate::pem).collect();
        let values = [
            (settings::ENTRY_POINT, read.entry_point.clone()),
            (settings::ISSUER, read.entity_id.clone()),
            (settings::CERT, pem),
        ];
        let changes: Vec<Value> = values
            .iter()
            .filter(|(name, value)| current.value(name) != Some(value))
            .map(|(name, value)| json!({ "setting": name, "before": current.value(name), "after": value }))
            .collect();
        Ok::<_, Failure>(json!({
            "entity_id": read.entity_id,
            "entry_point": read.entry_point,
            "bindings": read.bindings,
            "certificates": read.certificates.iter().map(|one| one.details(now)).collect::<Vec<_>>(),
            "name_id_formats": read.name_id_formats,
            "valid_until": read.valid_until.map(time::text),
            "warnings": read.warnings,
            "values": values.into_iter().collect::<BTreeMap<_, _>>(),
            "changes": changes,
        }))
    })
    .await?;
    Ok(no_store(preview))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CertificateSent {
    text: String,
}

/// POST: what certificates say of themselves.
pub async fn read_certificate(_: Steward, Sent(body): Sent) -> Result<Response, Failure> {
    let sent: CertificateSent = parse_body(&body, "an object with the text `text`")?;
    let read = certificate::parse_all(&sent.text)
        .map_err(|error| Failure::new(StatusCode::BAD_REQUEST, "bad_certificate", error.to_string()))?;
    let now = clock::now();
    let normalized: String = read.iter().map(certificate::Certificate::pem).collect();
    let details: Vec<Details> = read.iter().map(|one| one.details(now)).collect();
    Ok(no_store(json!({ "certificates": details, "normalized": normalized })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Preview {
    #[serde(default)]
    values: Draft,
    groups: Vec<String>,
    email: Option<String>,
}

/// POST: what the switches and the mapping would make of these groups.
pub async fn preview_roles(
    State(app): State<Arc<App>>,
    _: Steward,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let preview: Preview = parse_body(&body, "an object with the list `groups`")?;
    let home = app.home;
    let effect = blocking(move || {
        in_snapshot(&app, |rows, current| {
            let settings = current.with(&preview.values);
            let groups = Groups { values: preview.groups, from: vec!["groups".to_owned()], note: None };
            Ok(roles::preview(rows, &settings, &groups, preview.email.as_deref(), home)?)
        })
    })
    .await?;
    Ok(no_store(effect))
}

/// POST: begins a dry run with a draft, or with the settings as they are.
pub async fn create_test(
    State(app): State<Arc<App>>,
    Steward(person): Steward,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let Changes { values, .. } = changes(&body)?;
    let id = blocking(move || {
        let settings = app.saml()?.with(&values);
        settings.verifier().map_err(|problems| {
            let missing: Vec<Value> = problems
                .iter()
                .map(|problem| json!({ "setting": problem.setting, "message": problem.message }))
                .collect();
            Failure::new(StatusCode::BAD_REQUEST, "not_configured", "SAML not configured")
                .with("missing", Value::Array(missing))
        })?;
        Ok::<_, Failure>(trial::create(&app.store, &settings, person.user, clock::now(), &mut rand::rng())?)
    })
    .await?;
    Ok(no_store(json!({ "id": id.to_string(), "start": format!("/api/auth/saml/tests/{id}/start") })))
}

fn no_such_test() -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "not_found", "There is no such test; begin another one")
}

async fn find_test(app: &Arc<App>, id: &str) -> Result<trial::Trial, Failure> {
    let id = Uuid::parse_str(id).map_err(|_| no_such_test())?;
    let store = app.store.clone();
    blocking(move || trial::find(&store, id)).await?.ok_or_else(no_such_test)
}

/// GET: sends the browser to the provider for a dry run.
pub async fn start_test(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let trial = find_test(&app, &id).await?;
    if trial.state(clock::now()) != "waiting" {
        return Err(no_such_test());
    }
    let browser = browser(&app, &headers);
    let begun = blocking({
        let (app, browser) = (Arc::clone(&app), browser.clone());
        move || {
            let settings = Settings::layer(&trial.values, &settings::Given::new(), &app.own_url());
            let verifier = settings.verifier().map_err(|problems| wrong_values(&problems))?;
            let wish =
                Wish { browser: &browser, return_to: "/settings/single-sign-on", test: Some(trial.id) };
            Ok::<_, Failure>(exchange::begin(&app.store, &verifier, wish, clock::now(), &mut rand::rng())?)
        }
    })
    .await?;
    Ok(away(&app, &headers, &browser, begun.location.as_str()))
}

/// GET: how a dry run stands.
pub async fn show_test(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let trial = find_test(&app, &id).await?;
    let report: Option<Value> = trial.report.as_deref().and_then(|report| serde_json::from_str(report).ok());
    Ok(no_store(json!({
        "id": trial.id.to_string(),
        "at": time::text(trial.created_at),
        "state": trial.state(clock::now()),
        "report": report,
        "reference": security_log::reference("ST", trial.id),
    })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Specimen {
    response: String,
    #[serde(default)]
    values: Draft,
    at: Option<String>,
}

/// POST: the laboratory: every check of an answer somebody has at hand. Changes nothing.
pub async fn examine(
    State(app): State<Arc<App>>,
    _: Steward,
    Sent(body): Sent,
) -> Result<Json<Report>, Failure> {
    let specimen: Specimen = parse_body(&body, "an object with the text `response`")?;
    let now = match specimen.at.as_deref() {
        None => clock::now(),
        Some(at) => time::parse(at).ok_or_else(|| {
            Failure::bad_request(format!("`at` is {at:?}: expected a time like 2026-11-20T06:38:00Z"))
        })?,
    };
    let report = blocking(move || {
        let settings = app.saml()?.with(&specimen.values);
        let examined = check::examine(&as_posted(&specimen.response), &settings, now);
        report::build(&app.store, &settings, &app.sign_on.deployment, examined, Exchange::NotChecked)
    })
    .await?;
    Ok(Json(report))
}

/// People copy the XML, the field, or the field as a browser's tools show it.
fn as_posted(text: &str) -> String {
    let text = text.trim();
    if text.starts_with('<') {
        return auth::saml::document::encode(text);
    }
    let field = text.strip_prefix("SAMLResponse=").unwrap_or(text);
    let field = field.split('&').next().unwrap_or(field);
    if field.contains('%') {
        let pair = format!("a={field}");
        return url::form_urlencoded::parse(pair.as_bytes()).map(|(_, value)| value.into_owned()).collect();
    }
    field.to_owned()
}

#[derive(Deserialize)]
pub struct Page {
    limit: Option<usize>,
    before: Option<String>,
}

/// GET: the newest refusals with cause and remedy.
pub async fn refusals(
    State(app): State<Arc<App>>,
    _: Steward,
    Query(page): Query<Page>,
) -> Result<Response, Failure> {
    let limit = page.limit.unwrap_or(50).min(500);
    let found = blocking(move || security_log::refusals(&app.store, limit, clock::now())).await?;
    Ok(no_store(found))
}

/// GET: what happened to the rights of people.
pub async fn log(
    State(app): State<Arc<App>>,
    _: Steward,
    Query(page): Query<Page>,
) -> Result<Response, Failure> {
    let limit = page.limit.unwrap_or(100).min(1000);
    let before = match page.before.as_deref() {
        None => i64::MAX,
        Some(text) => time::parse(text).ok_or_else(|| {
            Failure::bad_request(format!("`before` is {text:?}: expected a time like 2026-11-20T06:38:00Z"))
        })?,
    };
    let found = blocking(move || security_log::events(&app.store, before, limit)).await?;
    Ok(no_store(found))
}
