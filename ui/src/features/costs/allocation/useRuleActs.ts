import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request, useSession, useWhyNot } from '@/api';
import type { ApiError } from '@/api';
import { toast } from '@/shared';
import { draftOf, rowOf } from './draft';
import type { Draft } from './draft';
import { AddRule, ChangeRule, RemoveRule } from './queries';
import type { Rule } from './queries';
import { words } from './words';

export type Act =
  { kind: 'add'; draft: Draft } | { kind: 'change'; rule: Rule; draft: Draft } | { kind: 'remove'; rule: Rule };

/** Adds, changes and removes rules; each act can be undone while its toast is there. Answers the id of what is there afterwards. */
export function useRuleActs() {
  const client = useQueryClient();
  const session = useSession().data;
  const whyNot = useWhyNot()({ fields: ['insert_allocation_rule_one'] });
  const mayWrite = !session || session.roles.includes('tenant_admin');
  const reason = whyNot ?? (mayWrite ? undefined : words.readOnly);
  const readAgain = () => client.invalidateQueries({ queryKey: ['graphql'] });
  const act = useMutation<string | null, ApiError, Act>({
    mutationFn: async (act) => {
      const { id, back, text } = await perform(act);
      await readAgain();
      const name = act.kind === 'remove' ? act.rule.name : act.draft.name.trim();
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
