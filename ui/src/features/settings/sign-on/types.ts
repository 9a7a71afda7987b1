import type { Rest } from '@/api';

/** Single sign-on types of the service: `routes/saml/…` of the server. Times are ISO 8601, UTC. */

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

/** One setting with the source of its value. Values are always texts: "true", a JSON object, PEM. */
export type Value = Rest.SamlSetting;
export type Certificate = Rest.Certificate;
export type Reason = Rest.LockOutReason;
export type MappingRow = Rest.MappingRow;

/** The settings by name; the service may have more. */
type OfSetting<Told extends { setting: unknown }> = Omit<Told, 'setting'> & { setting: SettingName | null };
export type Warning = OfSetting<Rest.SettingWarning>;

export type Settings = Omit<Rest.SamlSettings, 'values' | 'warnings'> & {
  values: Record<SettingName, Value>;
  warnings: Warning[];
};

/** The contents of an identity provider's metadata, and the changes it would make. */
export type Metadata = Omit<Rest.MetadataPreview, 'values' | 'changes'> & {
  values: Partial<Record<SettingName, string>>;
  changes: (Omit<Rest.SettingChange, 'setting'> & { setting: SettingName })[];
};

export type Check = OfSetting<Rest.CheckStep>;
export type RoleRow = Rest.RoleRow;
export type RolesReport = Rest.RoleEffect;

/** The result of a dry run: a test sign-in, or a response in the assertion lab. */
export type Report = Omit<Rest.SignInReport, 'checks'> & { checks: Check[] };
export type Test = Omit<Rest.TestSignIn, 'report'> & { report: Report | null };
export type Refusal = Rest.SignInRefusal;
