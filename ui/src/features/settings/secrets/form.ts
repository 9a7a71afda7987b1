import type { SecretRequest } from './queries';

/** The values of the form. */
export interface SecretDraft {
  name: string;
  value: string;
  hosts: string;
}

export const noDraft: SecretDraft = { name: '', value: '', hosts: '' };

/** Hosts as people type them: one a line, or with commas. */
export function hostsOf(typed: string): string[] {
  return typed
    .split(/[\s,]+/)
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
}

/** The request. Without hosts, the service sets the default hosts of a new token; an existing secret keeps its value unless another is typed. */
export function requestOf(draft: SecretDraft, isKnown: boolean): SecretRequest {
  const typed = hostsOf(draft.hosts);
  return {
    name: draft.name.trim(),
    ...(draft.value === '' ? {} : { value: draft.value }),
    ...(typed.length === 0 && !isKnown ? {} : { hosts: typed }),
  };
}

/** The reference to a secret in definitions. */
export function namedAs(name: string): string {
  return `{{ Secrets.${name.trim() === '' ? 'NAME' : name.trim()} }}`;
}

const names = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const hosts = /^(\*\.)?[^\s/@*?#:]+$/;

/** Validation problems by field; `known` is the secret being edited. */
export function problemsOf(
  draft: SecretDraft,
  taken: readonly string[],
  known?: string,
): Partial<Record<keyof SecretDraft, string>> {
  const name = draft.name.trim();
  const wrong = hostsOf(draft.hosts).find((host) => !hosts.test(host) && !host.startsWith('['));
  return {
    ...(names.test(name) ? {} : { name: 'Letters, digits and _, a letter first, 64 at most, such as GITHUB_TOKEN.' }),
    ...(known === undefined && taken.includes(name)
      ? { name: `A secret ${name} already exists: change it in its row.` }
      : {}),
    ...(wrong === undefined
      ? {}
      : { hosts: `${wrong} is not a host. Enter api.github.com, or *.example.com for all its subdomains.` }),
    ...(known === undefined && draft.value === '' && hostsOf(draft.hosts).length === 0
      ? { value: 'Enter the secret, or the hosts to which the one from the environment of the service may be sent.' }
      : {}),
  };
}
