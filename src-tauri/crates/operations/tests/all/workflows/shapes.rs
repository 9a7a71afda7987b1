//! Tests of unchanged definitions in the format of the reference: imported as text, run, and ended according to their semantics.

use super::{carry_out, create, on, run_of, statuses, trigger};
use crate::house::{House, NOW, OWN};
use operations::runs;
use serde_json::{Value, json};

const HOUR: i64 = 3_600_000_000;

/// Imports a definition as text. Returns the id of its workflow.
fn import(house: &House, name: &str, definition: &str) -> String {
    let yaml = format!("name: {name}\ndefinition:\n  version: v1\n{definition}");
    let asked = format!(
        "mutation {{ workflow_import(request: {{ account_id: \"{OWN}\", yaml: {} }}) {{ id message }} }}",
        Value::from(yaml)
    );
    house.answers(&asked)["workflow_import"]["id"].as_str().unwrap().to_owned()
}

/// Runs it once; requests get status 200.
fn ran(house: &House, name: &str, definition: &str) -> Value {
    let id = import(house, name, definition);
    let run = trigger(house, &id);
    carry_out(&house.store);
    run_of(house, &id, &run)
}

fn task<'r>(run: &'r Value, id: &str) -> &'r Value {
    let tasks = run["tasks"].as_array().unwrap();
    tasks.iter().find(|task| task["id"] == id).unwrap_or_else(|| panic!("{id}: {run}"))
}

#[test]
fn a_switch_with_ways_and_a_join_behind_them() {
    let house = on();
    let run = ran(
        &house,
        "test-switch-fanin",
        "  triggers: [{type: manual, layout: {x: 10, y: 20}}]
  inputs: [{id: env, type: string, default: prod}]
  tasks:
    - {id: pick, type: core.switch, params: {expression: '{{ Inputs.env }}', cases: [{value: prod, next: careful}, {value: dev, next: quick}], default_next: other}}
    - {id: careful, type: core.print, params: {message: slow}, _prev_edges: [pick]}
    - {id: quick, type: core.print, params: {message: fast}}
    - {id: other, type: core.print, params: {message: none}}
    - id: join
      type: core.print
      depends_on: [careful, quick, other]
      params: {message: \"{{ Tasks['careful'].status }}/{{ Tasks['quick'].status }}/{{ Tasks.other.status }}\"}
  output: {said: '{{ Tasks.join.output.data }}', gone: '{{ Tasks.nobody.output.x }}'}
",
    );
    assert_eq!(run["status"], "COMPLETED", "{run}");
    assert_eq!(run["workflow_result"], json!({ "said": "COMPLETED/SKIPPED/SKIPPED", "gone": null }));
}

#[test]
fn a_loop_within_a_matrix_with_variables_state_and_hooks_as_one_object() {
    let house = on();
    let definition = "  inputs:
    - {id: loud, type: bool, default: false}
    - {id: limit, type: int, default: 2}
    - {id: names, type: list, default: '[\"web\", \"api\"]'}
    - {id: extra, type: map, required: false}
  triggers: [{type: manual}]
  retry_policy: {initial_interval: 1s, backoff_coefficient: 2, maximum_attempts: 2}
  timeout: 1h30m
  set_execution_tags: ['{{ Inputs.limit }}']
  hooks: {success: [{type: core.print, params: {message: done}}], failure: [], always: []}
  tasks:
    - id: zones
      type: core.foreach
      matrix: {zone: [a, b]}
      params:
        items: '{{ Inputs.names }}'
        item: pod
        concurrency: 2
        tasks: [{id: say, type: core.print, params: {message: '{{ Matrix.zone }}:{{ LoopItem.pod }}'}}]
        output: '{{ Tasks.say.output.data }}'
    - id: quiet
      type: core.print
      if: '{{ Inputs.loud }}'
      params: {message: LOUD}
    - id: keep
      type: core.group
      depends_on: [zones, quiet]
      params: {tasks: [{id: in, type: core.print, params: {message: inside}}]}
    - id: last
      type: core.print
      depends_on: [keep]
      set_vars: {seen: '{{ Tasks.keep.output.in.data }}'}
      set_state: {'run-{{ Inputs.limit }}': {value: '{{ Tasks.zones.output.results }}', ttl: 24h}}
      failure_policy: {action: continue}
      layout: {x: 1, y: 2}
      params: {message: '{{ Tasks.quiet.status }} {{ date_iso }}'}
  output: {lost: '{{ Tasks.nobody.output.x }}'}
";
    let id = import(&house, "zones", definition);
    let run = trigger(&house, &id);
    carry_out(&house.store);
    let run = run_of(&house, &id, &run);
    assert_eq!(run["status"], "COMPLETED", "{run}");
    assert_eq!(
        task(&run, "zones")["output"]["results"],
        json!([{ "results": ["a:web", "a:api"] }, { "results": ["b:web", "b:api"] }])
    );
    assert_eq!(task(&run, "last")["output"]["data"], "SKIPPED 2026-11-01");
    // All outputs are null, so the outputs of the tasks are used.
    assert_eq!(run["workflow_result"]["keep"]["in"]["data"], "inside", "{run}");

    let reads = "  triggers: [{type: manual}]
  tasks: [{id: own, type: core.print, params: {message: '{{ workflow_name }} {{ workflow_execution_id | length }} {{ Inputs.workflow_last_execution_time is none }}'}}]
";
    let id = import(&house, "reads", reads);
    for expected in ["reads 36 True", "reads 36 False"] {
        let run = trigger(&house, &id);
        carry_out(&house.store);
        let said = run_of(&house, &id, &run)["tasks"][0]["output"]["data"].clone();
        assert!(said.as_str().is_some_and(|said| said.eq_ignore_ascii_case(expected)), "{said}");
    }
}

#[test]
fn a_failure_that_goes_on_and_what_stands_behind_it() {
    let house = on();
    let run = ran(
        &house,
        "goes-on",
        "  triggers: [{type: manual}]
  tasks:
    - {id: bad, type: core.blast_radius_preflight, failure_policy: {action: continue, retry: {maximum_attempts: 1}}, params: {resource_name: nobody}}
    - {id: after, type: core.print, depends_on: [bad], params: {message: '{{ Tasks.bad.status }}'}}
    - {id: empty, type: core.foreach, depends_on: [after], params: {items: '[]', tasks: [{id: inn, type: core.print, params: {message: x}}]}}
    - {id: end, type: core.print, depends_on: [empty], params: {message: '{{ Tasks.empty.status }} {{ Tasks.empty.output | length }}'}}
",
    );
    assert_eq!(run["status"], "COMPLETED", "{run}");
    assert_eq!(task(&run, "after")["output"]["data"], "FAILED");
    assert_eq!(task(&run, "end")["output"]["data"], "SKIPPED 0");
}

#[test]
fn a_workflow_that_calls_another_reads_what_it_gave() {
    let house = on();
    import(
        &house,
        "child",
        "  inputs: [{id: name, type: string, required: true}]
  triggers: [{type: manual}]
  tasks: [{id: say, type: core.print, params: {message: 'hello {{ Inputs.name }}'}}]
  output: {greeting: '{{ Tasks.say.output.data }}'}
",
    );
    let run = ran(
        &house,
        "parent",
        "  triggers: [{type: manual}]
  tasks:
    - {id: call, type: core.call-workflow, params: {workflow_name: child, inputs: {name: ada}}}
    - {id: say, type: core.print, depends_on: [call], params: {message: '{{ Tasks.call.output.greeting }}'}}
",
    );
    assert_eq!(task(&run, "say")["output"]["data"], "hello ada", "{run}");
}

#[test]
fn a_schedule_gives_its_other_parameters_as_inputs_and_runs_overlap_as_it_says() {
    const CLOCKS: [fn() -> i64; 4] = [|| NOW, || NOW + HOUR, || NOW + 2 * HOUR, || NOW + 3 * HOUR];
    for (policy, expected) in [
        ("Skip", vec!["RUNNING"]),
        ("BufferOne", vec!["RUNNING", "SCHEDULED"]),
        ("BufferAll", vec!["RUNNING", "SCHEDULED", "SCHEDULED"]),
        ("AllowAll", vec!["RUNNING", "RUNNING", "RUNNING"]),
    ] {
        let house = on();
        let hourly = format!(
            r#"{{ type: "schedule", params: {{ cron: "0 * * * *", overlap_policy: "{policy}", zone: "eu" }} }}"#
        );
        let asks = r#"{ id: "ok", type: "core.approval", params: { message: "{{ Inputs.zone }}?" } }"#;
        let id = create(&house, "nightly", "ACTIVE", &hourly, asks);
        for clock in CLOCKS {
            let store = house.store.clone().with_clock(clock);
            runs::start_due(&store).unwrap();
            carry_out(&store);
        }
        let mut found = statuses(&house, &id);
        found.sort();
        assert_eq!(found, expected, "{policy}");
        let asked = house
            .answers(r#"{ workflow_list_approvals(request: { status: "open" }) { approvals { message } } }"#);
        assert_eq!(asked["workflow_list_approvals"]["approvals"][0]["message"], "eu?", "{policy}");
    }
}
