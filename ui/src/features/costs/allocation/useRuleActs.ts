import { request } from '@/api';
import { useUndoableActs } from '../useUndoableActs';
import type { Done } from '../useUndoableActs';
import { draftOf, rowOf } from './draft';
import type { Draft } from './draft';
import { AddRule, ChangeRule, RemoveRule } from './queries';
import type { Rule } from './queries';
import { words } from './words';

export type Act =
  { kind: 'add'; draft: Draft } | { kind: 'change'; rule: Rule; draft: Draft } | { kind: 'remove'; rule: Rule };

/** Adds, changes and removes rules; each action can be undone while its toast is shown. Returns the id of the resulting row. */
export function useRuleActs() {
  return useUndoableActs<Act>({
    field: 'insert_allocation_rule_one',
    words,
    nameOf: (act) => (act.kind === 'remove' ? act.rule.name : act.draft.name.trim()),
    perform,
  });
}

async function perform(act: Act): Promise<Done> {
  if (act.kind === 'add') {
    const answer = await request(AddRule, { rule: rowOf(act.draft) });
    const id = answer.insert_allocation_rule_one?.id ?? null;
    const back = () => (id === null ? Promise.resolve() : request(RemoveRule, { id }));
    return { id, back, text: words.done.added };
  }
  const { id } = act.rule;
  const before = { ...rowOf(draftOf(act.rule)), basis: act.rule.basis };
  if (act.kind === 'change') {
    await request(ChangeRule, { id, rule: rowOf(act.draft) });
    return { id, back: () => request(ChangeRule, { id, rule: before }), text: words.done.changed };
  }
  await request(RemoveRule, { id });
  return { id: null, back: () => request(AddRule, { rule: { id, ...before } }), text: words.done.removed };
}
