import type { Draft } from './draft';
import type { SettingName, Settings } from './types';

/** Props of every section of the form. */
export interface FormProps {
  /** As it is saved. */
  settings: Settings;
  /** As it would be with the draft; the saved one until the service has answered. */
  view: Settings;
  draft: Draft;
  change: (changes: Draft) => void;
  /** Why the value of a setting cannot be used. */
  problem: (name: SettingName) => string | undefined;
}

/** Scrolls to the control of a setting and focuses it. */
export function goTo(anchor: string): void {
  const place = document.getElementById(anchor);
  place?.scrollIntoView({ block: 'center' });
  place?.querySelector<HTMLElement>('input, textarea, select, button')?.focus({ preventScroll: true });
}

const titles: Record<SettingName, string> = {
  SAML_ENABLED: 'Offer single sign-on',
  SAML_ENTRY_POINT: 'Login URL',
  SAML_ISSUER: 'Issuer',
  SAML_CERT: 'Signing certificate',
  SAML_AUDIENCE: 'Audience',
  APPAUTH_URL: 'Address of this service',
  SAML_GROUP_MAPPING: 'Groups to roles',
  SAML_SYNC_ROLES_ON_LOGIN: 'Update roles at every sign-in',
  SAML_REMOVE_OLD_ROLES: 'Remove roles that are no longer granted',
  SAML_INCLUDE_UNMAPPED_GROUPS: 'Use unmapped groups as role names',
  AUTH_DEFAULT_ROLE: 'Role of a new user',
  SAML_SIGN_REQUESTS: 'Sign requests',
};

/** The name of a setting as the page calls it. */
export function titleOf(name: SettingName): string {
  return titles[name];
}
