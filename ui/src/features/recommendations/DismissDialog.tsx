import { useState } from 'react';
import { Button, Dialog, Field, Form, plural, toDay, useToday } from '@/shared';
import type { Act } from './act';
import type { Row } from './row';

/** Requests the reason, which is stored with the recommendation. */
export function DismissDialog({
  rows,
  onAct,
  onClose,
}: {
  rows: readonly Row[];
  onAct: (act: Act) => void;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const today = toDay(useToday());
  const [tried, setTried] = useState(false);
  const [first] = rows;
  const isOver = until !== '' && until < today;
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        rows.length === 1 && first ? `Dismiss “${first.title}”?` : `Dismiss ${plural(rows.length, 'recommendation')}?`
      }
      help="Dismissed recommendations no longer count as savings. You can reopen them at any time."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="destructive" type="submit" form="dismiss">
            Dismiss
          </Button>
        </>
      }
    >
      <Form
        id="dismiss"
        onSubmit={() => {
          setTried(true);
          if (reason.trim() === '' || isOver) return;
          onClose();
          onAct({ kind: 'dismiss', reason: reason.trim(), until: until === '' ? null : until });
        }}
      >
        <Field
          label="Reason"
          help="Visible to everyone who can see the recommendation."
          error={
            tried && reason.trim() === '' ? 'Enter a reason, for example “needed for the year-end run”' : undefined
          }
        >
          {(control) => (
            <input
              {...control}
              className="in"
              autoFocus
              autoComplete="off"
              maxLength={500}
              value={reason}
              onChange={(event) => {
                setReason(event.target.value);
              }}
            />
          )}
        </Field>
        <Field
          label="Until"
          help="If found again after this day, it reopens. Leave empty to dismiss it permanently."
          error={tried && isOver ? 'Choose today or a later day' : undefined}
        >
          {(control) => (
            <input
              {...control}
              className="in"
              type="date"
              min={today}
              value={until}
              onChange={(event) => {
                setUntil(event.target.value);
              }}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
