use super::Expression;
use serde_json::{Value, json};

fn found(expression: &str, input: &Value) -> Result<Option<Value>, String> {
    Expression::parse(expression).and_then(|expression| expression.evaluate(input))
}

fn order() -> Value {
    json!({ "Account": { "Name": "Firefly", "Order": [
        { "OrderID": "order103", "Product": [
            { "Name": "Bowler Hat", "SKU": "0406654608", "Price": 34.45, "Quantity": 2, "Colour": "Purple" },
            { "Name": "Trilby hat", "SKU": "0406634348", "Price": 21.67, "Quantity": 1, "Colour": "Orange" },
        ] },
        { "OrderID": "order104", "Product": [
            { "Name": "Bowler Hat", "SKU": "040657863", "Price": 34.45, "Quantity": 4, "Colour": "Purple" },
            { "Name": "Cloak", "SKU": "0406654603", "Price": 107.99, "Quantity": 1, "Colour": "Black" },
        ] },
    ] } })
}

#[test]
fn expressions_give_what_the_documentation_of_jsonata_says() {
    for (expression, expected) in [
        ("Account.Name", json!("Firefly")),
        ("Account.Order.Product.Name", json!(["Bowler Hat", "Trilby hat", "Bowler Hat", "Cloak"])),
        ("Account.Order[0].OrderID", json!("order103")),
        ("Account.Order[-1].OrderID", json!("order104")),
        ("Account.Order.Product[0].Name", json!(["Bowler Hat", "Bowler Hat"])),
        ("(Account.Order.Product)[0].Name", json!("Bowler Hat")),
        ("Account.Order.Product[Price > 100].Name", json!("Cloak")),
        ("Account.Order.Product[Price > 100].Name[]", json!(["Cloak"])),
        ("Account.Order.Product[[0..1]].Quantity", json!([2, 1, 4, 1])),
        ("$sum(Account.Order.Product.(Price * Quantity))", json!(336.36)),
        ("$count(Account.Order.Product)", json!(4)),
        ("$max(Account.Order.Product.Price)", json!(107.99)),
        ("$average([1, 2, 3, 6])", json!(3)),
        ("Account.Order.Product^(>Price)[0].Name", json!("Cloak")),
        ("Account.Order.Product^(Price, >Quantity).Quantity", json!([1, 4, 2, 1])),
        ("Account.Order.Product{Colour: $sum(Quantity)}", json!({ "Purple": 6, "Orange": 1, "Black": 1 })),
        (
            "Account.Order[0].Product.{\"n\": Name, \"p\": Price}",
            json!([{ "n": "Bowler Hat", "p": 34.45 }, { "n": "Trilby hat", "p": 21.67 }]),
        ),
        ("{\"total\": $count(Account.Order.Product)}", json!({ "total": 4 })),
        ("Account.Order.*.Name", json!(["Bowler Hat", "Trilby hat", "Bowler Hat", "Cloak"])),
        ("**.SKU", json!(["0406654608", "0406634348", "040657863", "0406654603"])),
        ("Account.Order[OrderID = \"order104\"].Product.Name", json!(["Bowler Hat", "Cloak"])),
        ("Account.missing.deeper", Value::Null),
        ("$distinct(Account.Order.Product.Colour)", json!(["Purple", "Orange", "Black"])),
        (
            "$map(Account.Order, function($o, $i) { $o.OrderID & \"-\" & $i })",
            json!(["order103-0", "order104-1"]),
        ),
        ("$filter(Account.Order.Product, function($p) { $p.Quantity > 2 }).SKU", json!("040657863")),
        ("$reduce([1..5], function($a, $b) { $a * $b })", json!(120)),
        ("$sort(Account.Order.Product, function($l, $r) { $l.Price > $r.Price })[0].Price", json!(21.67)),
        (
            "Account.Order.Product.Name.$uppercase()[0]",
            json!(["BOWLER HAT", "TRILBY HAT", "BOWLER HAT", "CLOAK"]),
        ),
        ("Account.Name ~> $lowercase() ~> $substring(0, 4)", json!("fire")),
        ("($f := function($n) { $n <= 1 ? 1 : $n * $f($n - 1) }; $f(10))", json!(3_628_800)),
        ("($x := 2; $y := $x + 3; [$x, $y])", json!([2, 5])),
        ("Account.Name = \"Firefly\" and Account.none != 1 ? \"yes\" : \"no\"", json!("no")),
        ("$merge([{\"a\": 1}, {\"b\": 2}])", json!({ "a": 1, "b": 2 })),
        ("$keys({\"b\": 1, \"a\": 2})", json!(["a", "b"])),
        ("$lookup(Account, \"Name\")", json!("Firefly")),
        ("$each({\"a\": 1, \"b\": 2}, function($v, $k) { $k & $v })", json!(["a1", "b2"])),
        ("$sift({\"a\": 1, \"b\": 2}, function($v) { $v > 1 })", json!({ "b": 2 })),
        ("$spread({\"a\": 1, \"b\": 2})", json!([{ "a": 1 }, { "b": 2 }])),
        ("$zip([1, 2], [3, 4, 5])", json!([[1, 3], [2, 4]])),
        ("[1, [2, 3]]", json!([1, [2, 3]])),
        ("$append([1], 2)", json!([1, 2])),
        ("$join($split(\"a,b,c\", \",\"), \"-\")", json!("a-b-c")),
        ("$replace(\"2026-11-27\", /(\\d+)-(\\d+)-(\\d+)/, \"$3.$2.$1\")", json!("27.11.2026")),
        ("$match(\"ab12\", /([a-z]+)(\\d+)/).groups", json!(["ab", "12"])),
        ("$contains(\"Hello\", /^hel/i)", json!(true)),
        ("$pad(\"7\", -3, \"0\")", json!("007")),
        ("$substringAfter(\"a=b\", \"=\") & $substringBefore(\"a=b\", \"=\")", json!("ba")),
        ("$round(2.5) + $round(3.5)", json!(6)),
        ("$number(\"12.5\") * 2", json!(25)),
        ("$string({\"a\": [1, true, null]})", json!("{\"a\":[1,true,null]}")),
        ("$encodeUrlComponent(\"a b/ü\") & $decodeUrlComponent(\"%C3%BC\")", json!("a%20b%2F%C3%BCü")),
        ("$fromMillis(1795149480000)", json!("2026-11-20T04:38:00Z")),
        ("$toMillis(\"2026-11-20T04:38:00Z\")", json!(1_795_149_480_000_i64)),
        ("Account.none ?? \"default\"", json!("default")),
        ("$type(Account.Order)", json!("array")),
        ("7 % 4 + 2 * -3", json!(-3)),
        ("/* a comment */ 'it''s' ", Value::String(String::new())),
        ("\"b\" in [\"a\", \"b\"]", json!(true)),
        ("$boolean([]) or $not($exists(nothing))", json!(true)),
    ] {
        if expression.contains("''") {
            assert!(found(expression, &order()).is_err());
            continue;
        }
        let value = found(expression, &order()).unwrap_or_else(|reason| panic!("{expression}: {reason}"));
        assert_eq!(value.unwrap_or(Value::Null), expected, "{expression}");
    }
}

#[test]
fn conditions_on_items_hold_or_not() {
    let item = json!({ "name": "web-prod", "cpu": 91, "share": 0.5, "tags": ["a", "b"], "details": { "status": "active" },
        "ports": [{ "n": 80 }, { "n": 443 }], "empty": "", "none": null, "odd name": 1 });
    for (condition, expected) in [
        ("cpu > 80", true),
        ("cpu>=91 and cpu<=91.0", true),
        ("cpu = 91 and share != 1", true),
        ("name = 'web-prod'", true),
        ("name = 23", false),
        ("details.status = \"active\"", true),
        ("missing = 1", false),
        ("missing != 1", false),
        ("missing < 80", false),
        ("missing < 80 or cpu > 1", true),
        ("$contains(name, \"prod\")", true),
        ("$not($exists(missing))", true),
        ("\"a\" in tags", true),
        ("name in [\"x\", \"web-prod\"]", true),
        ("443 in ports.n", true),
        ("$count(tags) = 2", true),
        ("empty", false),
        ("none = null", true),
        ("$uppercase(name) = \"WEB-PROD\" and (cpu = 1 or share < 1)", true),
        ("`odd name` = 1", true),
        ("$number(\"3\") > -1", true),
        ("$.cpu = 91", true),
        ("cpu + 9 = 100", true),
        ("true and false", false),
    ] {
        let read = Expression::parse(condition).unwrap_or_else(|error| panic!("{condition}: {error}"));
        assert_eq!(read.holds(&item), Ok(expected), "{condition}");
    }
    assert!(Expression::parse("0").unwrap().holds(&json!(1)).unwrap_err().contains("gives the number 0"));
}

#[test]
fn what_is_not_understood_says_where() {
    for (expression, expected) in [
        ("", "at character 1: expected a value, found the end"),
        ("cpu >", "at character 6: expected a value"),
        ("cpu > 80 cpu", "at character 10: expected an operator, or the end"),
        ("cpu == 80", "at character 6: expected a value"),
        ("name = \"x", "at character 8: expected the end of the text"),
        ("name[", "at character 6: expected a value"),
        ("$now()", "at character 1: expected another function ($now is not carried out here)"),
        ("a@$b", "at character 2: expected an operator (the operator @ is not carried out here)"),
        ("$map(a, $f(?))", "at character 12: expected a value (partial application"),
        ("1 := 2", "at character 3: expected a variable"),
        ("/(/", "the pattern /(/ cannot be read"),
    ] {
        let reason = Expression::parse(expression).unwrap_err();
        assert!(reason.starts_with(expected), "{expression}: {reason}");
    }
    for (expression, expected) in [
        ("1 + \"a\"", "a number and a text are calculated with"),
        ("cpu > \"a\"", "a number and a text cannot be compared"),
        ("1 / 0", "a number is divided by 0"),
        ("$power(10, 400)", "$power: a number came out that is none"),
        ("$uppercase(1)", "$uppercase: expected a text, found a number"),
        ("$join()", "$join: expected 1 to 2 arguments, found 0"),
        ("$error(\"no owner\")", "$error: no owner"),
        ("$nope(1)", "nothing is called: expected a function"),
        ("{1: 2}", "a key of an object is a number"),
    ] {
        let reason = found(expression, &json!({ "cpu": 1 })).unwrap_err();
        assert!(reason.starts_with(expected), "{expression}: {reason}");
    }
}

/// The thread has half the stack of the threads that run this work in the service.
#[test]
fn no_expression_takes_the_service_with_it() {
    let run = || {
        for expression in [
            "($f := function($n) { $f($n + 1) }; $f(0))",
            "($f := function($n) { 1 + $f($n + 1) }; $f(0))",
            "[1..100000000]",
            "$pad(\"x\", 1000000000)",
            "$reduce([1..100000], function($a, $b) { {\"a\": $a} })",
            "$map([1..1500], function($a) { $map([1..1500], function($b) { $a * $b }) })",
            "($x := \"0123456789\"; $reduce([1..60], function($a, $b) { $a & $a }, $x))",
            "($x := [1..1000]; $reduce([1..30], function($a, $b) { [$a, $a] }, $x))",
            "$map([1..100000], function($i) { $$ })",
        ] {
            let input = json!({ "list": vec!["word"; 1000] });
            let reason = found(expression, &input).unwrap_err();
            assert!(
                ["deeper than", "more than"].iter().any(|words| reason.contains(words)),
                "{expression}: {reason}"
            );
        }
        for open in ["(", "[", "-", "{\"a\":", "function($x){", "a[", "a.(", "$f(", "1?1:"] {
            let reason = Expression::parse(&open.repeat(3000)).unwrap_err();
            assert!(reason.contains("deeper than") || reason.contains("letters"), "{open}: {reason}");
        }
        let deepest = format!("{}1{}", "(".repeat(58), ")".repeat(58));
        assert_eq!(found(&deepest, &json!(1)), Ok(Some(json!(1))));
    };
    std::thread::Builder::new().stack_size(1024 * 1024).spawn(run).unwrap().join().unwrap();
}
