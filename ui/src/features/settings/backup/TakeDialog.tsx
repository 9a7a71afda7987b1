import { useState } from 'react';
import { Button, Dialog, Field, Form, toast } from '@/shared';
import { leastPassphrase, useTake } from './queries';

/** Asks whether to close it with a passphrase, takes it, and stays until it is checked. */
export function TakeDialog({ onClose }: { onClose: () => void }) {
  const take = useTake();
  const [passphrase, setPassphrase] = useState('');
  const submit = () => {
    take.mutate(passphrase, {
      onSuccess: (backup) => {
        const sound = backup.check.state === 'verified';
        toast(
          sound
            ? { tone: 'ok', text: 'Backed up and verified' }
            : {
                tone: 'bad',
                text: `Backed up, but the check did not pass: ${'why' in backup.check ? backup.check.why : ''}`,
              },
        );
        onClose();
      },
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Back up now"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="take-backup" busy={take.isPending && 'Backing up'}>
            Take the backup
          </Button>
        </>
      }
    >
      <Form id="take-backup" className="stack" onSubmit={submit}>
        <p>
          Everything but models goes into one file, which is then opened again and compared. Everybody can go on working
          meanwhile.
        </p>
        <Field
          label="Passphrase"
          help={`Leave it empty for an open file. With one, nobody reads the backup without it: not even we can bring it back. At least ${String(leastPassphrase)} characters.`}
          error={take.error?.message}
        >
          {(control) => (
            <input
              {...control}
              className="in"
              type="password"
              autoComplete="new-password"
              autoFocus
              value={passphrase}
              onChange={(event) => {
                setPassphrase(event.target.value);
              }}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
