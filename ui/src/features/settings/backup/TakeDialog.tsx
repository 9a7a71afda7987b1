import { useState } from 'react';
import { Button, Dialog, Field, Form, toast } from '@/shared';
import { leastPassphrase, useTake } from './queries';

/** Takes a backup, optionally with a passphrase, and stays open until it is verified. */
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
          Everything except models is written to one file, which is then opened and compared. Everyone can keep working
          meanwhile.
        </p>
        <Field
          label="Passphrase"
          help={`Leave it empty for an unencrypted file. With a passphrase, nobody can read the backup without it, and it cannot be recovered. At least ${String(leastPassphrase)} characters.`}
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
