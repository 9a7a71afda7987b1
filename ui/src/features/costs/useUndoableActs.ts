import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession, useWhyNot } from '@/api';
import type { ApiError } from '@/api';
import { toast } from '@/shared';

/** What an act came to. */
export interface Done {
  /** Of what is there afterwards; null where nothing is. */
  id: string | null;
  /** Brings back what was before. */
  back: () => Promise<unknown>;
  text: (name: string) => string;
}

/** Acts of people who keep the tenant; each can be undone while its toast is there. Answers the id of what is there afterwards. */
export function useUndoableActs<Act>({
  field,
  roles = ['tenant_admin'],
  words,
  nameOf,
  perform,
}: {
  /** What the interface must offer for any of it. */
  field: string;
  /** Who may; one of them is enough. */
  roles?: readonly string[];
  words: { readOnly: string; done: { undo: string; undone: (name: string) => string } };
  nameOf: (act: Act) => string;
  perform: (act: Act) => Promise<Done>;
}) {
  const client = useQueryClient();
  const session = useSession().data;
  const whyNot = useWhyNot()({ fields: [field] });
  const mayWrite = !session || session.roles.some((role) => roles.includes(role));
  const reason = whyNot ?? (mayWrite ? undefined : words.readOnly);
  const readAgain = () => client.invalidateQueries({ queryKey: ['graphql'] });
  const act = useMutation<string | null, ApiError, Act>({
    mutationFn: async (act) => {
      const { id, back, text } = await perform(act);
      await readAgain();
      const name = nameOf(act);
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
  return { act, reason, readAgain };
}
