import type { Json } from '@/api';
import type { Filter } from '@/shared';
import { filtersOf, scopeOf } from '../scope';
import type { Rule } from './queries';
import { words } from './words';

export const methods = ['even', 'fixed', 'cost', 'usage'] as const;
export type Method = (typeof methods)[number];

/** A rule in the form: the texts of its fields. */
export interface Draft {
  name: string;
  position: string;
  scope: Filter[];
  /** The key that charges lack. */
  untagged: string;
  method: Method;
  target: string;
  /** One a line: a name, and a percentage where shares are fixed. */
  shares: string;
  number: string;
  isActive: boolean;
}

export function newDraft(position: number): Draft {
  return {
    name: '',
    position: String(position),
    scope: [],
    untagged: '',
    method: 'cost',
    target: 'tags.team',
    shares: '',
    number: '',
    isActive: true,
  };
}

function objectOf(value: Json): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

export function draftOf(rule: Rule): Draft {
  const { untagged, ...scope } = objectOf(rule.scope);
  const method = methods.find((one) => one === rule.method) ?? 'even';
  const shares = Object.entries(objectOf(rule.shares));
  return {
    name: rule.name,
    position: String(rule.position),
    scope: filtersOf(scope as Json),
    untagged: Array.isArray(untagged) ? untagged.filter((key) => typeof key === 'string').join(', ') : '',
    method,
    target: rule.target,
    shares: shares.map(([name, weight]) => (method === 'fixed' ? `${name} ${String(weight)}` : name)).join('\n'),
    number: rule.number_name ?? '',
    isActive: rule.is_active,
  };
}

/** The shares of a text; null when a line cannot be read. */
export function sharesOf(text: string, method: Method): Record<string, number> | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const shares: Record<string, number> = {};
  for (const line of lines) {
    if (method !== 'fixed') {
      shares[line] = 1;
      continue;
    }
    const [, name, percent] = /^(.+?)[\s:=]+(\d+(?:[.,]\d+)?)\s*%?$/.exec(line) ?? [];
    if (name === undefined || percent === undefined) return null;
    shares[name.trim()] = Number(percent.replace(',', '.'));
  }
  return shares;
}

export type Problems = Partial<Record<'name' | 'scope' | 'shares' | 'number', string>>;

/** Validation problems of a draft, by field; the service validates it again. */
export function problemsOf(draft: Draft): Problems {
  const named = draft.method === 'even' || draft.method === 'fixed';
  const shares = named ? sharesOf(draft.shares, draft.method) : {};
  const total = Object.values(shares ?? {}).reduce((sum, share) => sum + share, 0);
  const isWrong = shares === null || (draft.method === 'fixed' && total > 100);
  const isEmpty = named && shares !== null && Object.keys(shares).length === 0;
  return {
    ...(draft.name.trim() === '' ? { name: words.panel.nameMissing } : {}),
    ...(draft.scope.length === 0 && draft.untagged.trim() === '' ? { scope: words.panel.scopeMissing } : {}),
    ...(isWrong ? { shares: words.panel.sharesWrong } : isEmpty ? { shares: words.panel.sharesMissing } : {}),
    ...(draft.method === 'usage' && draft.number.trim() === '' ? { number: words.panel.numberMissing } : {}),
  };
}

/** The row in the format of the service. */
export function rowOf(draft: Draft) {
  const untagged = draft.untagged
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  const named = draft.method === 'even' || draft.method === 'fixed';
  return {
    name: draft.name.trim(),
    position: Number(draft.position) || 1,
    scope: { ...scopeOf(draft.scope), ...(untagged.length > 0 ? { untagged } : {}) },
    method: draft.method,
    target: draft.target.trim(),
    shares: named ? (sharesOf(draft.shares, draft.method) ?? {}) : {},
    number_name: draft.method === 'usage' ? draft.number.trim() : null,
    is_active: draft.isActive,
  };
}
