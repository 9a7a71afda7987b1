import { useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { useSession, useWhyNot } from '@/api';
import { plural, toast, useCommands } from '@/shared';
import { changedBy, doneWords, each, failedWords, perform, progressOf } from './act';
import type { Act, EventChange } from './act';
import type { Row } from './row';
import { acts, selection as words } from './words';

export interface Acts {
  /** Why this person cannot change events; undefined when they can. */
  reason: string | undefined;
  /** Current progress: "Resolving 12 of 40". */
  busy: string | false;
  run: (act: Act, rows: readonly Row[]) => Promise<void>;
  /** Stops before the next event; completed changes can still be undone. */
  stop: () => void;
}

/** Changes events, one or many; each change can be undone for ten seconds, and by U until the next one. */
export function useActs(onDone: (rows: readonly Row[]) => void): Acts {
  const client = useQueryClient();
  const reason = useReason();
  const [busy, setBusy] = useState<string | false>(false);
  const [last, setLast] = useState<{ words: string; run: () => void } | null>(null);
  const isBusy = useRef(false);
  const isStopped = useRef(false);
  const closeToast = useRef<() => void>(() => undefined);
  const readAgain = () => client.invalidateQueries({ queryKey: ['graphql'] });

  /** Processes each item, reports progress, and stops on request. */
  const atWork = <Item, Result>(doing: string, items: readonly Item[], work: (item: Item) => Promise<Result>) => {
    isBusy.current = true;
    isStopped.current = false;
    const progress = progressOf(doing, items.length, setBusy);
    progress(0);
    return each(items, work, progress, () => isStopped.current);
  };
  const takeBack = async (changed: readonly EventChange[]) => {
    if (isBusy.current) return;
    closeToast.current();
    setLast(null);
    const work = async ({ undo }: EventChange) => {
      await undo();
    };
    const { done, failed } = await atWork(words.undoing, changed, work);
    await readAgain();
    setBusy(false);
    isBusy.current = false;
    if (done.length > 0) toast({ tone: 'ok', text: `Undone: ${plural(done.length, 'event')} as before` });
    if (failed.length > 0)
      toast({
        tone: 'bad',
        text: `${plural(failed.length, 'change')} could not be undone: ${failed[0]?.message ?? ''}`,
      });
  };
  const run = async (act: Act, all: readonly Row[]) => {
    const rows = changedBy(act, all);
    if (reason !== undefined || isBusy.current || rows.length === 0) return;
    const { done, failed } = await atWork(acts[act.kind].doing, rows, (row) => perform(act, row));
    await readAgain();
    setBusy(false);
    isBusy.current = false;
    const changed = done.map(({ row }) => row);
    onDone(changed);
    if (failed.length > 0) toast({ tone: 'bad', text: failedWords(act.kind, failed) });
    if (done.length === 0) return;
    const told = doneWords(act.kind, changed);
    const back = () => {
      void takeBack(done);
    };
    setLast({ words: told, run: back });
    closeToast.current = toast({ tone: 'ok', text: told, action: { label: 'Undo', run: back } });
  };
  useCommands(
    last ? [{ id: 'undo', title: `Undo: ${last.words}`, group: 'Do', keys: 'u', icon: Undo2, run: last.run }] : [],
  );
  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  return { reason, busy, run, stop };
}

const changers = ['tenant_admin', 'account_admin'];

function useReason(): string | undefined {
  const session = useSession().data;
  const whyNot = useWhyNot()({ fields: ['event_update_nb_status', 'event_resolve'] });
  if (whyNot !== undefined) return whyNot;
  if (!session || session.roles.some((role) => changers.includes(role))) return undefined;
  return `Changing events needs the role tenant_admin or account_admin; an administrator of ${session.tenant.name} can give it to you`;
}
