//! Tests of switches, groups, loops and matrices.

use super::{Bench, failure, http, print};
use crate::commands::program_call;
use crate::journal::Status;
use serde_json::{Map, Value, json};

fn switch(params: Value) -> Value {
    json!({ "id": "which", "type": "core.switch", "params": params })
}

#[test]
fn a_switch_runs_one_way_and_a_join_runs_behind_all() {
    let params = json!({
        "expression": "{{ Inputs.env }}", "default_next": "other",
        "cases": [{ "value": "prod", "next": "careful" }, { "value": "dev", "next": "quick" }],
    });
    let tasks = |params: Value| {
        json!([
            switch(params),
            print("careful", "c", &[]),
            print("quick", "q", &["which"]),
            print("other", "o", &[]),
            print(
                "join",
                "{{ Tasks.careful.status }} {{ Tasks.quick.status }} {{ Tasks.other.status }}",
                &["careful", "quick", "other"]
            )
        ])
    };
    for (env, said) in [
        ("prod", "COMPLETED SKIPPED SKIPPED"),
        ("dev", "SKIPPED COMPLETED SKIPPED"),
        ("x", "SKIPPED SKIPPED COMPLETED"),
    ] {
        let mut run = Bench::of(tasks(params.clone()));
        run.inputs.insert("env".to_owned(), json!(env));
        run.on(&[]);
        assert_eq!(run.output("join"), json!({ "data": said }), "{env}");
    }
    let mut run = Bench::of(tasks(params));
    run.inputs.insert("env".to_owned(), json!("prod"));
    run.on(&[]);
    assert_eq!(run.output("which"), json!({ "selected_case": "prod", "next": ["careful"] }));
}

#[test]
fn a_way_that_nobody_chose_and_no_default_runs_nothing() {
    let mut run = Bench::of(json!([
        switch(json!({ "expression": "a", "cases": [{ "value": "b", "next": "x" }] })),
        print("x", "x", &[])
    ]));
    run.on(&[]);
    assert_eq!((run.status("x"), run.outcome().0), ("SKIPPED", Status::Completed));
}

#[test]
fn older_forms_of_a_switch() {
    let branches = json!({ "branches": [{ "condition": "{{ 1 > 2 }}", "next": "x" }, { "condition": "{{ 2 > 1 }}", "next": "y" }] });
    let mut run = Bench::of(json!([switch(branches), print("x", "x", &[]), print("y", "y", &[])]));
    run.on(&[]);
    assert_eq!((run.status("x"), run.status("y")), ("SKIPPED", "COMPLETED"));

    let written = json!({ "expression": "a", "cases": [{ "value": "a", "tasks": [print("in", "inside", &[])] }], "default": [] });
    let mut run = Bench::of(json!([switch(written)]));
    run.on(&[]);
    assert_eq!(run.output("which/in"), json!({ "data": "inside" }));
    assert_eq!(run.outcome().0, Status::Completed);
}

#[test]
fn a_group_is_one_step() {
    let group = json!({ "id": "g", "type": "core.group", "params": { "tasks": [print("a", "1", &[]), print("b", "{{ Tasks.a.output.data }}2", &["a"])] } });
    let mut run = Bench::of(json!([group, print("after", "{{ Tasks.g.output.b.data }}", &["g"])]));
    run.on(&[]);
    assert_eq!(run.output("after"), json!({ "data": "12" }));
    let group = json!({ "id": "g", "type": "core.group", "tasks": [http("a", &[])] });
    let mut run = Bench::of(json!([group]));
    run.on(&[]);
    run.on(&[("g/a", failure())]);
    assert_eq!(run.outcome().0, Status::Failed);
}

#[test]
fn a_loop_runs_its_tasks_for_each_item_in_turn() {
    let tasks = json!([{ "id": "ask", "type": "integrations.http", "params": { "url": "http://a/{{ LoopItem.pod.name }}" } }]);
    let each = json!({ "id": "each", "type": "core.foreach", "params": {
        "items": "{{ Inputs.pods }}", "item": "pod", "tasks": tasks, "output": { "name": "{{ pod.name }}", "code": "{{ Tasks.ask.output.code }}" },
    } });
    let mut run = Bench::of(json!([each]));
    run.inputs.insert("pods".to_owned(), json!([{ "name": "a" }, { "name": "b" }]));
    run.on(&[]);
    assert_eq!(run.calls(), ["each/0/ask"]);
    assert_eq!(run.last.calls[0].params["url"], "http://a/a");
    run.on(&[("each/0/ask", Ok(json!({ "code": 200 })))]);
    assert_eq!(run.calls(), ["each/1/ask"]);
    run.on(&[("each/1/ask", Ok(json!({ "code": 404 })))]);
    assert_eq!(
        run.output("each"),
        json!({ "results": [{ "name": "a", "code": 200 }, { "name": "b", "code": 404 }] })
    );
}

#[test]
fn a_loop_takes_json_text_and_several_at_once() {
    let each = |items: Value| json!({ "id": "each", "type": "core.foreach", "params": { "items": items, "concurrency": 2, "tasks": [http("ask", &[])] } });
    let mut run = Bench::of(json!([each(json!("[1, 2, 3]"))]));
    run.on(&[]);
    assert_eq!(run.calls(), ["each/0/ask", "each/1/ask"]);
    run.on(&[("each/1/ask", Ok(json!({})))]);
    assert_eq!(run.calls(), ["each/2/ask"]);
    let mut run = Bench::of(json!([each(json!([])), print("after", "x", &["each"])]));
    run.on(&[]);
    assert_eq!(
        (run.status("each"), run.output("each"), run.status("after")),
        ("SKIPPED", json!([]), "COMPLETED")
    );
    let mut run = Bench::of(json!([each(json!("three"))]));
    run.on(&[]);
    assert_eq!(run.status("each"), "FAILED");
}

#[test]
fn a_matrix_runs_every_combination() {
    let mut task = print("say", "{{ Matrix.zone }}{{ Matrix.size }}", &[]);
    task["matrix"] = json!({ "zone": ["a", "b"], "size": [1, 2] });
    let mut run = Bench::of(json!([task]));
    run.on(&[]);
    let said: Vec<Value> =
        run.output("say")["results"].as_array().unwrap().iter().map(|one| one["data"].clone()).collect();
    assert_eq!(said, ["a1", "b1", "a2", "b2"]);
}

#[test]
fn a_wait_is_a_stored_time() {
    let wait = json!({ "id": "w", "type": "core.wait", "params": { "duration": "10m" } });
    let mut run = Bench::of(json!([wait]));
    let start = run.now;
    run.on(&[]);
    assert_eq!(run.last.wake, Some(start + 600_000_000));
    run.now = start + 300_000_000;
    run.on(&[]);
    assert_eq!((run.status("w"), run.last.wake), ("STARTED", Some(start + 600_000_000)));
    run.now = start + 600_000_000;
    run.on(&[]);
    assert_eq!(run.status("w"), "COMPLETED");
}

#[test]
fn a_wait_and_a_called_workflow_end_when_their_time_is_over() {
    for task in [
        json!({ "id": "w", "type": "core.wait", "params": { "duration": "10m" }, "timeout": "1m" }),
        json!({ "id": "w", "type": "core.call-workflow", "params": { "workflow_name": "other" }, "timeout": "1m" }),
    ] {
        let mut run = Bench::of(json!([task]));
        let start = run.now;
        run.on(&[]);
        assert_eq!(run.last.wake, Some(start + 60_000_000));
        run.in_flight.clear();
        run.now = start + 60_000_000;
        run.on(&[]);
        assert_eq!((run.status("w"), run.outcome().0), ("TIMED_OUT", Status::TimedOut));
    }
    let whole = json!({ "timeout": "20m", "tasks": [{ "id": "w", "type": "core.wait", "params": { "duration": "10m" } }] });
    let mut run = Bench::new(whole);
    run.finish(|_| Ok(json!({})));
    assert_eq!(run.status("w"), "COMPLETED");
}

#[test]
fn a_task_of_a_kind_that_is_not_there_fails_with_the_reason() {
    let mut run = Bench::of(json!([{ "id": "x", "type": "observability.traces", "params": {} }]));
    run.on(&[]);
    assert!(run.journal.get("x").unwrap().error.as_deref().unwrap().contains("traces are not imported"));
}

#[test]
fn a_task_is_never_tried_again_at_once() {
    let policy =
        json!({ "retry": { "maximum_attempts": 0, "initial_interval": "0s", "maximum_interval": "0s" } });
    let task = json!({ "id": "a", "type": "core.print", "params": { "message": "{{ 'x' | from_json }}" }, "failure_policy": policy });
    let mut run = Bench::of(json!([task]));
    run.on(&[]);
    assert_eq!((run.status("a"), run.last.wake), ("SCHEDULED", Some(run.now + 1_000_000)));
}

#[test]
fn a_call_is_waited_for_no_longer_than_the_task_around_it() {
    let inner = json!({ "id": "inner", "type": "core.group", "params": { "tasks": [http("b", &[])] } });
    let tasks = json!({ "tasks": [http("a", &[]), inner] });
    let group = json!({ "id": "g", "type": "core.group", "timeout": "2s", "params": tasks });
    let mut run = Bench::of(json!([group, http("free", &[])]));
    let mut timeouts: Vec<i64> = run.on(&[]).calls.iter().map(|call| call.timeout).collect();
    timeouts.sort_unstable();
    assert_eq!(timeouts, [2_000_000, 2_000_000, 600_000_000]);
}

#[test]
fn a_pinned_output_stands_for_the_task() {
    let mut pinned = http("a", &[]);
    pinned["pinned_output"] = json!({ "status_code": 503 });
    pinned["set_vars"] = json!({ "code": "{{ Tasks.a.output.status_code }}" });
    pinned["set_state"] = json!({ "code": "{{ Tasks.a.output.status_code }}" });
    pinned["hooks"] =
        json!({ "always": [{ "type": "integrations.http", "params": { "url": "http://hook" } }] });
    let mut run = Bench::of(json!([
        pinned,
        print("say", "{{ code }} {{ Tasks.a.output.status_code }}", &["a"]),
        http("b", &["say"])
    ]));
    run.on(&[]);
    assert_eq!((run.calls(), run.last.state.len()), (vec!["b"], 0));
    assert_eq!(run.output("say"), json!({ "data": "503 503" }));
    assert_eq!(run.journal.get("a").unwrap().input, Some(json!({ "pinned_output": true })));
}

#[test]
fn a_pinned_task_is_skipped_where_its_condition_does_not_hold() {
    let mut pinned = http("a", &[]);
    pinned["pinned_output"] = json!({ "x": 1 });
    pinned["if"] = json!("{{ 1 > 2 }}");
    let mut run = Bench::of(json!([pinned]));
    run.on(&[]);
    assert_eq!(run.status("a"), "SKIPPED");
}

#[test]
fn no_pinned_output_answers_for_a_person() {
    let ask = json!({ "id": "ok", "type": "core.approval", "params": { "message": "Go?" }, "pinned_output": { "status": "approve" } });
    let within =
        json!({ "id": "g", "type": "core.group", "params": { "tasks": [ask.clone()] }, "pinned_output": {} });
    for task in [ask, within] {
        let mut run = Bench::of(json!([task]));
        run.on(&[]);
        assert_eq!(run.last.questions.len(), 1);
    }
}

#[test]
fn a_called_run_that_is_ended_with_its_caller_has_not_failed() {
    let hook = json!({ "failure": [{ "type": "integrations.http", "params": { "url": "http://hook" } }] });
    let mut run = Bench::of(json!([
        { "id": "call", "type": "core.call-workflow", "params": { "workflow_name": "other" }, "hooks": hook },
    ]));
    run.on(&[]);
    run.is_canceled = true;
    run.on(&[("call", failure())]);
    assert_eq!((run.status("call"), run.outcome().0, run.calls().len()), ("CANCELED", Status::Canceled, 0));
}

#[test]
fn the_items_of_all_loops_around_are_seen_by_their_names() {
    let say = print("say", "{{ LoopItem.outer }}{{ LoopItem.inner }} {{ outer }}{{ inner }}", &[]);
    let inner = json!({ "id": "in", "type": "core.foreach", "params": { "items": [1, 2], "item": "inner", "tasks": [say] } });
    let outer = json!({ "id": "out", "type": "core.foreach", "params": { "items": ["a"], "item": "outer", "tasks": [inner] } });
    let mut run = Bench::of(json!([outer]));
    run.on(&[]);
    assert_eq!(run.output("out/0/in/1/say"), json!({ "data": "a2 a2" }));
}

#[test]
fn a_router_asks_a_model_and_runs_the_branch_it_chooses() {
    let branch = |name: &str, task: Value| json!({ "name": name, "description": name, "tasks": [task] });
    let router = json!({ "id": "route", "type": "llm.router", "params": {
        "prompt": "{{ Inputs.alert }}",
        "branches": [branch("disk", http("clean", &[])), branch("network", print("look", "{{ Inputs.alert }}", &[]))],
    } });
    let mut run =
        Bench::of(json!([router, print("said", "{{ Tasks.route.output.selected_branch }}", &["route"])]));
    run.inputs.insert("alert".to_owned(), json!("the disk is full"));
    let asked = run.on(&[]).calls.clone();
    assert_eq!((asked[0].path.as_str(), asked[0].kind.as_str()), ("route/decision", "llm.classify"));
    assert_eq!(asked[0].params["prompt"], "the disk is full");
    assert_eq!(asked[0].params["options"][1], json!({ "name": "network", "description": "network" }));
    let chosen = json!({ "selected_branch": "disk" });
    let calls = run.on(&[("route/decision", Ok(chosen.clone()))]).calls.clone();
    assert_eq!(calls[0].path, "route/dispatch/clean");
    run.on(&[("route/dispatch/clean", Ok(json!({ "status_code": 200 })))]);
    assert_eq!(
        run.output("route"),
        json!({ "selected_branch": "disk", "tasks": { "clean": { "status_code": 200 } } })
    );
    assert_eq!(run.output("said"), json!({ "data": "disk" }));

    // Without an answer, no task of a branch runs.
    let mut run = Bench::of(json!([json!({ "id": "route", "type": "llm.router", "params": {
        "prompt": "x", "branches": [branch("disk", http("clean", &[]))] } })]));
    run.on(&[]);
    let after = run.on(&[("route/decision", failure())]);
    assert!(after.calls.is_empty() && after.outcome.as_ref().is_some_and(|one| one.status == Status::Failed));
}

#[test]
fn a_continuous_rightsizing_without_an_address_reads_what_was_imported() {
    let task = json!({ "id": "fit", "type": "k8s.continuous_rightsize", "params": {
        "namespace": "shop", "kind": "Deployment", "name": "web", "url": "",
        "memory": { "algorithm": "max", "buffer_pct": 0 }, "oom_kill_increase_factor": 2, "recommend_only": true,
    } });
    let mut run = Bench::of(json!([task]));
    let asked = run.on(&[]).calls[0].clone();
    assert_eq!((asked.path.as_str(), asked.kind.as_str()), ("fit/usage", "k8s.workload_usage"));
    assert_eq!(
        asked.params,
        json!({ "namespace": "shop", "kind": "Deployment", "name": "web", "memory": { "algorithm": "max", "buffer_pct": 0 } })
    );
    let usage = json!({ "cpu": null, "memory": 104_857_600, "kills": 1 });
    let calls = run.on(&[("fit/usage", Ok(usage))]).calls.clone();
    let resize = &calls[0].params;
    assert_eq!((&resize["cpu"], &resize["memory"]["usage"]), (&Value::Null, &json!(104_857_600)));
    assert_eq!(
        (&resize["memory"]["kills"], &resize["memory"]["oom_kill_increase_factor"]),
        (&json!(1), &json!(2))
    );
    run.on(&[("fit/resize", Ok(json!({ "status": "recommended" })))]);
    assert_eq!(
        run.output("fit"),
        json!({ "status": "recommended", "usage": { "cpu": null, "memory": 104_857_600 } })
    );
}

#[test]
fn a_continuous_rightsizing_asks_a_prometheus_and_then_changes_the_workload() {
    let task = json!({ "id": "fit", "type": "k8s.continuous_rightsize", "params": {
        "namespace": "shop", "kind": "Deployment", "name": "{{ Inputs.name }}", "url": "https://prometheus.example", "auth_type": "bearer",
        "bearer_token": "t", "analysis_duration_hour": 48, "cpu": { "algorithm": "P90", "buffer_pct": 10 },
        "memory": { "algorithm": "max" }, "oom_kill_increase_factor": 1.4, "recommend_only": true,
    } });
    let mut run = Bench::of(json!([task]));
    run.inputs.insert("name".to_owned(), json!("web"));
    let asked = run.on(&[]).calls[0].clone();
    assert_eq!((asked.path.as_str(), asked.kind.as_str()), ("fit/usage", "observability.metrics"));
    assert_eq!(asked.params["url"], "https://prometheus.example");
    assert_eq!(asked.params["bearer_token"], "t");
    assert_eq!(
        asked.params["queries"],
        json!({
            "cpu": "max(quantile_over_time(0.9, rate(container_cpu_usage_seconds_total{namespace=\"shop\",pod=~\"web-[a-z0-9]+-[a-z0-9]+\",container!=\"\",container!=\"POD\"}[5m])[48h:5m]))",
            "memory": "max(max_over_time(container_memory_working_set_bytes{namespace=\"shop\",pod=~\"web-[a-z0-9]+-[a-z0-9]+\",container!=\"\",container!=\"POD\"}[48h]))",
            "kills": "max(max_over_time(kube_pod_container_status_last_terminated_reason{reason=\"OOMKilled\",namespace=\"shop\",pod=~\"web-[a-z0-9]+-[a-z0-9]+\"}[48h]))",
        })
    );
    let figures = json!({ "figures": { "cpu": { "latest": 0.2 }, "memory": { "latest": 104_857_600 }, "kills": { "latest": null } } });
    let calls = run.on(&[("fit/usage", Ok(figures))]).calls.clone();
    assert_eq!((calls[0].path.as_str(), calls[0].kind.as_str()), ("fit/resize", "k8s.vertical_rightsize"));
    let call = program_call(&calls[0].kind, &calls[0].params, &Map::new(), 1).unwrap();
    assert_eq!(call.calls, [["--namespace", "shop", "get", "deployment/web", "--output", "json"]]);
    let live = json!({ "spec": { "template": { "spec": { "containers": [
        { "name": "app", "resources": { "requests": { "cpu": "1", "memory": "90Mi" }, "limits": { "memory": "100Mi" } } }] } } } });
    let (patched, then) = call.then.unwrap().call(&live.to_string(), 1).unwrap();
    assert!(then.is_none(), "recommend_only changes nothing");
    assert_eq!(patched.status, "recommended");
    assert_eq!(
        patched.patch["spec"]["template"]["spec"]["containers"][0]["resources"],
        json!({ "requests": { "cpu": "220m", "memory": "115Mi" }, "limits": { "memory": "115Mi" } })
    );
    run.on(&[("fit/resize", Ok(json!({ "status": "recommended" })))]);
    assert_eq!(
        run.output("fit"),
        json!({ "status": "recommended", "usage": { "cpu": 0.2, "memory": 104_857_600 } })
    );
}
