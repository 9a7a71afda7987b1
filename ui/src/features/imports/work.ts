import { ApiError } from '@/api';
import type { ImportReport, ImportStatus, UploadBatch } from '@/api';
import { createStore } from '@/shared/store';
import type { Store } from '@/shared/store';
import { secondsLeft } from './progress';

/**
 * Files on their way in. It outlives the pages: a file goes on while the person looks at something else.
 *
 * Files are sent one after another in the order they came, as the service imports them. Times come in from outside.
 */
export interface Work {
  /** Identifies the file in this window, before and after the service knows it. */
  key: string;
  /** Of the import, once the service has the file. */
  id: string | null;
  /** Files added together share it. */
  batch: number;
  /** The id of its batch at the service, if it has one. */
  drop: string | null;
  name: string;
  size: number;
  phase: 'queued' | 'sending' | 'waiting' | 'running' | 'stopping' | 'stopped' | 'refused' | 'ended';
  sent: number;
  read: { bytes: number; rows: number } | null;
  /** When the current step started, ms. */
  since: number;
  /** Seconds left in the current step; null while unknown. */
  left: number | null;
  report: ImportReport | null;
  /** Whether the service still has the bytes of the file. */
  fileKept: boolean;
  /** Why the file was refused, or why its state is unknown. */
  trouble: string | null;
}

/** The service functions this module needs. */
export interface Service {
  upload: (
    file: File,
    batch: UploadBatch | null,
    progress: (sent: number) => void,
    signal: AbortSignal,
  ) => Promise<string>;
  /** States that a batch has only this many files: the others were stopped or refused. */
  closeBatch: (batch: UploadBatch) => Promise<unknown>;
  cancel: (id: string) => Promise<unknown>;
}

interface Drop extends UploadBatch {
  /** Whether one of its files was stopped or refused and the service has not been told yet. */
  isShort: boolean;
}

interface Held {
  file: File;
  abort: AbortController;
  /** Null for a single file. */
  drop: Drop | null;
}

export interface Works {
  store: Store<readonly Work[]>;
  add(files: readonly File[]): void;
  /** Imports running at the service that this window does not know yet. */
  takeUp(found: readonly { id: string; name: string; size: number }[]): void;
  /** Handles the state of an import. Returns true if it has ended. */
  heard(status: ImportStatus): boolean;
  /** Handles a failed request for the state. */
  missed(id: string, error: ApiError): void;
  /** Updates an import that had ended: it was decided, completed by a later part, or undone. */
  renew(status: ImportStatus): void;
  /** The service has no such import any more. */
  forget(id: string): void;
  stop(key: string): Promise<void>;
  retry(key: string): void;
  /** Removes finished imports from the list; those waiting for a decision or for parts stay. */
  clear(): void;
  /** Forgets everything and stops sending, when the person signs out. */
  reset(): void;
}

const ended = new Set(['stopped', 'refused', 'ended']);
const running = new Set(['waiting', 'running']);

/** Whether the import waits for a decision or for further files. */
export function isPending(work: Work): boolean {
  return work.report?.state === 'needs_decision' || work.report?.state === 'waiting_for_parts';
}

/** The report with the current state of the import: the report is written once, and the import may have been undone since. */
export function reportOf({ report, state }: ImportStatus): ImportReport | null {
  return report && { ...report, state };
}

export function createWorks(service: Service, clock: () => number, newId: () => string): Works {
  const store = createStore<readonly Work[]>([]);
  const held = new Map<string, Held>();
  const drops = new Map<string, Drop>();
  let last = 0;

  const find = (key: string) => store.get().find((work) => work.key === key);
  const change = (key: string, to: Partial<Work>) => {
    store.set((all) => all.map((work) => (work.key === key ? { ...work, ...to } : work)));
  };
  const next = () => String((last += 1));

  function send(): void {
    if (store.get().some((work) => work.phase === 'sending')) return;
    const work = store.get().find((candidate) => candidate.phase === 'queued');
    const hold = work && held.get(work.key);
    if (!work || !hold) return;
    const { key } = work;
    const { drop } = hold;
    const since = clock();
    change(key, { phase: 'sending', sent: 0, since, left: null, trouble: null });
    service
      .upload(
        hold.file,
        drop && { id: drop.id, files: drop.files },
        (sent) => {
          change(key, { sent, left: secondsLeft(sent, work.size, since, clock()) });
        },
        hold.abort.signal,
      )
      .then((id) => {
        held.delete(key);
        // The list of the service may have contained it before its own response arrived.
        store.set((all) => all.filter((other) => other.id !== id));
        change(key, { id, phase: 'waiting', sent: work.size, since: clock(), left: null });
      })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'cancelled') return;
        leaveOut(key);
        change(key, { phase: 'refused', trouble: error instanceof Error ? error.message : String(error) });
      })
      .finally(() => {
        closeIfShort(drop);
        send();
      });
  }

  /** Continues the drop without the file. Uploaded again later, the file is on its own. */
  function leaveOut(key: string): Drop | null {
    const hold = held.get(key);
    if (!hold?.drop) return null;
    const { drop } = hold;
    drop.files -= 1;
    drop.isShort = true;
    hold.drop = null;
    return drop;
  }

  /** Once no file of the drop is running, tells the service how many there are. */
  function closeIfShort(drop: Drop | null): void {
    if (!drop?.isShort || drop.files === 0 || [...held.values()].some((other) => other.drop === drop)) return;
    drop.isShort = false;
    service.closeBatch({ id: drop.id, files: drop.files }).catch((error: unknown) => {
      // Retried when the service responds next.
      if (error instanceof ApiError && (error.status === 0 || error.status >= 500)) drop.isShort = true;
    });
  }

  return {
    store,
    add(files) {
      const batch = (last += 1);
      const drop: Drop | null = files.length > 1 ? { id: newId(), files: files.length, isShort: false } : null;
      if (drop) drops.set(drop.id, drop);
      const added = files.map((file): Work => {
        const key = next();
        held.set(key, { file, abort: new AbortController(), drop });
        const about = { name: file.name, size: file.size, drop: drop?.id ?? null };
        return { ...blank, ...about, key, batch, phase: 'queued', since: clock() };
      });
      store.set((all) => [...all, ...added]);
      send();
    },
    takeUp(found) {
      const known = new Set(store.get().map((work) => work.id));
      const added = found
        .filter(({ id }) => !known.has(id))
        .map(({ id, name, size }): Work => {
          const batch = (last += 1);
          return { ...blank, key: next(), id, batch, name, size, phase: 'waiting', sent: size, since: clock() };
        });
      if (added.length > 0) store.set((all) => [...added, ...all]);
    },
    heard(status) {
      const work = store.get().find((candidate) => candidate.id === status.id);
      if (!work || ended.has(work.phase) || work.phase === 'stopping') return false;
      if (work.drop) closeIfShort(drops.get(work.drop) ?? null);
      if (!running.has(status.state)) {
        change(work.key, {
          phase: 'ended',
          report: reportOf(status),
          fileKept: status.file_kept !== false,
          read: null,
          trouble: null,
        });
        return true;
      }
      const read = status.progress && { bytes: status.progress.bytes_read, rows: status.progress.rows_read };
      const now = clock();
      const phase = status.state === 'running' ? 'running' : 'waiting';
      const since = work.phase === phase ? work.since : now;
      const left = read && secondsLeft(read.bytes, work.size, since, now);
      change(work.key, { phase, read, since, left, trouble: null });
      return false;
    },
    missed(id, error) {
      const work = store.get().find((candidate) => candidate.id === id);
      if (!work || ended.has(work.phase)) return;
      // It was stopped elsewhere; nothing was written.
      if (error.status === 404) change(work.key, { phase: 'stopped', trouble: null });
      else change(work.key, { trouble: error.code === 'offline' ? interrupted : error.message, left: null });
    },
    renew(status) {
      const work = store.get().find((candidate) => candidate.id === status.id);
      if (work?.phase !== 'ended') return;
      if (running.has(status.state)) change(work.key, { phase: 'waiting', report: null, since: clock(), left: null });
      else change(work.key, { report: reportOf(status), fileKept: status.file_kept !== false });
    },
    forget(id) {
      store.set((all) => all.filter((work) => work.id !== id));
    },
    async stop(key) {
      const work = find(key);
      if (!work) return;
      const before = work.phase;
      if (before === 'queued' || before === 'sending') {
        held.get(key)?.abort.abort();
        const drop = leaveOut(key);
        held.delete(key);
        change(key, { phase: 'stopped' });
        closeIfShort(drop);
        send();
        return;
      }
      if (!work.id) return;
      change(key, { phase: 'stopping' });
      try {
        await service.cancel(work.id);
        change(key, { phase: 'stopped', read: null, trouble: null });
      } catch (error) {
        // It ended before it could be stopped, or the service does not answer: go on listening.
        const finished = error instanceof ApiError && error.code === 'finished';
        const trouble = error instanceof Error && !finished ? error.message : null;
        change(key, { phase: before, trouble });
      }
    },
    retry(key) {
      if (!held.has(key)) return;
      change(key, { phase: 'queued', trouble: null });
      send();
    },
    clear() {
      store.set((all) => all.filter((work) => !ended.has(work.phase) || isPending(work)));
    },
    reset() {
      for (const { abort } of held.values()) abort.abort();
      held.clear();
      drops.clear();
      store.set([]);
    },
  };
}

const interrupted = 'Continues when the service is back';

const blank = { id: null, drop: null, sent: 0, read: null, left: null, report: null, fileKept: true, trouble: null };
