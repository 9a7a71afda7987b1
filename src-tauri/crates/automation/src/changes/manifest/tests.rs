use super::change;
use crate::changes::ResourceChange;
use serde_json::{Value, json};

/// A manifest with comments, unusual spacing, quotes and other documents, as written by hand.
const WEB: &str = "# the shop\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace:   shop   # ours\nspec:\n  template:\n    spec:\n      containers:\n      - name: proxy   # größer\n        resources:\n          requests: {cpu: 10m}\n      - image: shop/web:1\n        name: \"app\"\n        resources:\n          limits:\n            memory: \"2Gi\"   # too much\n            cpu: 2\n          requests:\n            cpu: '500m'\n\n        ports:\n        - containerPort: 80\n";

fn changed(text: &str, wanted: Value) -> Result<String, String> {
    let mut params = json!({ "namespace": "shop", "kind": "Deployment", "name": "web" });
    params.as_object_mut().unwrap().extend(wanted.as_object().unwrap().clone());
    change(text, &ResourceChange::read(&params).unwrap())
}

#[test]
fn only_the_quantities_change() {
    let wanted = json!({ "container": "app", "cpu": { "request": "250m", "limit": "1" }, "memory": { "request": "512Mi", "limit": "1Gi" } });
    let expected = WEB
        .replace(
            "memory: \"2Gi\"   # too much\n            cpu: 2",
            "memory: \"1Gi\"   # too much\n            cpu: 1",
        )
        .replace("cpu: '500m'", "cpu: '250m'\n            memory: 512Mi");
    assert_eq!(changed(WEB, wanted), Ok(expected));
}

#[test]
fn a_container_without_resources_and_one_in_braces_get_them() {
    let wanted = json!({ "container": "proxy", "cpu": { "request": "5m" }, "memory": { "request": "64Mi" } });
    assert_eq!(changed(WEB, wanted), Ok(WEB.replace("{cpu: 10m}", "{cpu: 5m, memory: 64Mi}")));
    let bare = WEB.replace("        resources:\n          requests: {cpu: 10m}\n", "");
    let wanted = json!({ "container": "proxy", "cpu": { "request": "5m" } });
    let expected =
        bare.replace("# größer", "# größer\n        resources:\n          requests:\n            cpu: 5m");
    assert_eq!(changed(&bare, wanted.clone()), Ok(expected));
    let empty = WEB.replace("resources:\n          requests: {cpu: 10m}", "resources: {}");
    let expected = empty.replace("resources: {}", "resources:\n          requests:\n            cpu: 5m");
    assert_eq!(changed(&empty, wanted), Ok(expected));
}

#[test]
fn line_breaks_of_other_systems_stay() {
    let text = WEB.replace('\n', "\r\n");
    let made = changed(&text, json!({ "container": "app", "memory": { "request": "512Mi" } })).unwrap();
    assert_eq!(made, text.replace("cpu: '500m'", "cpu: '500m'\r\n            memory: 512Mi"));
}

#[test]
fn a_part_of_what_there_is_and_a_limit_that_goes() {
    let wanted =
        json!({ "container": "app", "direction": "down", "cpu": { "change_pct": 50, "remove_limit": true } });
    let expected = WEB.replace("            cpu: 2\n", "").replace("'500m'", "'250m'");
    assert_eq!(changed(WEB, wanted), Ok(expected));
    let wanted = json!({ "container": "app", "direction": "down", "cpu": { "change_pct": 50, "remove_limit": true }, "memory": { "change_pct": 50, "remove_limit": true } });
    let expected = WEB
        .replace("            memory: \"2Gi\"   # too much\n            cpu: 2\n", "")
        .replace("          limits:\n", "")
        .replace("'500m'", "'250m'\n            memory: 1024Mi");
    assert_eq!(changed(WEB, wanted), Ok(expected));
}

#[test]
fn what_is_not_sure_is_refused() {
    let wanted = json!({ "container": "app", "cpu": { "request": "1" } });
    for (text, expected) in [
        (WEB.replace("name: web\n", "name: api\n"), "there is no Deployment web in namespace shop in it"),
        (WEB.replace("shop   # ours", "other"), "there is no Deployment web"),
        (format!("{WEB}---\n{WEB}"), "there is more than one Deployment web"),
        (
            WEB.replace("name: \"app\"", "name: main"),
            "there is no container app in Deployment web: there are proxy, main",
        ),
        (WEB.replace("'500m'", "{{ .Values.cpu }} m"), "it cannot be read as YAML"),
        (WEB.replace("'500m'", "|-\n              500m"), "line"),
    ] {
        let refused = changed(&text, wanted.clone()).unwrap_err();
        assert!(refused.contains(expected), "{refused}");
    }
}
