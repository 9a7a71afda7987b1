//! The methods of applying a recommendation, and which of them are available.

use super::apply::{Request, plan_of};
use super::plan::{ChangePlan, Program};
use super::pull::{self, HOSTS, Repository};
use super::status::{RecommendationRow, find as find_advice};
use crate::kit::{Arguments, Look, read, text, uuid};
use crate::tickets;
use crate::workflows::engine::{
    SystemDefinition, SystemRun, SystemTask, automation_settings, is_on, require_automation, start_named,
    start_system_run, until_closed,
};
use graphql::{Call, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::Transaction;
use uuid::Uuid;

/// Providers of repositories that are not supported.
const OTHER_REPOSITORIES: [&str; 2] = ["bitbucket", "azure_devops"];
/// Names of trackers. `ticket` means the connected tracker, or this product alone if none is connected.
const TRACKERS: [&str; 4] = ["jira", "servicenow", "pagerduty", "zenduty"];
const CLOUDS: [&str; 4] = ["aws", "azure", "gcp", "cloud"];
const CLUSTERS: [&str; 3] = ["kubernetes", "kubectl", "k8s"];
const NO_PULL_REQUESTS: &str = "pull requests are made on github and gitlab: leave `provider` out for the plan and its patch, and put the patch into the \
                                repository by hand";
const BY_HAND: &str = "Quarterdeck changes nothing: carry the plan out. The next import that shows the change closes the recommendation; without one in \
                       30 days it is Open again";

const WAITS_FOR_REVIEWERS: &str =
    "the account's reviewers are asked; when they agree, a pull request is opened";
const AFTER_MERGE: &str = "after its merge, the next import that shows the change closes the recommendation; closed without one, it opens the recommendation again";
/// The condition that the plan was approved.
pub(super) const APPROVED: &str = "{{ Tasks.approve.output.status == 'approve' }}";
/// The reason why there is no command for a container.
pub(crate) const NO_CONTEXT: &str = "the account's name can be no context of kubectl (letters, digits and -_./:@): give the account the name of its context, or use a pull request";

const FOLLOWED: &str = "Its state there is followed: when it is closed as done, the next import that shows the change closes the recommendation; closed \
                        otherwise or removed, it opens the recommendation again.";

/// The field that names a tracker.
const NAMING: &str = "provider_config.integration_id";

/// The API's name of a pull request.
const PULL_REQUEST: &str = "PullRequest";

/// A method of applying a recommendation.
pub(super) enum ApplyMethod {
    /// Manually, with the plan.
    ByHand,
    /// By a ticket; its assignee makes the change.
    Ticket(TicketMethod),
    /// By a program, after approval.
    Program(Program),
    /// By a workflow of the account.
    Workflow(Uuid),
    /// By a pull request; whoever merges it makes the change.
    PullRequest(Repository),
}

/// A ticket to be opened.
#[derive(Default)]
pub(super) struct TicketMethod {
    /// The tracker; `None` for the connected one.
    integration: Option<Uuid>,
    project: Option<String>,
    severity: Option<String>,
}

/// The ticket fields of `provider_config`.
struct TicketSettings {
    integration: Option<Uuid>,
    platform: Option<String>,
    project: Option<String>,
    severity: Option<String>,
}

impl TicketSettings {
    fn read(config: Option<&Value>) -> Self {
        let id = |name: &str| config.and_then(|config| uuid(config, name));
        let text = |name: &str| {
            let given = config.and_then(|config| config[name].as_str()).map(str::trim);
            given.filter(|given| !given.is_empty()).map(str::to_owned)
        };
        Self {
            integration: id("integration_id").or_else(|| id("configuration_id")),
            platform: text("platform").map(|tool| tool.to_lowercase()),
            project: text("project_key"),
            severity: text("severity"),
        }
    }

    fn method(self, integration: Option<Uuid>) -> ApplyMethod {
        ApplyMethod::Ticket(TicketMethod { integration, project: self.project, severity: self.severity })
    }
}

/// The tracker with that id; refused if it is not of that tool.
fn named_tracker(rows: &Transaction<'_>, tool: &str, id: Uuid) -> Result<Uuid, Refusal> {
    let known = tickets::connected(rows)?;
    if known.iter().any(|one| one.id == id && one.tool == tool) {
        return Ok(id);
    }
    Err(Refusal::not_found(format!(
        "`{NAMING}` is {id}, and no tracker of type {tool} of that id is connected ({})",
        tickets::list_of(&known)
    )))
}

/// The result of starting an attempt.
pub(super) struct ActionStart {
    pub message: String,
    pub execution: Option<Uuid>,
    pub ticket: Option<Uuid>,
}

/// The method that a request names; refused if it is not available.
pub(super) fn find(
    rows: &Transaction<'_>,
    request: &Request<'_>,
    plan: &ChangePlan,
) -> Result<ApplyMethod, Refusal> {
    let provider = request.provider.trim().to_ascii_lowercase();
    match provider.as_str() {
        "" | "manual" | "patch" => Ok(ApplyMethod::ByHand),
        "ticket" => {
            let settings = TicketSettings::read(request.provider_config);
            let integration = match (settings.integration, settings.platform.as_deref()) {
                (None, Some(tool)) => Some(tickets::of_tool(rows, tool, NAMING)?),
                (named, _) => named,
            };
            Ok(settings.method(integration))
        }
        "workflow" => {
            let id = request.provider_config.and_then(|config| uuid(config, "workflow_id"));
            let missing = || {
                Refusal::invalid(
                    "`provider_config.workflow_id` is missing: expected the workflow that carries it out",
                )
            };
            id.map(ApplyMethod::Workflow).ok_or_else(missing)
        }
        name if TRACKERS.contains(&name) => {
            let settings = TicketSettings::read(request.provider_config);
            let integration = match settings.integration {
                Some(id) => named_tracker(rows, name, id)?,
                None => tickets::of_tool(rows, name, NAMING)?,
            };
            Ok(settings.method(Some(integration)))
        }
        name if CLOUDS.contains(&name) || CLUSTERS.contains(&name) => {
            let wanted = if CLUSTERS.contains(&name) { Program::Kubectl } else { Program::Aws };
            if wanted == Program::Kubectl && plan.lacks_context() {
                return Err(Refusal::conflict(NO_CONTEXT));
            }
            let Some(program) = plan.program.filter(|program| *program == wanted) else {
                return Err(Refusal::conflict(format!(
                    "there is no command of {name} for this recommendation: leave `provider` out for the plan"
                )));
            };
            may_run(rows, program)?;
            Ok(ApplyMethod::Program(program))
        }
        name if HOSTS.contains(&name) => {
            let repository = pull::read(name, request.provider_config, plan)?;
            pull::may_open_in(rows, &repository)?;
            Ok(ApplyMethod::PullRequest(repository))
        }
        name if OTHER_REPOSITORIES.contains(&name) => Err(Refusal::conflict(NO_PULL_REQUESTS)),
        name => Err(Refusal::invalid(format!(
            "`provider` is \"{name}\": expected nothing, ticket, workflow, {}, {}, {} or {}",
            TRACKERS.join(", "),
            HOSTS.join(", "),
            CLOUDS[..3].join(", "),
            CLUSTERS[0]
        ))),
    }
}

/// The `provider` of `apply_recommendations` that runs this program.
pub(super) fn provider_of(program: Program) -> &'static str {
    match program {
        Program::Kubectl => CLUSTERS[0],
        Program::Aws => CLOUDS[0],
    }
}

/// The program that `apply_recommendations` runs for a provider.
pub(super) fn program_of(provider: &str) -> Program {
    let name = provider.trim().to_ascii_lowercase();
    if CLUSTERS.contains(&name.as_str()) { Program::Kubectl } else { Program::Aws }
}

/// Refuses if automation is off, or the program is not allowed or not installed.
pub(super) fn may_run(rows: &Transaction<'_>, program: Program) -> Result<(), Refusal> {
    require_automation(rows)?;
    automation_settings(rows)?.program(program.name()).map(drop).map_err(Refusal::conflict)
}

impl ApplyMethod {
    /// The method's name in the API.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Ticket(_) => "Ticket",
            Self::ByHand | Self::Program(Program::Kubectl) => "DeploymentChange",
            Self::Program(Program::Aws) => "CloudResource",
            Self::Workflow(_) => "WorkflowExecution",
            Self::PullRequest(_) => PULL_REQUEST,
        }
    }

    /// Starts the method. `rows` act as the user, `house_rows` as the service in the tenant.
    pub(super) fn begin(
        &self,
        rows: &Transaction<'_>,
        house_rows: &Transaction<'_>,
        (advice, id): (&RecommendationRow, Uuid),
        request: &Request<'_>,
        plan: &ChangePlan,
    ) -> Result<ActionStart, Refusal> {
        match self {
            Self::ByHand => Ok(ActionStart { message: BY_HAND.to_owned(), execution: None, ticket: None }),
            Self::Ticket(ticket) => {
                let wanted = tickets::TicketDraft {
                    title: plan.text.lines().next().unwrap_or_default(),
                    description: &description(plan),
                    account: advice.account,
                    integration: ticket.integration,
                    project: ticket.project.as_deref(),
                    severity: ticket.severity.as_deref(),
                    source: "recommendation",
                };
                let opened = tickets::open(rows, &wanted)?;
                let is_followed = !opened.is_local && is_on(house_rows)?;
                let execution = is_followed
                    .then(|| run(house_rows, (advice, id), &until_closed(opened.id), request.person))
                    .transpose()?;
                let message =
                    if is_followed { format!("{} {FOLLOWED}", opened.message) } else { opened.message };
                Ok(ActionStart { message, execution, ticket: Some(opened.id) })
            }
            Self::Program(program) => {
                let definition = definition(house_rows, advice.account, *program, plan)?;
                let execution = run(house_rows, (advice, id), &definition, request.person)?;
                let message = "waits for approval; then the commands run, and the next import that shows the change closes the recommendation";
                Ok(ActionStart { message: message.to_owned(), execution: Some(execution), ticket: None })
            }
            Self::PullRequest(repository) => {
                // For an auto-pilot, its reviewers have approved already.
                let is_person = request.resolver_type == "User";
                let reviewers = if is_person { reviewers(house_rows, advice.account)? } else { None };
                let message =
                    if reviewers.is_some() { WAITS_FOR_REVIEWERS } else { "a pull request is being opened" };
                let message = format!("{message}; {AFTER_MERGE}");
                let approval = reviewers.map(|reviewers| approval(plan, Some(reviewers)));
                let definition = repository.definition(plan, approval);
                let execution = run(house_rows, (advice, id), &definition, request.person)?;
                Ok(ActionStart { message, execution: Some(execution), ticket: None })
            }
            Self::Workflow(workflow) => {
                let row = Look::at(rows, "recommendation")?.with("id", advice.id)?;
                let columns = [
                    "id",
                    "category",
                    "rule_name",
                    "severity",
                    "estimated_savings",
                    "recommendation",
                    "account_object_id",
                ];
                let mut inputs = Map::new();
                inputs.insert("recommendation".to_owned(), row.first(&columns)?.unwrap_or_default());
                let place = (advice.account, *workflow);
                let purpose = ("recommendation", id);
                let execution =
                    start_named(house_rows, place, purpose, Value::Object(inputs), request.person)?;
                let message = "the workflow has begun; when it has ended well, the next import that shows the change closes the recommendation";
                Ok(ActionStart { message: message.to_owned(), execution: Some(execution), ticket: None })
            }
        }
    }
}

/// Starts a run that applies a recommendation.
fn run(
    rows: &Transaction<'_>,
    (advice, id): (&RecommendationRow, Uuid),
    definition: &SystemDefinition,
    person: Uuid,
) -> Result<Uuid, Refusal> {
    let own = SystemRun {
        account: advice.account,
        purpose: "recommendation",
        id,
        name: "Apply a recommendation",
        definition: &definition.json()?,
        inputs: Value::Object(Map::new()),
        person,
    };
    start_system_run(rows, &own)
}

fn description(plan: &ChangePlan) -> String {
    let patch = plan.patch.as_ref().map(|patch| format!("\n\nPatch:\n\n{patch}")).unwrap_or_default();
    format!("{}{patch}", plan.text)
}

/// The workflow of a plan: an approval that shows the commands, then one task per command.
pub(super) fn definition(
    rows: &Transaction<'_>,
    account: Uuid,
    program: Program,
    plan: &ChangePlan,
) -> Result<SystemDefinition, Refusal> {
    let mut tasks = vec![approval(plan, reviewers(rows, account)?)];
    for (place, arguments) in plan.commands.iter().enumerate() {
        let mut params = Map::new();
        let words = arguments.iter().map(|word| Value::from(word.as_str())).collect();
        params.insert("command".to_owned(), Value::Array(words));
        let before = tasks.last().map(|task| task.id.clone());
        tasks.push(SystemTask {
            id: format!("step{}", place + 1),
            kind: program.task().to_owned(),
            params,
            depends_on: before.into_iter().collect(),
            condition: Some(APPROVED.to_owned()),
            failure_policy: None,
        });
    }
    Ok(SystemDefinition::new(tasks))
}

/// Text in which templates are not evaluated: titles come from imported files and must not read secrets.
pub(super) fn plain(text: &str) -> String {
    text.replace('{', "{ ")
}

#[derive(Deserialize)]
struct Policy {
    id: Uuid,
    policy_attributes: Value,
}

/// The approval that shows a plan. Answered by the reviewers, if any; otherwise by anyone who may change the account's workflows. Sign-in is
/// required, so that the approver is always known.
fn approval(plan: &ChangePlan, reviewers: Option<Map<String, Value>>) -> SystemTask {
    let mut params = reviewers.unwrap_or_default();
    params.insert("require_sign_in".to_owned(), Value::from(true));
    params.insert("message".to_owned(), Value::String(plain(&plan.text)));
    params.insert("timeout".to_owned(), Value::from("168h"));
    params.insert("default_on_timeout".to_owned(), Value::from("reject"));
    SystemTask {
        id: "approve".to_owned(),
        kind: "core.approval".to_owned(),
        params,
        depends_on: Vec::new(),
        condition: None,
        failure_policy: None,
    }
}

/// The required approvers, if the account's policy names any.
fn reviewers(rows: &Transaction<'_>, account: Uuid) -> Result<Option<Map<String, Value>>, Refusal> {
    let policy = Look::at(rows, "auto_pilot_approval_policy")?.with("account_id", account)?;
    let Some(policy) = policy.first(&["id", "policy_attributes"])?.map(read::<Policy>).transpose()? else {
        return Ok(None);
    };
    let reviewers =
        Look::at(rows, "auto_pilot_reviewers")?.with("policy_id", policy.id)?.rows(&["user_id"])?;
    let system = catalogue::Caller::system();
    let house_rows = rows.as_caller(&system);
    let mut mails = Vec::new();
    for reviewer in &reviewers {
        let user =
            Look::at(&house_rows, "users")?.with("id", uuid(reviewer, "user_id"))?.first(&["username"])?;
        mails.extend(user.map(|user| Value::from(text(&user, "username"))));
    }
    let mut params = Map::new();
    params.insert("minimum_approvals".to_owned(), policy.policy_attributes["minimum_approval"].clone());
    let is_some = !mails.is_empty();
    params.insert("approvers".to_owned(), Value::Array(mails));
    Ok(is_some.then_some(params))
}

/// The response of `recommendation_get_plan`: every method, available or not.
#[derive(Serialize)]
pub(super) struct PlanAnswer {
    ways: Vec<WayAnswer>,
}

#[derive(Serialize)]
struct WayAnswer {
    provider: String,
    integration_id: Option<Uuid>,
    integration_name: Option<String>,
    #[serde(rename = "type")]
    kind: &'static str,
    is_possible: bool,
    reason: Option<String>,
    plan: String,
    patch: Option<String>,
    commands: Vec<String>,
}

/// `recommendation_get_plan`
pub(super) fn plan(call: &Call<'_>) -> Result<PlanAnswer, Refusal> {
    let advice = find_advice(call.rows, Arguments(call.arguments).needed_id("recommendation_id")?)?;
    let plan = plan_of(call.rows, &advice)?;
    let way = |provider: &str, kind: &'static str, reason: Option<String>| WayAnswer {
        provider: provider.to_owned(),
        integration_id: None,
        integration_name: None,
        kind,
        is_possible: reason.is_none(),
        reason,
        plan: plan.text.clone(),
        patch: plan.patch.clone(),
        commands: plan.lines(),
    };
    let ticket = ApplyMethod::Ticket(TicketMethod::default()).kind();
    let lack = tickets::reason_not_usable(call.rows, None, None)?;
    let mut ways = vec![way("", ApplyMethod::ByHand.kind(), None), way("ticket", ticket, lack)];
    for tracker in tickets::connected(call.rows)? {
        let lack = tickets::reason_not_usable(call.rows, Some(tracker.id), None)?;
        // The name of a repository provider (a tracker may be one) would mean a pull request instead of a ticket.
        let is_own_way = TRACKERS.contains(&tracker.tool.as_str());
        let provider = if is_own_way { tracker.tool.as_str() } else { "ticket" };
        ways.push(WayAnswer {
            integration_id: Some(tracker.id),
            integration_name: Some(tracker.name),
            ..way(provider, ticket, lack)
        });
    }
    if let Some(program) = plan.program {
        let reason = may_run(call.rows, program).err().map(|refusal| refusal.message);
        ways.push(way(provider_of(program), ApplyMethod::Program(program).kind(), reason));
    }
    if plan.lacks_context() {
        let kind = ApplyMethod::Program(Program::Kubectl).kind();
        ways.push(way(CLUSTERS[0], kind, Some(NO_CONTEXT.to_owned())));
    }
    if plan.resources.is_some() {
        let reason = |host| pull::may_open(call.rows, host).err().map(|refusal| refusal.message);
        ways.extend(HOSTS.map(|host| way(host, PULL_REQUEST, reason(host))));
    }
    Ok(PlanAnswer { ways })
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_title_of_a_file_is_no_template() {
        let told = plain("{{ Secrets.TOKEN }} {% raw %} {{{{{#");
        assert!(!["{{", "{%", "{#"].iter().any(|open| told.contains(open)), "{told}");
    }
}
