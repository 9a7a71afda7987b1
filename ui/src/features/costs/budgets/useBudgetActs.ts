import { request } from '@/api';
import { useUndoableActs } from '../useUndoableActs';
import type { Done } from '../useUndoableActs';
import { draftOf, rowOf } from './draft';
import type { Draft } from './draft';
import { AddBudget, ChangeBudget, RemoveBudget } from './queries';
import type { Budget } from './queries';
import { words } from './words';

export type Act =
  { kind: 'add'; draft: Draft } | { kind: 'change'; budget: Budget; draft: Draft } | { kind: 'remove'; budget: Budget };

/** Adds, changes and removes budgets; each action can be undone while its toast is shown. Returns the id of the resulting row. */
export function useBudgetActs() {
  return useUndoableActs<Act>({
    field: 'insert_budget_one',
    words,
    nameOf: (act) => (act.kind === 'remove' ? act.budget.name : act.draft.name.trim()),
    perform,
  });
}

async function perform(act: Act): Promise<Done> {
  if (act.kind === 'add') {
    const answer = await request(AddBudget, { budget: rowOf(act.draft) });
    const id = answer.insert_budget_one?.id ?? null;
    const back = () => (id === null ? Promise.resolve() : request(RemoveBudget, { id }));
    return { id, back, text: words.done.added };
  }
  const id = act.budget.budget_id;
  const before = rowOf(draftOf(act.budget));
  if (act.kind === 'change') {
    await request(ChangeBudget, { id, budget: rowOf(act.draft) });
    return { id, back: () => request(ChangeBudget, { id, budget: before }), text: words.done.changed };
  }
  await request(RemoveBudget, { id });
  const owner = act.budget.owner === null ? {} : { owner: act.budget.owner };
  const back = () => request(AddBudget, { budget: { id, ...before, ...owner } });
  return { id: null, back, text: words.done.removed };
}
