/** What the service tells about single sign-on: `routes/saml/…` of the server. Times are ISO 8601, UTC. */

export const settingNames = [
  'SAML_ENABLED',
  'SAML_ENTRY_POINT',
  'SAML_ISSUER',
  'SAML_CERT',
  'SAML_AUDIENCE',
  'APPAUTH_URL',
  'SAML_GROUP_MAPPING',
  'SAML_SYNC_ROLES_ON_LOGIN',
  'SAML_REMOVE_OLD_ROLES',
  'SAML_INCLUDE_UNMAPPED_GROUPS',
  'AUTH_DEFAULT_ROLE',
  'SAML_SIGN_REQUESTS',
] as const;
export type SettingName = (typeof settingNames)[number];

/** One setting, and where its value comes from. Values are always texts: "true", a JSON object, PEM. */
export interface Value {
  value: string | null;
  source: 'saved' | 'environment' | 'default' | 'draft';
  /** What it stands in place of. */
  overrides: 'environment' | null;
  /** What the environment says, when it is overridden. */
  environment: string | null;
  /** Why the value cannot be used. */
  problem: string | null;
  required: boolean;
  default: string | null;
  meaning: string;
}

export interface Certificate {
  subject: string;
  issuer: string;
  fingerprint_sha256: string;
  not_before: string;
  not_after: string;
  days_left: number;
  state: 'healthy' | 'warning' | 'error' | 'not_yet_valid';
  key: string;
  signature: string;
  self_signed: boolean;
  pem: string;
}

export interface Reason {
  code: string;
  text: string;
}

export interface MappingRow {
  row: number;
  group: string;
  role: string;
  problem: string | null;
  /** Users who got the role by this group at their last sign-in. */
  people: number | null;
}

export interface Warning {
  code: string;
  text: string;
  setting: SettingName | null;
}

export interface Settings {
  values: Record<SettingName, Value>;
  missing: string[];
  configured: boolean;
  enabled: boolean;
  certificates: Certificate[];
  service_provider: {
    acs_url: string | null;
    entity_id: string | null;
    name_id_format: string;
    sign_on_url: string | null;
    metadata_url: string;
  };
  mapping: MappingRow[];
  mapping_problem: string | null;
  placement: { deployment: string; tenant: string; from: string };
  roles: { name: string; label: string }[];
  warnings: Warning[];
  last_test: { id: string; at: string; passed: boolean; of_these_values: boolean } | null;
  password: { set: boolean; enabled: boolean };
  /** Of a draft only: what saving it would lock out. */
  lock_out?: Reason[];
}

/** What an identity provider's metadata says, and what it would change. */
export interface Metadata {
  entity_id: string;
  entry_point: string | null;
  bindings: string[];
  certificates: Certificate[];
  name_id_formats: string[];
  valid_until: string | null;
  warnings: string[];
  values: Partial<Record<SettingName, string>>;
  changes: { setting: SettingName; before: string | null; after: string | null }[];
}

export interface Check {
  id: string;
  title: string;
  state: 'passed' | 'failed' | 'not_reached' | 'not_checked';
  detail: string | null;
  setting: SettingName | null;
  expected: string | null;
  received: string | null;
  hint: string | null;
  remedy: string | null;
  cause: string | null;
}

export interface RoleRow {
  group: string;
  role: string | null;
  row: number | null;
  outcome: 'held' | 'new' | 'ignored' | 'near_miss' | 'unknown_role';
  why: string;
}

export interface RolesReport {
  synced: boolean;
  why_not: string | null;
  rows: RoleRow[];
  before: string[];
  after: string[];
  added: string[];
  removed: string[];
  no_admin_would_remain: boolean;
  notes: string[];
}

interface ReadAttribute {
  value: string;
  from: string;
  note: string | null;
}

/** What a dry run found: a test sign-in, or a response put into the assertion lab. */
export interface Report {
  verdict: 'signed_in' | 'refused';
  headline: string;
  explanation: string;
  cause: string | null;
  remedy: string | null;
  checks: Check[];
  attributes: {
    email: ReadAttribute | null;
    name: ReadAttribute | null;
    groups: { values: string[]; from: string[]; note: string | null };
    received: { name: string; values: string[] }[];
  } | null;
  person: {
    found_by: 'saml_account' | 'email' | 'new';
    email: string;
    name: string;
    status: string;
    tenant: string;
    note: string | null;
  } | null;
  roles: RolesReport | null;
  xml: string;
}

export interface Test {
  id: string;
  at: string;
  state: 'waiting' | 'done' | 'expired';
  report: Report | null;
  reference: string;
}

export interface Refusal {
  id: string;
  at: string;
  cause: string;
  title: string;
  message: string;
  expected: string | null;
  received: string | null;
  remedy: string | null;
  email: string | null;
  reference: string;
  test: boolean;
}
