//! Tests of the health report: its content, and who may read it.

use super::Service;
use catalogue::Role;

#[tokio::test]
async fn admins_alone_are_told_the_health_of_the_instance() {
    let service = Service::start().await;
    let tenant = service.tenant();
    let reader = service.program("rita@example.com", Role::TenantAdminReadonly, &tenant).await;
    for path in ["/api/health/report", "/api/health/bundle"] {
        assert_eq!(service.stranger().get(path).await.status, 401, "{path}");
        assert_eq!(reader.get(path).await.refusal(), (403, "forbidden".to_owned()), "{path}");
    }
}

#[tokio::test]
async fn the_report_tells_size_room_and_that_nothing_was_imported() {
    let service = Service::start().await;
    let admin = service.program("ada@example.com", Role::TenantAdmin, &service.tenant()).await;
    let answer = admin.get("/api/health/report").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let report = answer.json();
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    assert!(report["database"]["bytes"].as_u64().unwrap() > 0, "{report}");
    let disk = &report["disk"];
    assert!(disk["free_bytes"].as_u64().unwrap() <= disk["total_bytes"].as_u64().unwrap(), "{report}");
    assert!(report["last_import"].is_null() && report["unfinished_imports"] == 0, "{report}");
}

#[tokio::test]
async fn the_bundle_is_a_file_without_secrets_and_addresses() {
    let service = Service::start().await;
    let admin = service.program("ada@example.com", Role::TenantAdmin, &service.tenant()).await;
    let answer = admin.get("/api/health/bundle").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.header("content-disposition").starts_with("attachment; filename=\"quarterdeck-bundle-"));
    let bundle = answer.json();
    assert_eq!(bundle["rows_by_table"]["users"], 2);
    let names: Vec<_> = bundle["settings"].as_array().unwrap().iter().map(|line| &line["name"]).collect();
    assert!(names.contains(&&serde_json::json!("appauth_secret")), "{names:?}");
    assert!(!answer.body.contains('@'), "{}", answer.body);
}

#[tokio::test]
async fn an_administrator_of_another_tenant_is_told_what_is_of_that_tenant() {
    let service = Service::start().await;
    let (store, rng) = (service.store(), &mut rand::rng());
    service.secret_of("ada@example.com", Role::TenantAdmin, &service.tenant());
    let (other, _) = auth::tenancy::find_or_create(&store, "Umbrella", crate::clock::now(), rng).unwrap();
    assert_ne!(other.id, service.tenant().id);
    let admin = service.program("olga@example.com", Role::TenantAdmin, &other).await;
    let bundle = admin.get("/api/health/bundle").await;
    assert_eq!(bundle.status, 200, "{bundle:?}");
    let data_dir = service.data_dir.path().display().to_string();
    assert!(!bundle.body.contains(&data_dir), "{}", bundle.body);
    let bundle = bundle.json();
    assert_eq!(bundle["settings"], serde_json::json!([]));
    // She and the local administrator; the instance has a third user.
    assert_eq!(bundle["rows_by_table"]["users"], 2, "{bundle}");
    assert!(bundle["rows_by_table"]["setting"].is_null(), "{bundle}");
    let report = admin.get("/api/health/report").await.json();
    for name in ["database", "disk"] {
        assert!(report[name].is_null() && bundle["report"][name].is_null(), "{report}");
    }
    assert!(admin.get("/api/about").await.json()["data_dir"].is_null());
}
