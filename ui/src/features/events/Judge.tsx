import { useState } from 'react';
import { useGraphQL } from '@/api';
import { Button, Dialog, Field, Form, count } from '@/shared';
import { OriginalField } from './OriginalField';
import { ClassifyPreview } from './queries';
import { what } from './Questions';
import type { QuestionProps } from './Questions';
import { judgements, scopes } from './words';

type Judgement = keyof typeof judgements;
type Scope = keyof typeof scopes;

/** Classifies events and previews the triage rule before it is created. */
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
  const [of, setOf] = useState('');
  const [tried, setTried] = useState(false);
  const isDuplicate = name === 'duplicate';
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
          setTried(true);
          if (isDuplicate && of === '') return;
          onClose();
          onAct({ kind: 'judge', name, reason, text: text.trim(), scope, ...(isDuplicate ? { of } : {}) });
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
        {isDuplicate ? (
          <OriginalField
            rows={rows}
            value={of}
            onChange={setOf}
            error={tried && of === '' ? 'Choose the event it is a duplicate of' : undefined}
          />
        ) : (
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
        )}
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
                  ? `The triage rule applies to new events. ${count(found.existing_events.count)} earlier events of this kind do not change.`
                  : 'No rule is needed for this.'
                : 'Checking which events a rule would match…')}
          </p>
        )}
      </Form>
    </Dialog>
  );
}
