import { useState } from 'react';
import { Button, Dialog, Field, Form, toast } from '@/shared';
import { leastPassphrase, useGivePassphrase } from './queries';

/** Sets the passphrase of automatic backups; it is typed twice, because it is never shown again. */
export function PassphraseDialog({ isAnother, onClose }: { isAnother: boolean; onClose: () => void }) {
  const give = useGivePassphrase();
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const length = [...passphrase].length;
  const short =
    length < leastPassphrase &&
    `It has ${String(length)} characters; at least ${String(leastPassphrase)} are required.`;
  const submit = () => {
    setTried(true);
    if (short || passphrase !== again) return;
    give.mutate(passphrase, {
      onSuccess: () => {
        toast({ tone: 'ok', text: isAnother ? 'Passphrase changed' : 'Backups are encrypted from now on' });
        onClose();
      },
    });
  };
  const field = (value: string, change: (value: string) => void) => ({
    className: 'in',
    type: 'password',
    autoComplete: 'new-password',
    value,
    onChange: (event: { target: { value: string } }) => {
      change(event.target.value);
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={isAnother ? 'Change the passphrase' : 'Encrypt automatic backups'}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="passphrase" busy={give.isPending && 'Storing'}>
            {isAnother ? 'Store the new passphrase' : 'Encrypt from now on'}
          </Button>
        </>
      }
    >
      <Form id="passphrase" className="stack" onSubmit={submit}>
        <p>
          {isAnother
            ? 'Scheduled and pre-restore backups use it from the next one on. Existing backups still need the passphrase they were made with.'
            : 'Scheduled and pre-restore backups are encrypted with a passphrase. It is stored here, encrypted with this instance’s key, and never shown: keep a copy elsewhere.'}
        </p>
        <Field
          label="Passphrase"
          help={`Without it nobody can read the backups, and it cannot be recovered. At least ${String(leastPassphrase)} characters.`}
          error={(tried && short) || give.error?.message}
        >
          {(control) => <input {...control} {...field(passphrase, setPassphrase)} autoFocus />}
        </Field>
        <Field label="Repeat passphrase" error={tried && passphrase !== again ? 'The passphrases differ.' : undefined}>
          {(control) => <input {...control} {...field(again, setAgain)} />}
        </Field>
      </Form>
    </Dialog>
  );
}
