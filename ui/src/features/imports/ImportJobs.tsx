import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { FileUp } from 'lucide-react';
import { hasNewlyEnded, readImport, useGraphQL } from '@/api';
import type { ApiError, ImportStatus } from '@/api';
import { endJob, showJob, toast } from '@/shared';
import { useStore } from '@/shared/store';
import { dragged, useFileDrop } from './drop';
import './drop.css';
import { isOpen, overall } from './progress';
import { Unfinished } from './queries';
import { useReadOnly } from './readOnly';
import { invitation, outcome } from './wording';
import { works } from './works';

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
  const unfinished = useGraphQL(Unfinished, {}).data?.imports;
  useEffect(() => {
    if (unfinished) {
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
        works.add(files);
        void navigate({ to: page });
      },
      [navigate, reason],
    ),
  );
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
    // A file that is not sent yet would be lost with the page; the browser asks in its own words.
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
      <DropHint />
    </>
  );
}

/** Asks how one import stands until it ends. */
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
    const failed = data.state === 'failed';
    toast({
      tone: failed ? 'bad' : 'ok',
      text: `${data.file_name}: ${outcome(data.state, data.report)}`,
      action: { label: 'Show', run: () => void router.navigate({ to: page }) },
    });
  }, [client, router, data, dataUpdatedAt]);
  useEffect(() => {
    if (error) works.missed(id, error);
  }, [id, error, errorUpdatedAt]);
  return null;
}

/** Says what letting go of the files will do, on pages that have no place for them. */
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
