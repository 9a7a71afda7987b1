import { useState } from 'react';
import { useWhyNot } from '@/api';
import { Button, Dialog, Status, dateOf, toast, useNow } from '@/shared';
import { Switch } from '../parts';
import { PassphraseDialog } from './PassphraseDialog';
import { useForgetPassphrase } from './queries';
import type { Backups, ClosedBy } from './queries';

/** Encryption of automatic backups, and its passphrase. Takes effect at once, not with the schedule. */
export function Encryption({ data: { closes, closed_by: by } }: { data: Backups }) {
  const now = useNow();
  const whyNot = useWhyNot();
  const [asked, setAsked] = useState<'give' | 'change' | 'stop' | null>(null);
  const onClose = () => {
    setAsked(null);
  };
  const reason = notHere(by) ?? whyNot();
  return (
    <>
      <div className="split encryption">
        <Switch
          label="Encrypt automatic backups"
          on={closes}
          reason={reason}
          onChange={(on) => {
            setAsked(on ? 'give' : 'stop');
          }}
        >
          {by?.kind === 'stored' ? (
            <>
              Without the passphrase nobody can read a backup: keep a copy elsewhere. Stored{' '}
              {by.at !== null && dateOf(by.at, now)} by {by.by ?? 'somebody'}.
            </>
          ) : closes ? (
            'Without the passphrase nobody can read a backup.'
          ) : (
            'Anyone with the file can read scheduled and pre-restore backups.'
          )}
        </Switch>
        {by?.kind === 'stored' && (
          <Button
            size="small"
            reason={reason}
            onClick={() => {
              setAsked('change');
            }}
          >
            Change passphrase
          </Button>
        )}
      </div>
      {(asked === 'give' || asked === 'change') && (
        <PassphraseDialog isAnother={asked === 'change'} onClose={onClose} />
      )}
      {asked === 'stop' && <StopDialog onClose={onClose} />}
    </>
  );
}

/** Why it is not switched on this page; undefined where it is. */
function notHere(by: ClosedBy | null | undefined): string | undefined {
  if (by === undefined)
    return 'This instance runs an older version, where only the setting backup_passphrase_file encrypts them.';
  if (by?.kind === 'file')
    return 'Switched on by the setting backup_passphrase_file: the passphrase is the first line of that file.';
  return undefined;
}

function StopDialog({ onClose }: { onClose: () => void }) {
  const forget = useForgetPassphrase();
  return (
    <Dialog
      open
      onClose={onClose}
      title="Stop encrypting backups?"
      help="Anyone with the file can then read new scheduled and pre-restore backups. Existing backups stay encrypted and need the passphrase they were made with."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="destructive"
            busy={forget.isPending && 'Switching off'}
            onClick={() => {
              forget.mutate(undefined, {
                onSuccess: () => {
                  toast({ tone: 'ok', text: 'Backups are no longer encrypted' });
                  onClose();
                },
              });
            }}
          >
            Switch it off
          </Button>
        </>
      }
    >
      {forget.error && <Status tone="bad">{forget.error.message}</Status>}
    </Dialog>
  );
}
