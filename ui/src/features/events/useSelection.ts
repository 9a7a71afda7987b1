import { useMemo, useRef, useState } from 'react';
import { toast } from '@/shared';
import { progressOf } from './act';
import type { Row } from './row';
import { selection as words } from './words';

/** State of selecting the whole list. */
export interface WholeSelection {
  /** How far it is read: "Reading 4,000 of 20,039". */
  busy: string | false;
  select: (total: number) => void;
  stop: () => void;
}

/** The selected events, including those no longer loaded. `readAll` loads the whole list. */
export function useSelection(
  rows: readonly Row[] | undefined,
  readAll: (onProgress: (read: number) => boolean) => Promise<readonly Row[]>,
) {
  const [kept, setKept] = useState<ReadonlyMap<string, Row>>(new Map());
  const [busy, setBusy] = useState<string | false>(false);
  const isStopped = useRef(false);
  const here = useMemo(() => new Map(rows?.map((row) => [row.id, row])), [rows]);
  const select = (ids: ReadonlySet<string>) => {
    setKept(new Map([...ids].flatMap((id) => withRow(id, here.get(id) ?? kept.get(id)))));
  };
  const deselect = (gone: readonly Row[]) => {
    const ids = new Set(gone.map(({ id }) => id));
    setKept((before) => new Map([...before].filter(([id]) => !ids.has(id))));
  };
  const selectAll = async (total: number) => {
    isStopped.current = false;
    const progress = progressOf(words.reading, total, setBusy);
    progress(0);
    try {
      const all = await readAll((read) => {
        progress(read);
        return !isStopped.current;
      });
      if (!isStopped.current) setKept(new Map(all.map((row) => [row.id, row])));
    } catch (error) {
      toast({ tone: 'bad', text: words.failed((error as Error).message) });
    }
    setBusy(false);
  };
  const selected = useMemo(() => new Set(kept.keys()), [kept]);
  // A reloaded row has the current state.
  const chosen = useMemo(() => [...kept].map(([id, row]) => here.get(id) ?? row), [kept, here]);
  const whole: WholeSelection = {
    busy,
    select: (total) => {
      void selectAll(total);
    },
    stop: () => {
      isStopped.current = true;
    },
  };
  return { selected, select, deselect, chosen, whole };
}

function withRow(id: string, row: Row | undefined): [string, Row][] {
  return row ? [[id, row]] : [];
}
