import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession, useWhyNot } from '@/api';
import type { ApiError } from '@/api';
import { toast } from '@/shared';

/** The result of an action. */
export interface Done {
  /** The id of the resulting row; null if there is none. */
  id: string | null;
  /** Restores the previous state. */
  back: () => Promise<unknown>;
  text: (name: string) => string;
}

/** Administrative actions; each can be undone while its toast is shown. Returns the id of the resulting row. */
export function useUndoableActs<Act>({
  field,
  roles = ['tenant_admin'],
  words,
  nameOf,
  perform,
}: {
  /** The API field that the actions need. */
  field: string;
  /** The roles that allow the actions; one is enough. */
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
