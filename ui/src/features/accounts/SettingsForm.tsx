import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '@/api';
import { Button, Field, Form, toast } from '@/shared';
import type { AccountRecord } from './row';
import { problemsOf, sameSettings, save, settingsOf } from './save';
import type { Settings } from './save';
import { environments, fields } from './words';

const changers = ['tenant_admin', 'account_admin'];

/** Name, environment, owner, purpose and budget of an account; a change can be undone. */
export function SettingsForm({ stored }: { stored: AccountRecord }) {
  const client = useQueryClient();
  const session = useSession().data;
  const before = settingsOf(stored);
  const [draft, setDraft] = useState(before);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const problems = tried ? problemsOf(draft) : {};
  const mayChange = !session || session.roles.some((role) => changers.includes(role));
  const reason = mayChange ? undefined : 'Changing accounts needs the role tenant_admin or account_admin';
  const isSame = sameSettings(before, draft);

  const write = async (from: Settings, to: Settings, read: string) => {
    setBusy(true);
    try {
      const written = await save(stored, from, to, read);
      setDraft(to);
      await client.invalidateQueries({ queryKey: ['graphql'] });
      return written;
    } catch (error) {
      toast({ tone: 'bad', text: `${to.name} was not saved: ${(error as Error).message}` });
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  const submit = async () => {
    setTried(true);
    if (isSame || Object.keys(problemsOf(draft)).length > 0) return;
    const written = await write(before, draft, stored.updated_at);
    if (written === undefined) return;
    toast({
      tone: 'ok',
      text: `Saved ${draft.name}`,
      action: {
        label: 'Undo',
        run: () => {
          void write(draft, before, written);
        },
      },
    });
  };
  const text = (name: 'name' | 'owner' | 'purpose' | 'budget') => (
    <Field {...fields[name]} error={problems[name]}>
      {(control) => (
        <input
          {...control}
          className="in"
          autoComplete="off"
          maxLength={200}
          disabled={!mayChange}
          inputMode={name === 'budget' ? 'decimal' : 'text'}
          value={draft[name]}
          onChange={(event) => {
            setDraft({ ...draft, [name]: event.target.value });
          }}
        />
      )}
    </Field>
  );
  return (
    <Form
      className="stack"
      aria-label="Account settings"
      onSubmit={() => {
        void submit();
      }}
    >
      {text('name')}
      <Field {...fields.environment}>
        {(control) => (
          <select
            {...control}
            className="sel"
            disabled={!mayChange}
            value={draft.environment}
            onChange={(event) => {
              setDraft({ ...draft, environment: event.target.value as Settings['environment'] });
            }}
          >
            {Object.entries(environments).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {text('owner')}
      {text('purpose')}
      {text('budget')}
      <div className="row">
        <Button
          kind="primary"
          type="submit"
          busy={busy && 'Saving'}
          reason={reason ?? (isSame ? 'Nothing has changed' : undefined)}
        >
          Save
        </Button>
      </div>
      {reason && <p className="small muted">{reason}</p>}
    </Form>
  );
}
