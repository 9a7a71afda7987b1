import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button, Field, Form, Panel, toast } from '@/shared';
import { namedAs, noDraft, problemsOf, requestOf } from './form';
import type { SecretDraft } from './form';
import { useSaveSecret } from './queries';
import type { Secret } from './queries';
import { texts } from './words';

/** Adds or edits a secret: its value, and the hosts it may be sent to. */
export function SecretForm({
  known,
  taken,
  reason,
  onDone,
}: {
  /** The one that is changed; a new one without. */
  known: Secret | null;
  taken: readonly string[];
  reason: string | undefined;
  onDone: () => void;
}) {
  const [draft, setDraft] = useState<SecretDraft>(
    known === null ? noDraft : { name: known.name, value: '', hosts: known.hosts.join('\n') },
  );
  const [tried, setTried] = useState(false);
  const save = useSaveSecret();
  const problems = tried ? problemsOf(draft, taken, known?.name) : {};
  const set = (change: Partial<SecretDraft>) => {
    setDraft((before) => ({ ...before, ...change }));
  };
  return (
    <Panel title={known === null ? 'Add a secret' : `Change ${known.name}`} padded>
      <Form
        className="stack"
        onSubmit={() => {
          setTried(true);
          if (Object.keys(problemsOf(draft, taken, known?.name)).length > 0) return;
          save.mutate(requestOf(draft, known !== null), {
            onSuccess: () => {
              toast({ tone: 'ok', text: `Saved ${draft.name.trim()}` });
              setDraft(noDraft);
              setTried(false);
              onDone();
            },
          });
        }}
      >
        <div className="fields">
          <Field
            label="Name"
            help={`In a workflow: ${namedAs(draft.name)}`}
            error={problems.name ?? save.error?.message}
          >
            {(control) => (
              <input
                {...control}
                className="in mono"
                autoComplete="off"
                spellCheck={false}
                readOnly={known !== null}
                placeholder="For example DEPLOY_TOKEN"
                value={draft.name}
                onChange={(event) => {
                  set({ name: event.target.value });
                }}
              />
            )}
          </Field>
          <Field label="Secret" help={known === null ? texts.value : texts.kept} error={problems.value}>
            {(control) => (
              <input
                {...control}
                className="in mono"
                type="password"
                autoComplete="new-password"
                value={draft.value}
                onChange={(event) => {
                  set({ value: event.target.value });
                }}
              />
            )}
          </Field>
        </div>
        <Field label="Hosts" help={texts.hosts} error={problems.hosts}>
          {(control) => (
            <textarea
              {...control}
              className="in mono"
              rows={3}
              spellCheck={false}
              placeholder="api.github.com"
              value={draft.hosts}
              onChange={(event) => {
                set({ hosts: event.target.value });
              }}
            />
          )}
        </Field>
        <div className="row">
          <Button type="submit" busy={save.isPending && 'Saving'} reason={reason}>
            <KeyRound className="i" />
            Save secret
          </Button>
          {known !== null && <Button onClick={onDone}>Cancel</Button>}
          {reason && <span className="small muted">{reason}</span>}
        </div>
      </Form>
    </Panel>
  );
}
