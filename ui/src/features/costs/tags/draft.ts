import type { Json } from '@/api';
import type { Filter } from '@/shared';
import { filtersOf, scopeOf } from '../scope';
import type { VirtualTag } from './queries';
import { words } from './words';

/** A rule in the form: the texts of its fields. */
export interface RuleDraft {
  scope: Filter[];
  /** The keys that charges lack, separated by commas. */
  untagged: string;
  /** Parts of names of resources, separated by commas. */
  resource: string;
  gives: 'value' | 'tags';
  value: string;
  /** Keys of tags, separated by commas. */
  tags: string;
}

export interface TagDraft {
  name: string;
  key: string;
  rules: RuleDraft[];
  other: string;
  isActive: boolean;
}

export function newRule(keys: readonly string[] = []): RuleDraft {
  const gives = keys.length > 0 ? 'tags' : 'value';
  return { scope: [], untagged: '', resource: '', gives, value: '', tags: keys.join(', ') };
}

/** A new tag: empty, or from the spellings of one key. */
export function newTag(keys: readonly string[]): TagDraft {
  const first = keys[0] ?? '';
  const name = first === '' ? '' : first.slice(0, 1).toUpperCase() + first.slice(1);
  return { name, key: keyOf(first), rules: [newRule(keys)], other: '', isActive: true };
}

/** A key out of a name: `Cost center` is `cost-center`. */
export function keyOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
}

/** The parts of a comma-separated text. */
export function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const objectOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

const textsOf = (value: unknown): string =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string').join(', ');

function ruleDraft(rule: unknown): RuleDraft {
  const { scope, value, tags } = objectOf(rule);
  const { untagged, resource_name_contains: resource, ...rest } = objectOf(scope);
  return {
    scope: filtersOf(rest as Json),
    untagged: textsOf(untagged),
    resource: textsOf(resource),
    gives: tags === undefined ? 'value' : 'tags',
    value: typeof value === 'string' ? value : '',
    tags: textsOf(tags),
  };
}

export function draftOf(tag: VirtualTag): TagDraft {
  return {
    name: tag.name,
    key: tag.key,
    rules: (Array.isArray(tag.rules) ? tag.rules : []).map(ruleDraft),
    other: tag.other_value ?? '',
    isActive: tag.is_active,
  };
}

export type RuleProblems = Partial<Record<'value' | 'tags', string>>;
export type TagProblems = Partial<Record<'name' | 'key', string>> & { rules?: RuleProblems[] };

function ruleProblems({ gives, value, tags }: RuleDraft): RuleProblems {
  if (gives === 'value') return value.trim() === '' ? { value: words.panel.valueMissing } : {};
  const keys = partsOf(tags);
  const isWrong = keys.length === 0 || keys.some((key) => key.startsWith('virtual:'));
  return isWrong ? { tags: words.panel.tagsMissing } : {};
}

/** Validation problems of a draft, by field; the service validates it again. */
export function problemsOf(draft: TagDraft): TagProblems {
  const rules = draft.rules.map(ruleProblems);
  return {
    ...(draft.name.trim() === '' ? { name: words.panel.nameMissing } : {}),
    ...(/^[A-Za-z0-9_-]{1,60}$/.test(draft.key.trim()) ? {} : { key: words.panel.keyWrong }),
    ...(rules.some((found) => Object.keys(found).length > 0) ? { rules } : {}),
  };
}

function ruleOf({ scope, untagged, resource, gives, value, tags }: RuleDraft) {
  const [lacks, parts] = [partsOf(untagged), partsOf(resource)];
  return {
    scope: {
      ...scopeOf(scope),
      ...(lacks.length > 0 ? { untagged: lacks } : {}),
      ...(parts.length > 0 ? { resource_name_contains: parts } : {}),
    },
    ...(gives === 'value' ? { value: value.trim() } : { tags: partsOf(tags) }),
  };
}

/** The row in the format of the service. */
export function rowOf(draft: TagDraft) {
  const other = draft.other.trim();
  return {
    key: draft.key.trim(),
    name: draft.name.trim(),
    rules: draft.rules.map(ruleOf),
    other_value: other === '' ? null : other,
    is_active: draft.isActive,
  };
}
