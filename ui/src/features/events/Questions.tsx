import { useState } from 'react';
import { useGraphQL } from '@/api';
import { Button, Dialog, Field, Form, count, dateTime, fromField, plural, toField, useNow, zone } from '@/shared';
import type { Act } from './act';
import { ClassifyPreview } from './queries';
import type { Row } from './row';
import { judgements, scopes } from './words';

interface QuestionProps {
  rows: readonly Row[];
  onAct: (act: Act) => void;
  onClose: () => void;
}

/** “Node is not ready”, or "3 events". */
function what(rows: readonly Row[]): string {
  const [first] = rows;
  return rows.length === 1 && first ? `“${first.stored.title}”` : plural(rows.length, 'event');
}

/** Asks until when nobody wants to see it. */
export function SnoozeDialog({ rows, onAct, onClose }: QuestionProps) {
  const now = useNow();
  const inHours = (hours: number) => toField(new Date(now.getTime() + hours * 3_600_000));
  const [until, setUntil] = useState(() => inHours(4));
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
          <Button kind="primary" type="submit" form="snooze">
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
              onClick={() => {
                setUntil(inHours(hours));
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
              }}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}

/** Asks what solved it; the reason stays with the event. */
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
          help="What solved it. Saved with the event."
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

type Judgement = keyof typeof judgements;
type Scope = keyof typeof scopes;

/** Asks what an event was, and shows what a rule would change before it is made. */
export function JudgeDialog({ rows, onAct, onClose }: QuestionProps) {
  const [name, setName] = useState<Judgement>('false_positive');
  const [reason, setReason] = useState<string>('known_noise');
  const [text, setText] = useState('');
  const [scope, setScope] = useState<Scope>('this_event');
  const [first] = rows;
  const one = rows.length === 1 ? first : undefined;
  const canRule = one !== undefined && one.stored.fingerprint !== null;
  const preview = useGraphQL(
    ClassifyPreview,
    { id: one?.id ?? '', classification: name, scope },
    { enabled: canRule && scope === 'this_fingerprint' },
  );
  const found = preview.data?.event_classify_preview;
  const { reasons, help } = judgements[name];
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Classify ${what(rows)}`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="judge">
            Classify
          </Button>
        </>
      }
    >
      <Form
        id="judge"
        onSubmit={() => {
          onClose();
          onAct({ kind: 'judge', name, reason, text: text.trim(), scope });
        }}
      >
        <Field label="It was" help={help}>
          {(control) => (
            <select
              {...control}
              className="sel"
              value={name}
              onChange={(event) => {
                const next = event.target.value as Judgement;
                setName(next);
                setReason(Object.keys(judgements[next].reasons)[0] ?? '');
              }}
            >
              {Object.entries(judgements).map(([value, judgement]) => (
                <option key={value} value={value}>
                  {judgement.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Reason">
          {(control) => (
            <select
              {...control}
              className="sel"
              value={reason}
              onChange={(event) => {
                setReason(event.target.value);
              }}
            >
              {Object.entries(reasons).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Note">
          {(control) => (
            <input
              {...control}
              className="in"
              autoComplete="off"
              maxLength={500}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
              }}
            />
          )}
        </Field>
        {canRule && (
          <Field label="Applies to">
            {(control) => (
              <select
                {...control}
                className="sel"
                value={scope}
                onChange={(event) => {
                  setScope(event.target.value as Scope);
                }}
              >
                {Object.entries(scopes).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {scope === 'this_fingerprint' && (
          <p className="small muted" role="status">
            {preview.error?.message ??
              (found
                ? found.rule_to_create
                  ? `A triage rule is made for events that come from now on. ${count(found.existing_events.count)} earlier events of this kind stay as they are.`
                  : 'No rule is needed for this.'
                : 'Looking which events a rule would meet…')}
          </p>
        )}
      </Form>
    </Dialog>
  );
}
