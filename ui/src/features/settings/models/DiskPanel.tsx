import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { isOwnWindow, openModelsFolder } from '@/api';
import { Button, Dialog, Field, Form, Panel, bytes, toast } from '@/shared';
import { CopyButton } from '../parts';
import { useMoveFolder } from './queries';
import type { Models } from './types';

/** The folder of an instance elsewhere, or of a service in a browser, is on another machine than the person, or may be. */
const isHere = isOwnWindow();

function openFolder() {
  openModelsFolder().catch((trouble: unknown) => {
    toast({ tone: 'bad', text: trouble instanceof Error ? trouble.message : String(trouble) });
  });
}

/** The models folder and its disk usage. */
export function DiskPanel({ of }: { of: Models }) {
  const [moving, setMoving] = useState(false);
  const begun = of.models.reduce((sum, { download }) => sum + (download?.kept_bytes ?? 0), 0);
  const whole = of.used_bytes + begun + of.reserved_bytes + (of.free_bytes ?? 0);
  const width = (part: number) => ({ width: `${String(whole ? (part / whole) * 100 : 0)}%` });
  return (
    <Panel
      title="Disk"
      padded
      actions={
        <>
          {isHere && (
            <Button size="small" onClick={openFolder}>
              <FolderOpen className="i s" />
              Open folder
            </Button>
          )}
          <Button
            size="small"
            onClick={() => {
              setMoving(true);
            }}
          >
            Move folder
          </Button>
        </>
      }
    >
      <span className="row start">
        <span className="muted wraps mono small grow">{of.folder}</span>
        <CopyButton text={of.folder} label="the path of the folder" iconOnly />
      </span>
      <div className="prog disk" aria-hidden="true">
        <i style={width(of.used_bytes + begun)} />
        <i className="reserved" style={width(of.reserved_bytes)} />
      </div>
      <div className="split small muted num">
        <span>
          {bytes(of.used_bytes)} used
          {begun > 0 && `, ${bytes(begun)} partly downloaded`}
          {of.reserved_bytes > 0 && `, ${bytes(of.reserved_bytes)} reserved`}
        </span>
        {of.free_bytes !== null && <span>{bytes(of.free_bytes)} free</span>}
      </div>
      {moving && (
        <MoveDialog
          from={of.folder}
          onClose={() => {
            setMoving(false);
          }}
        />
      )}
    </Panel>
  );
}

function MoveDialog({ from, onClose }: { from: string; onClose: () => void }) {
  const [path, setPath] = useState(from);
  const move = useMoveFolder();
  const [tried, setTried] = useState(false);
  const submit = () => {
    setTried(true);
    if (path.trim() === '') return;
    move.mutate(path.trim(), {
      onSuccess: () => {
        toast({ tone: 'ok', text: 'Moved the models folder' });
        onClose();
      },
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Move the models folder"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            form="move-models"
            disabled={path.trim() === from}
            busy={move.isPending && 'Moving'}
          >
            Move models
          </Button>
        </>
      }
    >
      <Form id="move-models" className="stack" onSubmit={submit}>
        <Field
          label="Folder"
          help="On the machine of the service. Everything is written there first; the old files go when the new ones are safe."
          error={tried && path.trim() === '' ? 'Enter the path of a folder' : move.error?.message}
        >
          {(control) => (
            <input
              {...control}
              className="in mono"
              autoFocus
              autoComplete="off"
              value={path}
              onChange={(event) => {
                setPath(event.target.value);
              }}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
