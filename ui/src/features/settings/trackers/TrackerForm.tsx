import { CircleCheck, OctagonX, Zap } from 'lucide-react';
import { useState } from 'react';
import { useWhyNot } from '@/api';
import { Button, Field, Form, Panel, problemSentence, toast } from '@/shared';
import { useAdminOnly } from '../adminOnly';
import { Switch } from '../parts';
import { draftOf, missing, savedOf } from './form';
import type { Draft } from './form';
import { useSaveTracker, useTestTracker } from './queries';
import type { Tracker } from './queries';
import { titleOf, toolOf, tools } from './tools';

type TextName = 'name' | 'url' | 'username' | 'password' | 'project';

/** Connects, edits and tests a tracker. The secret is write-only. */
export function TrackerForm({ tracker, onDone }: { tracker: Tracker | null; onDone: () => void }) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(tracker));
  const [tried, setTried] = useState(false);
  const save = useSaveTracker();
  const check = useTestTracker();
  const whyNot = useWhyNot();
  const adminOnly = useAdminOnly();
  const tool = toolOf(draft.tool);
  const lacks = missing(draft, tracker);
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    check.reset();
    save.reset();
  };
  const submit = (button?: string) => {
    setTried(true);
    if (Object.keys(lacks).length > 0) return;
    if (button === 'test') {
      check.mutate(savedOf(draft, tracker));
      return;
    }
    save.mutate(savedOf(draft, tracker), {
      onSuccess: () => {
        toast({ tone: 'ok', text: tracker ? `Saved ${draft.name}` : `Connected ${draft.name}` });
        onDone();
      },
    });
  };
  const text = (name: TextName, label: string, help: string, placeholder = '') => (
    <Field label={label} help={help} error={tried ? lacks[name] : undefined}>
      {(control) => (
        <input
          {...control}
          className={name === 'name' ? 'in' : 'in mono'}
          type={name === 'password' ? 'password' : 'text'}
          autoComplete={name === 'password' ? 'new-password' : 'off'}
          placeholder={placeholder}
          value={draft[name]}
          onChange={(event) => {
            change({ [name]: event.target.value });
          }}
        />
      )}
    </Field>
  );
  return (
    <Panel title={tracker ? `Change ${tracker.name}` : 'Connect a tracker'} padded>
      <Form className="fields" onSubmit={submit}>
        <Field label="Tracker">
          {(control) => (
            <select
              {...control}
              className="sel"
              value={draft.tool}
              onChange={(event) => {
                change({ tool: event.target.value });
              }}
            >
              {!tool && <option value={draft.tool}>{titleOf(draft.tool)}, which tickets cannot be sent to</option>}
              {tools.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.title}
                </option>
              ))}
            </select>
          )}
        </Field>
        {text('name', 'Name', 'A display name.', 'For example Service desk')}
        {text(
          'url',
          'Address',
          tool?.usual ? `Empty for ${tool.usual}.` : 'The address people open in the browser.',
          tool?.address,
        )}
        {tool?.username && text('username', tool.username.label, tool.username.help)}
        {text(
          'password',
          tool?.secret.label ?? 'Secret',
          `${tool?.secret.help ?? ''} ${tracker ? 'Leave empty to keep the current one.' : 'Stored encrypted and never shown again.'}`,
          tracker ? '••••••••' : '',
        )}
        {text('project', 'Project', tool?.project.help ?? '', tool && `For example ${tool.project.example}`)}
        <Switch
          label="Send tickets there"
          on={draft.isActive}
          onChange={(isActive) => {
            change({ isActive });
          }}
        >
          Failed tickets are retried when you save.
        </Switch>
        <Outcome
          good={check.data?.success ? (check.data.message ?? 'It responds.') : undefined}
          bad={check.data?.error ?? check.error?.message ?? save.error?.message}
        />
        <div className="row">
          <Button
            kind="primary"
            type="submit"
            busy={save.isPending && 'Saving'}
            reason={adminOnly ?? whyNot({ fields: ['ticket_integration_create_config'] })}
          >
            {tracker ? 'Save tracker' : 'Connect tracker'}
          </Button>
          <Button
            busy={check.isPending && 'Testing'}
            reason={adminOnly ?? whyNot({ fields: ['ticket_check_connection_by_config'] })}
            type="submit"
            name="test"
          >
            <Zap className="i" />
            Test
          </Button>
          {tracker && (
            <Button kind="quiet" onClick={onDone}>
              Cancel
            </Button>
          )}
        </div>
      </Form>
    </Panel>
  );
}

/** The message of the tracker. */
function Outcome({ good, bad }: { good: string | undefined; bad: string | undefined }) {
  const [tone, Icon] = bad ? (['bad', OctagonX] as const) : (['ok', CircleCheck] as const);
  return (
    <div role="status">
      {(bad ?? good) && (
        <span className={`st plain wrap ${tone}`}>
          <Icon className="i" />
          <span>{bad === undefined ? good : problemSentence(bad)}</span>
        </span>
      )}
    </div>
  );
}
