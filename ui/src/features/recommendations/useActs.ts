import { useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSession, useWhyNot } from '@/api';
import { plural, toast, useCommands } from '@/shared';
import { doingWords, doneWords, each, failedWords, perform, undo } from './act';
import type { Act, RecommendationChange } from './act';
import type { Row } from './row';

export interface Acts {
  /** Why this person cannot change recommendations; undefined when they can. */
  reason: string | undefined;
  /** Current progress: "Resolving 12 of 40". */
  busy: string | false;
  run: (act: Act, rows: readonly Row[]) => Promise<void>;
}

/** Changes recommendations, one or many; each change can be undone for ten seconds, and by U until the next one. */
export function useActs(onDone: (rows: readonly Row[]) => void): Acts {
  const client = useQueryClient();
  const reason = useReason();
  const [busy, setBusy] = useState<string | false>(false);
  const [last, setLast] = useState<{ words: string; run: () => void } | null>(null);
  const closeToast = useRef<() => void>(() => undefined);
  const readAgain = () => client.invalidateQueries({ queryKey: ['graphql'] });

  const takeBack = async (changed: readonly RecommendationChange[]) => {
    closeToast.current();
    setLast(null);
    const { done, failed } = await each(changed, async (one) => {
      await undo(one);
      return one;
    });
    await readAgain();
    if (done.length > 0) toast({ tone: 'ok', text: `Undone: ${plural(done.length, 'recommendation')} as before` });
    if (failed.length > 0)
      toast({
        tone: 'bad',
        text: `${plural(failed.length, 'change')} could not be undone: ${failed[0]?.message ?? ''}`,
      });
  };
  const run = async (act: Act, rows: readonly Row[]) => {
    if (reason !== undefined || busy !== false || rows.length === 0) return;
    const progress = (done: number) => {
      setBusy(doingWords(act.kind, done, rows.length));
    };
    progress(0);
    const { done, failed } = await each(rows, (row) => perform(act, row), progress);
    await readAgain();
    setBusy(false);
    const changed = done.map(({ row }) => row);
    onDone(changed);
    if (failed.length > 0) toast({ tone: 'bad', text: failedWords(act.kind, failed) });
    if (done.length === 0) return;
    const words = doneWords(act, changed);
    const back = () => {
      void takeBack(done);
    };
    setLast({ words, run: back });
    closeToast.current = toast({ tone: 'ok', text: words, action: { label: 'Undo', run: back } });
  };
  useCommands(
    last ? [{ id: 'undo', title: `Undo: ${last.words}`, group: 'Do', keys: 'u', icon: Undo2, run: last.run }] : [],
  );
  return { reason, busy, run };
}

const changers = ['tenant_admin', 'account_admin'];

function useReason(): string | undefined {
  const session = useSession().data;
  const whyNot = useWhyNot()({ fields: ['recommendation_close', 'recommendation_assign'] });
  if (whyNot !== undefined) return whyNot;
  if (!session || session.roles.some((role) => changers.includes(role))) return undefined;
  return `Changing recommendations needs the role tenant_admin or account_admin; an administrator of ${session.tenant.name} can give it to you`;
}
