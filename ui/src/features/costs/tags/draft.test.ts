import { describe, expect, it } from 'vitest';
import { draftOf, keyOf, newRule, newTag, problemsOf, rowOf } from './draft';
import type { VirtualTag } from './queries';

const stored: VirtualTag = {
  id: '1',
  key: 'stage',
  name: 'Stage',
  rules: [
    { scope: { service_name: ['Amazon EC2'], 'tags.team': ['web'], untagged: ['env'] }, value: 'prod' },
    { scope: { resource_name_contains: ['-db-', 'sql'] }, value: 'data' },
    { scope: {}, tags: ['env', 'Env'] },
  ],
  other_value: 'shared',
  position: 1,
  is_active: true,
};

describe('the draft of a virtual tag', () => {
  it('gives the row it was read from', () => {
    const { key, name, rules, other_value, is_active } = stored;
    expect(rowOf(draftOf(stored))).toEqual({ key, name, rules, other_value, is_active });
  });

  it('begins out of the spellings of a key', () => {
    const draft = newTag(['env', 'Env']);
    expect(problemsOf(draft)).toEqual({});
    expect(rowOf(draft)).toMatchObject({ key: 'env', name: 'Env', rules: [{ scope: {}, tags: ['env', 'Env'] }] });
  });

  it('says what is missing, rule by rule', () => {
    const draft = { ...newTag([]), rules: [newRule(['virtual:stage']), newRule(['env']), newRule()] };
    const { name, key, rules } = problemsOf(draft);
    expect([name, key].every((problem) => problem !== undefined)).toBe(true);
    expect(rules?.map((found) => Object.keys(found))).toEqual([['tags'], [], ['value']]);
  });

  it('makes a key of a name', () => {
    expect(keyOf(' Cost center (EU) ')).toBe('cost-center-eu');
  });
});
