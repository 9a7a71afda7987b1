import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { chooseFolder, forgetFolder, lookAtFolder, readWatched, watchFolder, watchedKey } from '@/api';
import type { ApiError, WatchedFolder, WatchedFolders } from '@/api';
import { Button, Field, Panel, Status, dateTime, toast, useNow } from '@/shared';
import { useReadOnly } from '../readOnly';
import { BucketDialog } from './BucketDialog';
import { watchedWords as words } from './words';

/** Polling interval, in ms. */
const again = 10_000;

/** Folders whose new files are imported automatically, with their last and next check. Renders nothing if watching is not available. */
export function WatchedFolderPanel() {
  const reason = useReadOnly();
  const query = useQuery<WatchedFolders, ApiError>({
    queryKey: watchedKey,
    queryFn: ({ signal }) => readWatched(signal),
    enabled: reason === undefined,
    refetchInterval: again,
    retry: false,
  });
  const folders = query.data?.folders ?? [];
  const mayChoose = query.data?.may_choose === true;
  const mayAdd = query.data?.may_add_buckets === true;
  const [isAdding, setAdding] = useState(false);
  if (folders.length === 0 && !mayChoose && !mayAdd) return null;
  return (
    <Panel
      title={words.title}
      padded
      actions={
        mayAdd && (
          <Button
            onClick={() => {
              setAdding(true);
            }}
          >
            {words.addBucket}
          </Button>
        )
      }
    >
      <div className="stack">
        {folders.length === 0 && <p>{words.none}</p>}
        {folders.map((folder) => (
          <Folder key={folder.id} folder={folder} />
        ))}
        {mayChoose && <Choose />}
        <p className="small muted">{words.help}</p>
      </div>
      {isAdding && (
        <BucketDialog
          onClose={() => {
            setAdding(false);
          }}
        />
      )}
    </Panel>
  );
}

function useChange() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, () => Promise<unknown>>({
    mutationFn: (change) => change(),
    onError: (error) => {
      toast({ tone: 'bad', text: error.message });
    },
    onSettled: () => client.invalidateQueries({ queryKey: watchedKey }),
  });
}

function Folder({ folder }: { folder: WatchedFolder }) {
  const now = useNow();
  const change = useChange();
  const last = folder.last_run_at ? dateTime(folder.last_run_at, now) : words.never;
  const next = folder.next_run_at ? dateTime(folder.next_run_at, now) : words.atOnce;
  return (
    <section className="row start wrap" aria-label={folder.path}>
      <div className="grow stack tight">
        <p className="mono">{folder.path}</p>
        {folder.bucket?.endpoint && <p className="small muted mono">{folder.bucket.endpoint}</p>}
        {folder.error ? (
          <p role="alert">
            <Status tone="bad">{folder.error}</Status>
          </p>
        ) : (
          <Status tone="ok">{words.watching}</Status>
        )}
        <p className="small muted">{words.looks(last, next, folder.files_taken)}</p>
        {folder.bucket?.has_credentials_of_service && <p className="small muted">{words.credentialsOfService}</p>}
        {folder.asked_by !== 'person' && <p className="small muted">{words.askedBy[folder.asked_by]}</p>}
      </div>
      {folder.asked_by !== 'command' && (
        <Button
          disabled={change.isPending}
          onClick={() => {
            change.mutate(() => lookAtFolder(folder.id));
          }}
        >
          {words.look}
        </Button>
      )}
      {folder.asked_by !== 'setting' && (
        <Button
          disabled={change.isPending}
          onClick={() => {
            change.mutate(() => forgetFolder(folder.id));
          }}
        >
          {words.forget}
        </Button>
      )}
    </section>
  );
}

function Choose() {
  const [path, setPath] = useState('');
  const change = useChange();
  return (
    <form
      className="row end wrap"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(() => watchFolder(path), {
          onSuccess: () => {
            setPath('');
          },
        });
      }}
    >
      <div className="grow">
        <Field label={words.path}>
          {(control) => (
            <input
              {...control}
              className="in mono"
              value={path}
              placeholder={words.example}
              onChange={(event) => {
                setPath(event.target.value);
              }}
            />
          )}
        </Field>
      </div>
      <Button
        disabled={change.isPending}
        onClick={() => {
          chooseFolder().then(
            (chosen) => {
              if (chosen !== null) setPath(chosen);
            },
            (error: unknown) => {
              toast({ tone: 'bad', text: error instanceof Error ? error.message : String(error) });
            },
          );
        }}
      >
        {words.browse}
      </Button>
      <Button type="submit" disabled={path.trim() === '' || change.isPending}>
        {words.watch}
      </Button>
    </form>
  );
}
