import { useRef, useState } from 'react';
import { Button, Dialog, Field, Form, dateTime, fromField, plural, toField, useNow, zone } from '@/shared';
import type { Act } from './act';
import type { Row } from './row';

export interface QuestionProps {
  rows: readonly Row[];
  onAct: (act: Act) => void;
  onClose: () => void;
}

/** “Node is not ready”, or "3 events". */
export function what(rows: readonly Row[]): string {
  const [first] = rows;
  return rows.length === 1 && first ? `“${first.stored.title}”` : plural(rows.length, 'event');
}

/** Requests the end of a snooze. */
export function SnoozeDialog({ rows, onAct, onClose }: QuestionProps) {
  const now = useNow();
  const inHours = (hours: number) => toField(new Date(now.getTime() + hours * 3_600_000));
  const [until, setUntil] = useState(() => inHours(4));
  /** Which of the times offered it is; null for another. */
  const [offer, setOffer] = useState<number | null>(4);
  const submit = useRef<HTMLButtonElement>(null);
  const [tried, setTried] = useState(false);
  const end = fromField(until);
  const isLater = !Number.isNaN(end.getTime()) && end > now;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Snooze ${what(rows)}`}
      help="Hidden from the open list until then; it reopens automatically."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button ref={submit} kind="primary" type="submit" form="snooze">
            Snooze
          </Button>
        </>
      }
    >
      <Form
        id="snooze"
        className="stack"
        onSubmit={() => {
          setTried(true);
          if (!isLater) return;
          onClose();
          onAct({ kind: 'snooze', until: end.toISOString() });
        }}
      >
        <div className="row wrapping" role="group" aria-label="How long">
          {[1, 4, 24, 168].map((hours) => (
            <Button
              key={hours}
              size="small"
              aria-pressed={offer === hours}
              onClick={() => {
                setUntil(inHours(hours));
                setOffer(hours);
                // The next Enter snoozes.
                submit.current?.focus();
              }}
            >
              {hours < 24 ? plural(hours, 'hour') : plural(hours / 24, 'day')}
            </Button>
          ))}
        </div>
        <Field
          label={`Until (${zone()})`}
          error={tried && !isLater ? `Choose a time after ${dateTime(now, now)}` : undefined}
        >
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              className="in"
              value={until}
              onChange={(event) => {
                setUntil(event.target.value);
                setOffer(null);
              }}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}

/** Requests the resolution; it is stored with the event. */
export function ResolveDialog({ rows, onAct, onClose }: QuestionProps) {
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const isEmpty = reason.trim() === '';
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Resolve ${what(rows)}`}
      help="The event ends now. You can undo this."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="resolve">
            Resolve
          </Button>
        </>
      }
    >
      <Form
        id="resolve"
        onSubmit={() => {
          setTried(true);
          if (isEmpty) return;
          onClose();
          onAct({ kind: 'resolve', reason: reason.trim() });
        }}
      >
        <Field
          label="Reason"
          help="How it was solved. Saved with the event."
          error={tried && isEmpty ? 'Enter a reason, for example “memory limit raised to 1 GiB”' : undefined}
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
      </Form>
    </Dialog>
  );
}
