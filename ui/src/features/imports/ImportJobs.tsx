import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { Suspense, lazy, useCallback, useEffect } from 'react';
import { FileUp } from 'lucide-react';
import { ApiError, hasNewlyEnded, readImport, useGraphQL, useSampleInFront, useSeesTenant } from '@/api';
import type { ImportStatus } from '@/api';
import { endJob, showJob, toast } from '@/shared';
import { useStore } from '@/shared/store';
import { dragged, useFileDrop } from './drop';
import './drop.css';
import { isOpen, overall } from './progress';
import { States, Unfinished } from './queries';
import { useReadOnly } from './readOnly';
import { useWaitingNotice } from './useWaitingNotice';
import { invitation, outcome } from './wording';
import { filesToPlace } from './whereTo';
import { works } from './works';

const WhereToDialog = lazy(() => import('./WhereToDialog').then((part) => ({ default: part.WhereToDialog })));

const page = '/imports';
/** Between two questions about an import that runs, ms. */
const pace = 400;

/**
 * Imports that outlive the page: takes files dropped anywhere, asks how they stand while any runs, tells status bar and pages.
 *
 * The frame shows it once for as long as somebody is signed in.
 */
export function ImportJobs() {
  const all = useStore(works.store);
  const navigate = useNavigate();
  const reason = useReadOnly();
  const sample = useSampleInFront();
  const isSample = sample !== undefined;
  const asked = useStore(filesToPlace);
  const unfinished = useGraphQL(Unfinished, {}, { enabled: useSeesTenant() }).data?.imports;
  useEffect(() => {
    if (unfinished) {
      for (const { id, state } of unfinished) if (waits(state)) waitedBefore.add(id);
      works.takeUp(unfinished.map((row) => ({ id: row.id, name: row.file_name, size: Number(row.size_bytes) })));
    }
  }, [unfinished]);
  useEffect(() => works.reset, []);
  useFileDrop(
    useCallback(
      (files: File[]) => {
        if (files.length === 0) return;
        if (reason) {
          toast({ tone: 'bad', text: reason });
          return;
        }
        if (isSample) {
          filesToPlace.set({ kind: 'files', files });
          return;
        }
        works.add(files);
        void navigate({ to: page });
      },
      [navigate, reason, isSample],
    ),
  );
  useWaitingNotice(all.some(({ phase }) => phase === 'running'));
  const line = overall(all);
  const title = line?.title;
  const done = line?.done ?? 0;
  useEffect(() => {
    if (title === undefined) endJob('imports');
    else showJob({ id: 'imports', title, done, page });
  }, [title, done]);
  const sending = all.some((work) => work.phase === 'sending' || work.phase === 'queued');
  useEffect(() => {
    if (!sending) return;
    // Files not uploaded yet would be lost with the page; the browser asks with its own text.
    const ask = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
    };
  }, [sending]);
  return (
    <>
      {all
        .filter((work) => work.id !== null && isOpen(work))
        .map((work) => (
          <Follow key={work.key} id={work.id ?? ''} />
        ))}
      <Recheck />
      <DropHint />
      {asked && sample && (
        <Suspense fallback={null}>
          <WhereToDialog what={asked} sample={sample.tenant} home={sample.home} />
        </Suspense>
      )}
    </>
  );
}

/** Imports that were already waiting for a decision when this window found them. */
const waitedBefore = new Set<string>();

function waits(state: string): boolean {
  return state === 'needs_decision' || state === 'waiting_for_parts';
}

/** Polls the state of one import until it ends. */
function Follow({ id }: { id: string }) {
  const client = useQueryClient();
  const router = useRouter();
  const { data, error, dataUpdatedAt, errorUpdatedAt } = useQuery<ImportStatus, ApiError>({
    queryKey: ['import', id, 'progress'],
    queryFn: ({ signal }) => readImport(id, signal),
    refetchInterval: pace,
    gcTime: 0,
    staleTime: 0,
  });
  useEffect(() => {
    if (!data || !works.heard(data)) return;
    if (hasNewlyEnded(data.id)) void client.invalidateQueries({ queryKey: ['graphql'] });
    if (router.state.location.pathname === page) return;
    const failed = data.state === 'failed' || data.state === 'nothing_read';
    // No notice for an import that was already waiting: the Overview and Imports list it.
    if (waits(data.state) && waitedBefore.has(data.id)) return;
    toast({
      tone: failed ? 'bad' : waits(data.state) ? 'info' : 'ok',
      text: `${data.file_name}: ${outcome(data.state, data.report)}`,
      action: { label: 'Show', run: () => void router.navigate({ to: page }) },
    });
  }, [client, router, data, dataUpdatedAt]);
  useEffect(() => {
    if (error) works.missed(id, error);
  }, [id, error, errorUpdatedAt]);
  return null;
}

/**
 * Keeps what has ended true: a decision, a later part or an undo, by whomever, changes how an import stands. Asked again whenever an import ends,
 * as every query of the pages is.
 */
function Recheck() {
  const all = useStore(works.store);
  const ended = all.filter((work) => work.phase === 'ended' && work.id !== null);
  const ids = ended.map((work) => work.id ?? '').sort();
  const states = useGraphQL(States, { ids }, { enabled: ids.length > 0 });
  const rows = states.isPlaceholderData ? undefined : states.data?.imports;
  useEffect(() => {
    if (!rows) return;
    const now = new Map(rows.map((row) => [row.id, row.state]));
    for (const work of works.store.get()) {
      if (work.phase !== 'ended' || work.id === null) continue;
      const state = now.get(work.id);
      // If the service does not respond now, the state is checked when the next import ends.
      if (state !== work.report?.state) void readImport(work.id).then(works.renew, forgetMissing(work.id));
    }
  }, [rows]);
  return null;
}

/** Removes an import from the list that was discarded elsewhere. */
const forgetMissing = (id: string) => (error: unknown) => {
  if (error instanceof ApiError && error.status === 404) works.forget(id);
};

/** Shows what dropping the files will do, on pages without a drop zone. */
function DropHint() {
  const files = useStore(dragged);
  const router = useRouter();
  if (files === null || router.state.location.pathname === page) return null;
  return (
    <div className="drophint">
      <FileUp className="i l" />
      <b>{invitation(files)}</b>
    </div>
  );
}
