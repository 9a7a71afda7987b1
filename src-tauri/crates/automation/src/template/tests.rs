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
    check("on: {{ Inputs.on }}, {{ not Inputs.on }}", json!("on: true, false"));
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
fn lists_are_sets_where_definitions_want_it() {
    check("{{ [1, 2, 2] | union([3, 1]) }}", json!("[1,2,3]"));
    check("{{ [1, 2, 3] | intersect([3, 1]) }}", json!("[1,3]"));
    check("{{ [1, 2, 3] | difference([3, 1]) }}", json!("[2]"));
    check("{{ [1, 2] | symmetric_difference([2, 3]) }}", json!("[1,3]"));
    check("{{ ['a', 'b'] | extract({'a': 1, 'b': 2}) }}", json!("[1,2]"));
    check("{{ [{'k': 'x', 'n': 1}, {'k': 'x', 'n': 2}] | ans_groupby('k') | length }}", json!("1"));
    assert!(
        render("{{ gone | mandatory('say which') }}", json!({}))
            .is_err_and(|error| error.contains("say which"))
    );
}

#[test]
fn texts_are_cut_and_counted_as_definitions_want_it() {
    check("{{ 'hello' | md5 }}", json!("5d41402abc4b2a76b9719d911017c592"));
    check("{{ 'hello' | hash('sha1') }}", json!("aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"));
    check("{{ 'a: [1, 2]' | from_yaml | to_json }}", json!("{\"a\":[1,2]}"));
    check("{{ {'a': 1, 'list': [1, 'b']} | to_yaml }}", json!("a: 1\nlist:\n  - 1\n  - b\n"));
    check(
        "{{ 'a/b.tar.gz' | splitext }} {{ ['/a', 'b', 'c'] | path_join }}",
        json!("[\"a/b.tar\",\".gz\"] /a/b/c"),
    );
    check(
        "{{ 'https://a.example:8443/x?y=1' | urlsplit('port') }} {{ 'a b' | urlencode }} {{ 'a+b%21' | urldecode }}",
        json!("8443 a+b a b!"),
    );
    check("{{ '1.5 GB' | human_to_bytes }} {{ 9 | root }} {{ 2 | pow(3) }}", json!("1610612736 3.0 8.0"));
    check(
        "{{ 'ab' | center(6) }}| {{ 'one two three' | wordwrap(7) }} {{ 'x' | comment }}",
        json!("  ab  | one two\nthree # x"),
    );
}

#[test]
fn moments_are_written_and_moved() {
    check("{{ '2026-11-24T08:05:09Z' | strftime('%d.%m.%Y') }}", json!("24.11.2026"));
    check(
        "{{ now | strftime('%H:%M') }} {{ now() | date_format('2006-01-02 15:04') }}",
        json!("08:05 2026-11-24 08:05"),
    );
    check("{{ '2026-11-24' | time_add('-36h') }}", json!("2026-11-22T12:00:00Z"));
    check(
        "{{ '24/11/2026' | to_datetime('%d/%m/%Y') }} {{ '24 Nov 26' | parse_time('02 Jan 06') }}",
        json!("2026-11-24T00:00:00Z 2026-11-24T00:00:00Z"),
    );
    assert!(render("{{ 'soon' | strftime('%Y') }}", json!({})).is_err());
    assert!(render("{{ now | strftime('%Q') }}", json!({})).is_err());
}

#[test]
fn the_clock_is_an_argument() {
    check("{{ now() }}", json!("2026-11-24T08:05:09Z"));
    check("{{ date }} {{ date_iso }} {{ time_hms }}", json!("24112026 2026-11-24 08:05:09"));
    check("{{ date }}", json!("24112026"));
}

#[test]
fn methods_are_those_of_python() {
    check(
        "{{ Inputs.name.upper() }} {{ Inputs.name.replace('Shop', 'x').lower() }}",
        json!("WEB SHOP web x"),
    );
    check("{{ Inputs.name.split() | join('-') }} {{ 'a,b'.split(',') }}", json!("Web-Shop [\"a\",\"b\"]"));
    check("{{ ', '.join(['a', 'b']) }} {{ '  x '.strip() }}|{{ '--x'.lstrip('-') }}", json!("a, b x|x"));
    check(
        "{{ Inputs.name.startswith('Web') }} {{ 'a.yml'.endswith(('.yaml', '.yml')) }}",
        json!("true true"),
    );
    check(
        "{{ 'abcb'.find('b') }} {{ 'abcb'.rfind('b') }} {{ 'abcb'.count('b') }} {{ 'a'.find('x') }}",
        json!("1 3 2 -1"),
    );
    check(
        "{{ '7'.zfill(3) }} {{ '-7'.zfill(3) }} {{ 'a'.rjust(3, '.') }}{{ 'a'.ljust(2) }}|",
        json!("007 -07 ..aa |"),
    );
    check("{{ '12'.isdigit() }} {{ 'ab1'.isalpha() }} {{ 'AB'.isupper() }}", json!("true false true"));
    check("{{ 'v1.2'.removeprefix('v') }} {{ 'a.yaml'.removesuffix('.yaml') }}", json!("1.2 a"));
    check("{{ one.get('a') }} {{ one.get('z', 'none') }} {{ one.get('z') }}.", json!("1 none ."));
    check("{{ one.keys() | list }} {{ two.values() | first }}", json!("[\"a\",\"n\"] 2"));
    check("{% for key, value in two.items() %}{{ key }};{% endfor %}", json!("b;n;"));
    check("{{ Tasks['list'].output['items'].count('a') }} {{ ['x', 'y'].index('y') }}", json!("1 1"));
    for wrong in ["{{ 'a'.nomethod() }}", "{{ [1].push(2) }}", "{{ 5.upper() }}", "{{ ['x'].index('y') }}"] {
        assert!(render(wrong, json!({})).is_err(), "{wrong}");
    }
    assert!(Renderer::reader().check("{{ 'a'.nomethod() }}").is_err());
    assert_eq!(Renderer::reader().check("{{ Tasks.a.output.name.upper() }}"), Ok(()));
}

#[test]
fn a_method_makes_no_bomb() {
    for bomb in [
        "{{ 'a'.ljust(1000000000) }}",
        "{{ 'a'.zfill(99999999999) }}",
        "{% set a = 'a' * 1000000 %}{{ a.replace('a', a) }}",
        "{% set a = 'a' * 1000000 %}{{ a.join(range(9999)) }}",
        "{% set a = 'a' * 100000 %}{{ a.replace('a', a).replace('a', a) | length }}",
        "{{ ('a' * 100000000000) }}",
        "{% for a in range(9999) %}{% for b in range(9999) %}{% set x = 'a'.center(9999) %}{% endfor %}{% endfor %}",
    ] {
        assert!(render(bomb, json!({})).is_err(), "{bomb}");
    }
}

#[test]
fn the_rest_of_the_filters_of_jinja_is_there() {
    check(
        "{{ 'one two three four' | truncate(12) }} {{ 'one two three' | truncate(9, true, leeway=0) }}",
        json!("one two... one tw..."),
    );
    check("{{ 'short' | truncate(5) }} {{ 'one two' | wordcount }}", json!("short 2"));
    check(
        "{{ '<p>a  <b>b</b></p> &amp; <!-- x -->c' | striptags }} {{ '<' | forceescape }}",
        json!("a b & c &lt;"),
    );
    check(
        "{{ 'see https://a.example/x.' | urlize }}",
        json!("see <a href=\"https://a.example/x\" rel=\"noopener\">https://a.example/x</a>."),
    );
    check("<a{{ {'href': 'x\"', 'id': none} | xmlattr }}>", json!("<a href=\"x&#34;\">"));
}

#[test]
fn a_bomb_runs_out_of_fuel() {
    let bomb = "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}";
    assert!(render(bomb, json!({})).is_err_and(|error| error.contains("steps")));
    let deep = "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}";
    assert!(render(deep, json!({})).is_err());
}

#[test]
fn a_template_that_is_too_deep_is_refused_and_nothing_overflows() {
    for (before, link, after) in
        [("{{ 1", "+1", " }}"), ("{{ x", ".a", "| int }}"), ("{% if x %}", "{% elif y %}", "{% endif %}")]
    {
        let deep = format!("{before}{}{after}", link.repeat(20_000));
        assert!(render(&deep, json!({})).is_err(), "{link}");
        assert!(Renderer::new(NOW).check(&deep).is_err(), "{link}");
        let most = format!("{before}{}{after}", link.repeat(99));
        assert!(render(&most, json!({})).is_ok(), "{link}");
    }
}

#[test]
fn what_no_template_can_use_is_told_before_it_is_used() {
    let check = |template: &str| Renderer::reader().check(template).map_err(|error| error.to_string());
    for template in [
        "{{ a | nofilter }}",
        "{{ a is notest }}",
        "{{ nofunction(1) }}",
        "{% if true %}{{ 1 | nofilter }}{% endif %}",
    ] {
        assert!(check(template).is_err_and(|error| error.contains("unknown")), "{template}");
    }
    for template in [
        "{{ a.b | from_json }}",
        "{{ 1 / a }}",
        "{{ a.f(1) }}",
        "{{ now() }}",
        "{% if a %}{{ a | mandatory }}{% endif %}",
    ] {
        assert_eq!(check(template), Ok(()), "{template}");
    }
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

#[test]
fn paths_are_those_of_unix_and_of_windows() {
    check("{{ '/a/./b/../c//d' | normpath }}", json!("/a/c/d"));
    check("{{ '../../x' | normpath }} {{ '/../x' | normpath }} {{ '' | normpath }}", json!("../../x /x ."));
    check("{{ ['/usr/lib/x', '/usr/share'] | commonpath }}", json!("/usr"));
    check("{{ ['a/b', 'a/c'] | commonpath }}", json!("a"));
    check(r"{{ 'C:\\Users\\ada\\x.txt' | win_basename }}", json!("x.txt"));
    check(r"{{ 'C:\\Users\\ada\\x.txt' | win_dirname }}", json!("C:\\Users\\ada"));
    check(r"{{ 'C:\\Users' | win_splitdrive | to_json }}", json!(r#"["C:","\\Users"]"#));
}

#[test]
fn what_is_chosen_at_random_is_the_same_when_it_is_rendered_again() {
    for template in
        ["{{ [1, 2, 3, 4, 5, 6] | shuffle }}", "{{ 1000 | random }}", "{{ '52:54' | random_mac }}"]
    {
        let once = render(template, json!({})).unwrap();
        assert_eq!(render(template, json!({})), Ok(once), "{template}");
    }
    let seeded = |seed: &str| {
        render(&format!("{{{{ [1, 2, 3, 4, 5, 6] | shuffle(seed='{seed}') | to_json }}}}"), json!({}))
            .unwrap()
    };
    let (one, other) = (seeded("a"), seeded("b"));
    assert_ne!(one, other);
    let sorted = |text: &Value| {
        let mut items: Vec<i64> = serde_json::from_str(text.as_str().unwrap()).unwrap();
        items.sort_unstable();
        items
    };
    assert_eq!(sorted(&one), [1, 2, 3, 4, 5, 6]);
    check("{{ 9 | random(start=8) }} {{ ['x'] | ans_random }}", json!("8 x"));
    let mac = render("{{ '52:54:00' | random_mac }}", json!({})).unwrap();
    assert!(mac.as_str().is_some_and(|mac| mac.len() == 17 && mac.starts_with("52:54:00:")), "{mac}");
    for wrong in ["{{ [] | random }}", "{{ 1 | random(start=5) }}", "{{ 'xx' | random_mac }}"] {
        assert!(render(wrong, json!({})).is_err(), "{wrong}");
    }
}

#[test]
fn lists_in_lists_texts_of_several_documents_and_ids_of_texts() {
    let context = json!({ "users": [{ "n": "a", "groups": ["x", "y"] }, { "n": "b" }] });
    let pairs = "{{ users | subelements('groups', skip_missing=true) | map('last') | join(',') }}";
    assert_eq!(render(pairs, context.clone()), Ok(json!("x,y")));
    assert!(render("{{ users | subelements('groups') }}", context).unwrap_err().contains("groups"));
    check(r"{{ 'a: 1\n---\n[2]\n' | from_yaml_all | to_json }}", json!(r#"[{"a":1},[2]]"#));
    // Python: uuid.uuid5(uuid.UUID('361E6D51-FAEC-444A-9079-341386DA8E2E'), 'quarterdeck')
    check("{{ 'quarterdeck' | to_uuid }}", json!("08642070-3565-56e5-8ed4-ec74196eea42"));
}

#[test]
fn a_path_may_have_a_dot_before_it_as_in_go() {
    let context = json!({ "Inputs": { "name": "web", "ports": [1, 2] }, "n": 0.5 });
    for (template, expected) in [
        ("{{ .Inputs.ports }}", json!([1, 2])),
        ("Hello {{.Inputs.name}} and {{- .Inputs.name | upper }}", json!("Hello web andWEB")),
        ("{{ .5 + n }}", json!(null)),
    ] {
        let rendered = render(template, context.clone());
        if expected.is_null() {
            assert!(rendered.is_err(), "a number begins with a digit: {rendered:?}");
        } else {
            assert_eq!(rendered, Ok(expected), "{template}");
        }
    }
    assert!(Renderer::reader().check("{{ .Inputs.name }}").is_ok());
}
