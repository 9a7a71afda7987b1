import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request, useSession, useWhyNot } from '@/api';
import type { ApiError } from '@/api';
import { toast } from '@/shared';
import { draftOf, rowOf } from './draft';
import type { Draft } from './draft';
import { AddBudget, ChangeBudget, RemoveBudget } from './queries';
import type { Budget } from './queries';
import { words } from './words';

export type Act =
  { kind: 'add'; draft: Draft } | { kind: 'change'; budget: Budget; draft: Draft } | { kind: 'remove'; budget: Budget };

/** Adds, changes and removes budgets; each act can be undone while its toast is there. Answers the id of what is there afterwards. */
export function useBudgetActs() {
  const client = useQueryClient();
  const session = useSession().data;
  const whyNot = useWhyNot()({ fields: ['insert_budget_one'] });
  const mayWrite = !session || session.roles.includes('tenant_admin');
  const reason = whyNot ?? (mayWrite ? undefined : words.readOnly);
  const readAgain = () => client.invalidateQueries({ queryKey: ['graphql'] });
  const act = useMutation<string | null, ApiError, Act>({
    mutationFn: async (act) => {
      const { id, back, text } = await perform(act);
      await readAgain();
      const name = act.kind === 'remove' ? act.budget.name : act.draft.name.trim();
      const undo = () => {
        back()
          .then(readAgain)
          .then(() => toast({ tone: 'ok', text: words.done.undone(name) }))
          .catch((error: unknown) => {
            toast({ tone: 'bad', text: (error as Error).message });
          });
      };
      toast({ tone: 'ok', text: text(name), action: { label: words.done.undo, run: undo } });
      return id;
    },
  });
  return { act, reason };
}

interface Done {
  id: string | null;
  /** Brings back what was before. */
  back: () => Promise<unknown>;
  text: (name: string) => string;
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
