import { createStore, useStore } from '@/shared';
import { keptName } from '@/shared/place';
import { settingNames } from './types';
import type { SettingName, Settings } from './types';

/** Unsaved changes: the new text of a setting, or null to remove the saved one. Omitted settings do not change. */
export type Draft = Partial<Record<SettingName, string | null>>;

const key = keptName('quarterdeck.sign-on.draft');

/** A draft survives navigation and a restart; it contains no secrets. Invalid stored drafts are dropped. */
function kept(): Draft {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown>;
    return Object.fromEntries(
      settingNames
        .filter((name) => typeof found[name] === 'string' || found[name] === null)
        .map((name) => [name, found[name]]),
    );
  } catch {
    return {};
  }
}

const store = createStore<Draft>(kept());

export function useDraft(): Draft {
  return useStore(store);
}

export function setDraft(draft: Draft): void {
  store.set(draft);
  try {
    if (Object.keys(draft).length > 0) localStorage.setItem(key, JSON.stringify(draft));
    else localStorage.removeItem(key);
  } catch {
    // Without storage the draft lives as long as the page.
  }
}

/** The draft with these changes; a change back to the effective value is dropped. */
export function withChanges(draft: Draft, changes: Draft, settings: Settings): Draft {
  const next: Draft = { ...draft, ...changes };
  for (const name of settingNames) {
    const change = next[name];
    if (change === undefined) continue;
    const { value, source } = settings.values[name];
    const same = change === null ? source !== 'saved' : change === (value ?? '');
    if (same) Reflect.deleteProperty(next, name);
  }
  return next;
}

/** The text of a setting with the draft applied; empty if there is none. */
export function textOf(name: SettingName, draft: Draft, settings: Settings): string {
  const change = draft[name];
  const { value, environment, default: fallback } = settings.values[name];
  if (change === undefined) return value ?? '';
  return change ?? environment ?? fallback ?? '';
}

export function isOn(name: SettingName, draft: Draft, settings: Settings): boolean {
  return textOf(name, draft, settings).trim().toLowerCase() === 'true';
}
