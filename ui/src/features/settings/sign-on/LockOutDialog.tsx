import type { ApiError } from '@/api';
import { Button, Dialog } from '@/shared';
import type { Reason } from './types';

/** The reasons why a change would lock people out, if the service asks for confirmation. */
export function reasonsOf(error: ApiError): Reason[] | null {
  const reasons = error.details['reasons'];
  return error.code === 'would_lock_out' && Array.isArray(reasons) ? (reasons as Reason[]) : null;
}

/** Asks for confirmation only if someone would be locked out, and shows who and why. */
export function LockOutDialog({
  title,
  reasons,
  confirm,
  busy,
  onConfirm,
  onClose,
}: {
  title: string;
  reasons: readonly Reason[];
  confirm: string;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      help="This would lock people out:"
      actions={
        <>
          <Button onClick={onClose}>Keep it as it is</Button>
          <Button kind="destructive" busy={busy && 'Saving'} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <ul className="stack tight">
        {reasons.map((reason) => (
          <li key={reason.code} className="row start">
            <span className="st warn" aria-hidden="true">
              •
            </span>
            {reason.text}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
