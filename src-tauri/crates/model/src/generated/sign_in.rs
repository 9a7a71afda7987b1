//! Tables and lookups of `schema/tables/sign_in.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::table::table;

table! {
    /// Why a person has a role, where a sign-in gave it. A role without such a row was given by hand, by `created_by` of the role.
    UserRoleReason in user_role_reasons by user_role_id {
        user_role_id: Id<UserRole>,
        tenant_id: Id<Tenant>,
        /// The group at the identity provider; none when it is the role of new people.
        by_group: Option<String>,
        granted_at: ZonedTimestamp,
    }
}

table! {
    /// A sign-in that was begun and not answered by the identity provider yet. It works once, for a minute.
    SamlRequest in saml_request by id_hash {
        /// SHA-256 of the request's id, lower-case hex.
        id_hash: Secret<String>,
        /// SHA-256 of the cookie of the browser that began it, lower-case hex.
        browser_hash: Secret<String>,
        /// The local path wanted after sign-in.
        return_to: String,
        /// The dry run it belongs to, if it is one.
        test_id: Option<Uuid>,
        created_at: ZonedTimestamp,
        expires_at: ZonedTimestamp,
    }
}

table! {
    /// A sign-in that was accepted and is waiting for its browser. It works once, for a minute.
    SamlOutcome in saml_outcome by code_hash {
        /// SHA-256 of the code, lower-case hex.
        code_hash: Secret<String>,
        /// SHA-256 of the cookie of the browser that began it, lower-case hex.
        browser_hash: Secret<String>,
        user_id: Id<User>,
        tenant_id: Id<Tenant>,
        /// The local path wanted after sign-in.
        return_to: String,
        /// When the session at the provider ends (SessionNotOnOrAfter), and with it the one here.
        session_ends_at: Option<ZonedTimestamp>,
        created_at: ZonedTimestamp,
        expires_at: ZonedTimestamp,
    }
}

table! {
    /// An assertion that was used. Kept until it would be refused for its age.
    SamlUsedAssertion in saml_used_assertion by id_hash {
        /// SHA-256 of issuer and id, lower-case hex.
        id_hash: String,
        expires_at: ZonedTimestamp,
    }
}

table! {
    /// A dry run of a sign-in through the real identity provider.
    SamlTest in saml_test by id {
        id: Id<SamlTest>,
        /// Who wanted it.
        begun_by: Id<User>,
        /// The settings it was made with, by name.
        given_values: Json,
        /// SHA-256 of the values that decide whether an answer is accepted, lower-case hex.
        values_hash: String,
        created_at: ZonedTimestamp,
        finished_at: Option<ZonedTimestamp>,
        /// Whether the person would have been signed in; none until an answer came.
        passed: Option<bool>,
        /// What came of it, check by check.
        report: Option<Json>,
    }
}

table! {
    /// A sign-in that was refused, and why.
    SignInRefusal in sign_in_refusal by id {
        id: Id<SignInRefusal>,
        created_at: ZonedTimestamp,
        /// One word for one cause.
        cause: String,
        /// What the service says about it.
        message: String,
        expected: Option<String>,
        received: Option<String>,
        /// Whose sign-in it would have been, as far as that is proven.
        email: Option<String>,
        /// Whether it was a dry run.
        is_test: bool,
    }
}

table! {
    /// Something that happened to the rights of people: sign-ins, refusals, roles, settings.
    SecurityEvent in security_event by id {
        id: Id<SecurityEvent>,
        created_at: ZonedTimestamp,
        /// One word for what it was.
        kind: String,
        /// Who did it; none for the service itself or an unknown person.
        who: Option<Id<User>>,
        /// Whom it concerns.
        about: Option<Id<User>>,
        /// Why, for refusals.
        cause: Option<String>,
        /// What happened, in words.
        text: String,
        /// What was before and what is after, without secrets.
        detail: Json,
    }
}

table! {
    /// Failed attempts with a guessable secret, for one address or one name, and until when further ones are refused.
    SignInAttempt in sign_in_attempts by key {
        /// SHA-256 of what is counted, lower-case hex.
        key: String,
        failures: i64,
        last_failed_at: ZonedTimestamp,
        /// Attempts before this time are refused unseen.
        blocked_until: ZonedTimestamp,
    }
}

table! {
    /// A desktop program that a person let in from a browser. What it may do ends with this row's being revoked.
    Device in device by id {
        id: Id<Device>,
        user_id: Id<User>,
        tenant_id: Id<Tenant>,
        /// What it calls itself; shown when it asked to be let in.
        name: String,
        /// Its system and version, as it says.
        platform: Option<String>,
        /// Where it keeps its secret, as it says: keyring, file or run.
        kept_in: Option<String>,
        /// Network address it was last seen from; none where addresses do not tell machines apart.
        address: Option<String>,
        created_at: ZonedTimestamp,
        /// When it last asked for an access token.
        seen_at: ZonedTimestamp,
        /// Without being used it ends then.
        expires_at: ZonedTimestamp,
        revoked_at: Option<ZonedTimestamp>,
        /// person, device (it signed out) or reuse (a used token came again).
        revoked_by: Option<String>,
    }
}

table! {
    /// A refresh token of a device. Each works once and brings the next; one that comes again ends the device.
    DeviceToken in device_token by token_hash {
        /// SHA-256 of the token, lower-case hex.
        token_hash: Secret<String>,
        device_id: Id<Device>,
        created_at: ZonedTimestamp,
        /// When it was used.
        used_at: Option<ZonedTimestamp>,
    }
}

table! {
    /// A desktop that was let in and has not fetched its tokens yet. It works once, for a minute or, pasted by hand, five.
    DeviceCode in device_code by code_hash {
        /// SHA-256 of the code, lower-case hex.
        code_hash: Secret<String>,
        user_id: Id<User>,
        tenant_id: Id<Tenant>,
        /// What the device's verifier must hash to: SHA-256, base64url.
        challenge: String,
        /// Where the browser was sent with the code; none when a person carries it over.
        redirect_uri: Option<String>,
        device_name: String,
        created_at: ZonedTimestamp,
        expires_at: ZonedTimestamp,
    }
}
