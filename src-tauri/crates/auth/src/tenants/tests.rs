//! Tests of switching tenants, with a real database in a temporary folder.

use super::{TenantSwitch, TenantSwitchError, of};
use crate::tenancy::{self, LOCAL_ADMINISTRATOR};
use crate::tests::{Fixture, NOW};
use crate::{Person, SECOND, Tenant, person, security_log, session, user};
use catalogue::{Caller, Role, ValueRef};
use std::time::Duration;
use store::eq;
use uuid::Uuid;

/// Ada in the first tenant and as a reader in Umbrella; and a tenant of another user.
struct House {
    fixture: Fixture,
    umbrella: Tenant,
    foreign: Tenant,
    ada: Person,
}

fn house() -> House {
    let mut fixture = Fixture::new();
    let id = fixture.add("ada@example.com", Role::TenantAdmin);
    let mut tenant = |name| tenancy::find_or_create(&fixture.store, name, NOW, &mut fixture.rng).unwrap().0;
    let (umbrella, foreign) = (tenant("umbrella"), tenant("Foreign"));
    let reader = Role::TenantAdminReadonly;
    user::add(&fixture.store, &umbrella, "ada@example.com", None, reader, NOW, &mut fixture.rng).unwrap();
    let ada = person::find(&fixture.store, id, fixture.tenant.id).unwrap();
    House { fixture, umbrella, foreign, ada }
}

impl House {
    /// A session of Ada, valid for an hour, by SAML.
    fn begin(&mut self) -> (String, Uuid) {
        let hour = Duration::from_hours(1);
        let rng = &mut self.fixture.rng;
        let (secret, begun) =
            session::begin(&self.ada, session::SignInMethod::Saml, Some("Firefox"), hour, NOW, rng);
        session::keep(&self.fixture.store, &begun).unwrap();
        (secret, begun.id)
    }

    fn go(
        &mut self,
        from: Uuid,
        to: &Tenant,
        now: i64,
    ) -> Result<(String, super::SwitchedSession), TenantSwitchError> {
        let (secret, session_move) = TenantSwitch::new(from, to.id, now, &mut self.fixture.rng);
        Ok((secret, session_move.carry_out(&self.fixture.store, &mut self.fixture.rng)?))
    }

    /// The tenant of the session with that secret.
    fn tenant_of(&self, secret: &str, now: i64) -> Option<String> {
        let found = session::find(&self.fixture.store, secret, session::LIFETIME, now).unwrap();
        found.map(|found| found.person.tenant_name)
    }
}

#[test]
fn the_tenants_of_a_person_are_those_they_belong_to_with_what_they_are_there() {
    let house = house();
    let of = |user| {
        let found = of(&house.fixture.store, user).unwrap();
        found.into_iter().map(|person| (person.tenant_name, person.roles)).collect::<Vec<_>>()
    };
    let first = (house.fixture.tenant.name.clone(), vec![Role::TenantAdmin]);
    assert_eq!(of(house.ada.user), [first, ("umbrella".to_owned(), vec![Role::TenantAdminReadonly])]);
    let administrator = tenancy::administrator(&house.fixture.store).unwrap();
    assert_eq!(of(administrator).len(), 3, "{LOCAL_ADMINISTRATOR} belongs to every tenant");
    house.fixture.change("users", &[("status", "suspended".into())], "id", house.ada.user);
    assert_eq!(of(house.ada.user), []);
}

#[test]
fn a_session_goes_on_as_the_same_sign_in_until_the_same_end() {
    let mut house = house();
    let (old, id) = house.begin();
    let umbrella = house.umbrella.clone();
    let later = NOW + 600 * SECOND;
    let (new, moved) = house.go(id, &umbrella, later).unwrap();
    assert_eq!(house.tenant_of(&old, later), None);
    assert_eq!(house.tenant_of(&new, later).as_deref(), Some("umbrella"));
    assert_eq!(
        (moved.person.roles, moved.expires_at),
        (vec![Role::TenantAdminReadonly], NOW + 3600 * SECOND)
    );

    let listed = session::list(&house.fixture.store, Some(umbrella.id), None, later).unwrap();
    let [one] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!((one.way.as_deref(), one.agent.as_deref()), (Some("saml"), Some("Firefox")));
    assert_eq!((one.created_at, one.seen_at, one.expires_at), (NOW, later, NOW + 3600 * SECOND));
    assert_eq!(house.tenant_of(&new, NOW + 3600 * SECOND), None);

    let events = security_log::events(&house.fixture.store, later + 1, 1).unwrap();
    assert_eq!(
        (events[0].kind.as_str(), events[0].text.as_str()),
        ("tenant_switched", "ada@example.com went on in the tenant umbrella")
    );
    let log = serde_json::to_string(&events).unwrap();
    assert!(!log.contains(&new) && !log.contains(&crate::fingerprint(&new)));
}

#[test]
fn a_session_stays_where_it_is_when_its_person_does_not_belong_there() {
    let mut house = house();
    let (old, id) = house.begin();
    let (umbrella, foreign) = (house.umbrella.clone(), house.foreign.clone());
    let unknown = Tenant { id: Uuid::from_u128(7), name: String::new() };
    for tenant in [&foreign, &unknown] {
        assert!(matches!(house.go(id, tenant, NOW), Err(TenantSwitchError::NotAMember)));
    }
    let left = house.fixture.store.transaction(&Caller::system(), |rows| {
        rows.delete("tenant_users", &[eq("user_id", house.ada.user), eq("tenant", umbrella.id)])
    });
    assert_eq!(left.unwrap(), 1);
    assert!(matches!(house.go(id, &umbrella, NOW), Err(TenantSwitchError::NotAMember)));
    assert_eq!(house.tenant_of(&old, NOW).as_deref(), Some(tenancy::FIRST_TENANT));
}

#[test]
fn what_has_ended_does_not_go_on() {
    let mut house = house();
    let umbrella = house.umbrella.clone();
    let (_, id) = house.begin();
    assert!(matches!(house.go(id, &umbrella, NOW + 3600 * SECOND), Err(TenantSwitchError::Ended)));
    house.go(id, &umbrella, NOW).unwrap();
    assert!(matches!(house.go(id, &umbrella, NOW), Err(TenantSwitchError::Ended)), "nor a second time");
    let (_, id) = house.begin();
    let suspended = [("status", ValueRef::Text("suspended"))];
    house.fixture.change("users", &suspended, "id", house.ada.user);
    assert!(matches!(house.go(id, &umbrella, NOW), Err(TenantSwitchError::Ended)));
}
