//! What introspection shows to every role.

use super::world::World;
use super::{TestCaller, test_callers};
use catalogue::{RelationshipKind, Right, TableId};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn introspection_shows_what_the_caller_may_use() {
    let world = World::new();
    let query =
        "{ __schema { queryType { fields { name } } mutationType { fields { name } } types { name } } }";
    let names = |value: &Json| -> BTreeSet<String> {
        let items = value.as_array().into_iter().flatten();
        items.map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    };
    let of = |who: &TestCaller| {
        let schema = &world.ask(who, query, &Json::Null)["data"]["__schema"];
        (
            names(&schema["queryType"]["fields"]),
            names(&schema["mutationType"]["fields"]),
            names(&schema["types"]),
        )
    };
    let shown: Vec<_> = test_callers().iter().map(|who| (who.name, of(who))).collect();
    for (name, (reads, writes, types)) in &shown {
        let (is_whole, is_part) = (name.contains("tenant_admin"), name.contains("account"));
        assert!(reads.contains("event_severity") && reads.contains("tenant"), "{name}");
        assert_eq!(reads.contains("billing"), is_whole || *name == "readonly and account_admin", "{name}");
        assert_eq!(reads.contains("spend_groupings_v2"), is_whole || is_part, "{name}");
        assert_eq!(types.contains("billing"), reads.contains("billing"), "{name}");
        assert_eq!(types.contains("mutation_root"), !writes.is_empty(), "{name}");
        let writes_spends = ["tenant_admin", "account_admin", "readonly and account_admin"].contains(name);
        assert_eq!(writes.contains("insert_spends"), writes_spends, "{name}");
        assert_eq!(writes.contains("insert_cloud_accounts"), *name == "tenant_admin", "{name}");
    }
    let nullable = |who: &TestCaller| {
        let query = r#"{ __type(name: "auto_pilot") { fields { name type { kind } } } }"#;
        let fields = world.ask(who, query, &Json::Null)["data"]["__type"]["fields"].clone();
        let user = fields.as_array().unwrap().iter().find(|field| field["name"] == "user").cloned();
        user.unwrap()["type"]["kind"] == "OBJECT"
    };
    let everybody = test_callers();
    assert!(!nullable(&everybody[0]));
    assert!(nullable(&everybody[2]), "the person who made it may be one the caller does not meet");
}

#[test]
fn what_a_role_may_not_see_is_unknown_wherever_it_is_named() {
    let world = World::new();
    let everybody = test_callers();
    let mut hidden = BTreeMap::new();
    for who in everybody.iter().filter(|who| who.roles.len() == 1 && who.name != "tenant_admin") {
        let caller = world.caller(who);
        let shows = |id: TableId| {
            world.catalogue.table(id).exposed && world.catalogue.allows(&caller, Right::Read, id)
        };
        for (id, table) in world.catalogue.iter().filter(|(_, table)| table.exposed && table.root) {
            for relationship in table.relationships.iter().filter(|_| shows(id)) {
                let (of, name) = (&table.name, &relationship.name);
                let mut ways = vec![
                    (format!("{of}(limit: 0) {{ {name} {{ __typename }} }}"), name.clone(), of.clone()),
                    (
                        format!("{of}(limit: 0, where: {{ {name}: {{}} }}) {{ __typename }}"),
                        name.clone(),
                        format!("{of}_bool_exp"),
                    ),
                ];
                let (ordered, aggregate) = match relationship.kind {
                    RelationshipKind::One => (name.clone(), None),
                    RelationshipKind::Many => {
                        (format!("{name}_aggregate"), Some(format!("{name}_aggregate {{ __typename }}")))
                    }
                };
                ways.push((
                    format!("{of}(limit: 0, order_by: {{ {ordered}: {{}} }}) {{ __typename }}"),
                    ordered.clone(),
                    format!("{of}_order_by"),
                ));
                if let Some(aggregate) = aggregate {
                    ways.push((format!("{of}(limit: 0) {{ {aggregate} }}"), ordered, of.clone()));
                }
                for (root, field, kind) in ways {
                    let answer = world.ask(who, &format!("{{ {root} }}"), &Json::Null);
                    let told = answer["errors"][0]["message"].as_str();
                    let unknown = format!("field '{field}' not found in type: '{kind}'");
                    let wanted = (!shows(relationship.target)).then_some(unknown.as_str());
                    assert_eq!(told, wanted, "{}: {root}: {answer}", who.name);
                    *hidden.entry(who.name).or_insert(0) += usize::from(told.is_some());
                }
            }
        }
    }
    assert_eq!(hidden["tenant_admin_readonly"], 0);
    assert!(hidden["account_admin"] > 0 && hidden["tenant_usage"] > 0, "{hidden:?}");
}
