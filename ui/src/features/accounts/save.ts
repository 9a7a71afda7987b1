import { request } from '@/api';
import { AddAttribute, PutAccount, SetAttribute } from './queries';
import { ownerName, ownerOf } from './row';
import type { AccountRecord } from './row';

/** The account settings a user can change. */
export interface Settings {
  name: string;
  environment: AccountRecord['account_env'];
  owner: string;
  purpose: string;
  /** A decimal number; "0" for no budget. */
  budget: string;
}

export function settingsOf(stored: AccountRecord): Settings {
  return {
    name: stored.account_name,
    environment: stored.account_env,
    owner: ownerOf(stored)?.value ?? '',
    purpose: stored.account_purpose ?? '',
    budget: String(stored.budget ?? '0'),
  };
}

/** Validation problems, by field. */
export function problemsOf({ name, budget }: Settings): Partial<Record<keyof Settings, string>> {
  return {
    ...(name.trim() === '' ? { name: 'Enter a name, for example “aws-production”' } : {}),
    ...(/^\d+(\.\d+)?$/.test(budget.trim())
      ? {}
      : { budget: `“${budget}” is not an amount. Enter a number such as 40000 or 1250.50` }),
  };
}

export function sameSettings(a: Settings, b: Settings): boolean {
  return (Object.keys(a) as (keyof Settings)[]).every((name) => a[name].trim() === b[name].trim());
}

/** Writes the changed fields and returns the time of the change, for an undo. Fails if the account was changed since it was read. */
export async function save(stored: AccountRecord, before: Settings, after: Settings, read: string): Promise<string> {
  const { update_cloud_accounts: done } = await request(PutAccount, {
    id: stored.id,
    read,
    set: {
      account_name: after.name.trim(),
      account_env: after.environment,
      account_purpose: after.purpose.trim() || null,
      // Sent as the typed text, so that it stays exact: the API accepts numbers as text.
      budget: after.budget.trim(),
    },
  });
  const changed = done?.returning[0];
  if (!changed) throw new Error('Someone else changed it in the meantime');
  if (before.owner.trim() !== after.owner.trim()) await saveOwner(stored, after.owner.trim());
  return changed.updated_at;
}

async function saveOwner(stored: AccountRecord, owner: string): Promise<void> {
  const known = ownerOf(stored) ?? added.get(stored.id);
  if (known) await request(SetAttribute, { id: known.id, value: owner });
  else {
    const { insert_cloud_account_attrs_one: one } = await request(AddAttribute, {
      account: stored.id,
      name: ownerName,
      value: owner,
    });
    if (one) added.set(stored.id, one);
  }
}

/** Attributes that were added since the account was read: an undo changes them. */
const added = new Map<string, { id: string }>();
