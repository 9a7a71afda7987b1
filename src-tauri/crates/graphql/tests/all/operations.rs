//! Every operation for every role: listed roles reach the code, others do not see the field.

use crate::rights::{World, test_callers};
use catalogue::{Caller, Catalogue, Member, Operation, Root, TypeBase, TypeShape, TypeUse, scalar};
use graphql::{Call, Engine, Operations, Refusal, Request};
use serde_json::{Value, json};
use std::sync::Arc;

/// Code that only reports that it was called.
struct Reached;

impl Operations for Reached {
    fn has(&self, _: Root, _: &str) -> bool {
        true
    }

    fn call(&self, _: &Call<'_>) -> Result<Value, Refusal> {
        Err(Refusal::new("reached", "here"))
    }
}

/// The smallest literal of a type.
fn smallest(catalogue: &Catalogue, kind: &TypeUse) -> String {
    let name = match &kind.base {
        TypeBase::List(_) => return "[]".to_owned(),
        TypeBase::Named(name) => name.as_str(),
    };
    if let Some(TypeShape::Input(members)) = catalogue.find_type(name).map(|plain| &plain.shape) {
        return format!("{{{}}}", needed(catalogue, members));
    }
    if scalar(name).is_none() {
        return catalogue.enum_values(name).map_or("{}".to_owned(), |values| values[0].value.clone());
    }
    match name {
        "Int" | "Float" | "float8" | "numeric" | "bigint" => "1",
        "Boolean" => "true",
        "uuid" => "\"00000000-0000-0000-0000-000000000001\"",
        "timestamp" | "timestamptz" | "Datetime" | "date" => "\"2026-11-20\"",
        _ => "\"x\"",
    }
    .to_owned()
}

/// The required arguments: `a: 1, b: "x"`.
fn needed(catalogue: &Catalogue, members: &[Member]) -> String {
    let needed = members.iter().filter(|member| !member.kind.nullable && member.default.is_none());
    let pairs: Vec<String> =
        needed.map(|member| format!("{}: {}", member.name, smallest(catalogue, &member.kind))).collect();
    pairs.join(", ")
}

fn request(catalogue: &Catalogue, operation: &Operation) -> String {
    let arguments = needed(catalogue, &operation.arguments);
    let arguments = if arguments.is_empty() { arguments } else { format!("({arguments})") };
    let shape = catalogue.find_type(operation.answer.name()).map(|plain| &plain.shape);
    let selection = if matches!(shape, Some(TypeShape::Object(_))) { " { __typename }" } else { "" };
    let verb = if operation.root == Root::Query { "query" } else { "mutation" };
    format!("{verb} {{ {}{arguments}{selection} }}", operation.name)
}

#[test]
fn every_operation_is_reached_by_its_roles_and_forbidden_to_others() {
    let world = World::new();
    let engine = Engine::new(world.store.clone()).unwrap().with_operations(Arc::new(Reached)).unwrap();
    let ask = |caller: &Caller, query: &str| -> Value {
        let request = Request { query: query.to_owned(), ..Request::default() };
        serde_json::from_slice(&engine.execute(caller, &request, |error| panic!("{error:?}"))).unwrap()
    };
    assert!(!world.catalogue.operations.is_empty());
    for operation in &world.catalogue.operations {
        let query = request(&world.catalogue, operation);
        for who in &test_callers() {
            let answer = ask(&world.caller(who), &query);
            let error = &answer["errors"][0];
            let is_listed = who.roles.iter().any(|role| operation.roles.contains(role));
            if is_listed {
                assert_eq!(error["extensions"]["code"], "reached", "{} {query}: {answer}", who.name);
            } else {
                let allowed: Vec<&str> = operation.roles.iter().map(|role| role.name()).collect();
                let extensions = &error["extensions"];
                assert_eq!(extensions["code"], "FORBIDDEN", "{} {query}: {answer}", who.name);
                assert_eq!(extensions["allowedRoles"], json!(allowed), "{} {query}", who.name);
            }
        }
    }
}
