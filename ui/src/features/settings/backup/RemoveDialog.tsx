import { useState } from 'react';
import { Button, Dialog, Field, Form, Status, toast } from '@/shared';

/** Confirms a permanent deletion; if it is the only copy, by typing the name of the instance. */
export function RemoveDialog({
  title,
  help,
  confirm,
  remove,
  done,
  onClose,
}: {
  title: string;
  help: string;
  /** The name to type; null where a press is enough. */
  confirm: string | null;
  remove: () => Promise<unknown>;
  /** The message afterwards. */
  done: string;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const ready = confirm === null || typed.trim() === confirm;
  const submit = () => {
    if (!ready) return;
    setBusy(true);
    setFailed(null);
    remove().then(
      () => {
        toast({ tone: 'ok', text: done });
        onClose();
      },
      (error: unknown) => {
        setBusy(false);
        setFailed((error as Error).message);
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      help={help}
      actions={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button kind="destructive" type="submit" form="remove" disabled={!ready} busy={busy && 'Removing'}>
            Remove
          </Button>
        </>
      }
    >
      <Form id="remove" className="stack" onSubmit={submit}>
        {confirm !== null && (
          <Field label={`Type ${confirm} to remove`}>
            {(control) => (
              <input
                {...control}
                className="in"
                autoComplete="off"
                autoFocus
                placeholder={confirm}
                value={typed}
                onChange={(event) => {
                  setTyped(event.target.value);
                }}
              />
            )}
          </Field>
        )}
        {failed !== null && <Status tone="bad">{failed}</Status>}
      </Form>
    </Dialog>
  );
}
