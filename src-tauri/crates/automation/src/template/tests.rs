use super::Renderer;
use serde_json::{Map, Value, json};

/// 2026-11-24 08:05:09 UTC.
const NOW: i64 = 1_795_507_509_000_000;

fn render(template: &str, context: Value) -> Result<Value, String> {
    let Value::Object(context) = context else { panic!("an object") };
    Renderer::new(NOW).text(template, &context).map_err(|error| error.to_string())
}

#[track_caller]
fn check(template: &str, expected: Value) {
    let context = json!({
        "Tasks": { "list": { "output": { "items": [1, "a"], "data": "{\"n\": 2}", "price": 12.10 } } },
        "Inputs": { "name": "Web Shop", "on": true }, "one": { "a": 1, "n": { "x": 1 } }, "two": { "b": 2, "n": { "y": 2 } },
    });
    assert_eq!(render(template, context), Ok(expected), "{template}");
}

#[test]
fn one_path_keeps_its_type_and_everything_else_is_text() {
    check("{{ Tasks.list.output.items }}", json!([1, "a"]));
    check("{{ Tasks['list'].output[\"items\"][0] }}", json!(1));
    check("{{ Inputs.on }}", json!(true));
    check("{{ Tasks.gone.output.items }}", Value::Null);
    check("items: {{ Tasks.list.output.items }}", json!("items: [1,\"a\"]"));
    check("{{ Tasks.gone.output.items }}!", json!("!"));
    check("plain", json!("plain"));
}

#[test]
fn the_digits_of_a_path_are_kept() {
    let amount: Value = serde_json::from_str("12345678901234567890.10").unwrap();
    assert_eq!(render("{{ x }}", json!({ "x": amount.clone() })), Ok(amount));
}

#[test]
fn filters_are_as_definitions_use_them() {
    check("{{ (Tasks.list.output.data | from_json).n + 1 }}", json!("3"));
    check("{{ one | to_json }}", json!("{\"a\":1,\"n\":{\"x\":1}}"));
    check("{{ Inputs.name | lower | regex_replace('\\\\s+', '-') }}", json!("web-shop"));
    check("{{ Inputs.name | regex_replace('(\\\\w+) (\\\\w+)', '\\\\2 \\\\1') }}", json!("Shop Web"));
    check("{{ Inputs.name | regex_search('S\\\\w+') }}", json!("Shop"));
    check("{{ one | combine(two) | to_json }}", json!("{\"a\":1,\"b\":2,\"n\":{\"y\":2}}"));
    check(
        "{{ one | combine(two, recursive=true) | to_json }}",
        json!("{\"a\":1,\"b\":2,\"n\":{\"x\":1,\"y\":2}}"),
    );
    check("{{ two | dict2items | length }}", json!("2"));
    check("{{ Inputs.on | ternary('yes', 'no') }}", json!("yes"));
    check("{{ nothing | default('none') }}", json!("none"));
    check("{{ 'ab' | b64encode }}{{ 'YWI=' | b64decode }}", json!("YWI=ab"));
    check("{{ Tasks.list.output.items | join(',') }} {{ '7' | int + 1 }}", json!("1,a 8"));
    check("{{ 1048576 | human_readable }}", json!("1.00 MB"));
}

#[test]
fn the_clock_is_an_argument() {
    check("{{ now() }}", json!("2026-11-24T08:05:09Z"));
    check("{{ date }} {{ date_iso }} {{ time_hms }}", json!("24112026 2026-11-24 08:05:09"));
    check("{{ date }}", json!("24112026"));
}

#[test]
fn a_bomb_runs_out_of_fuel() {
    let bomb = "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}";
    assert!(render(bomb, json!({})).is_err_and(|error| error.contains("steps")));
    let deep = "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}";
    assert!(render(deep, json!({})).is_err());
}

#[test]
fn a_condition_is_true_or_not() {
    let renderer = Renderer::new(NOW);
    let context = Map::from_iter([("n".to_owned(), json!(3))]);
    for (condition, expected) in [("{{ n > 2 }}", true), (" TRUE ", true), ("{{ n }}", false), ("yes", false)]
    {
        assert_eq!(renderer.holds(&json!(condition), &context), Ok(expected), "{condition}");
    }
}
