import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, Field, Form, Panel, Select, Status } from '@/shared';
import { useAct } from './queries';
import type { Override, Provider, Providers } from './types';

const tiers = [
  { value: 'reasoning', label: 'Reasoning' },
  { value: 'retrieval', label: 'Retrieval' },
  { value: 'summary', label: 'Summary' },
] as const;

/** Single agents and tiers of tasks that use another model of this provider. Saved at once. */
export function Overrides({ provider, all }: { provider: Provider; all: Providers }) {
  const [fresh, setFresh] = useState<Override | null>(null);
  const [tried, setTried] = useState(false);
  const save = useAct();
  const own = all.overrides.filter((one) => one.provider === provider.id);
  // Saved values for the same tier or agent override these.
  const given = all.given_overrides.filter(
    (one) =>
      one.provider === provider.name &&
      provider.is_given &&
      !all.overrides.some(({ scope, name }) => scope === one.scope && name.toLowerCase() === one.name),
  );
  const put = (overrides: Override[], done?: () => void) => {
    save.mutate({ act: 'overrides', overrides }, done ? { onSuccess: done } : {});
  };
  if (provider.kind === 'ondevice') return null;
  return (
    <Panel
      title="Other models for single agents and tiers"
      actions={
        !fresh && (
          <Button
            size="small"
            onClick={() => {
              setTried(false);
              setFresh({ scope: 'tier', name: 'summary', provider: provider.id, model: '' });
            }}
          >
            <Plus className="i s" />
            Add
          </Button>
        )
      }
    >
      <div className="teststeps">
        {own.length === 0 && given.length === 0 && !fresh && <p className="muted">None: all use the models above.</p>}
        {given.map((one) => (
          <div className="split" key={`given ${one.scope} ${one.name}`}>
            <span>
              {one.scope === 'tier' ? 'Tier' : 'Agent'} <b>{one.name}</b>
              <span className="small muted"> Set in the environment</span>
            </span>
            <span className="mono">{one.model}</span>
          </div>
        ))}
        {own.map((one) => (
          <div className="split" key={`${one.scope} ${one.name}`}>
            <span>
              {one.scope === 'tier' ? 'Tier' : 'Agent'} <b>{one.name}</b>
            </span>
            <span className="row">
              <span className="mono">{one.model}</span>
              <Button
                size="small"
                kind="quiet"
                iconOnly
                aria-label={`Remove the model of ${one.name}`}
                onClick={() => {
                  put(all.overrides.filter((other) => other !== one));
                }}
              >
                <Trash2 className="i s" />
              </Button>
            </span>
          </div>
        ))}
        {fresh && (
          <Form
            className="row end wrapping"
            onSubmit={() => {
              setTried(true);
              if (fresh.name.trim() === '' || fresh.model.trim() === '') return;
              put([...all.overrides, fresh], () => {
                setFresh(null);
              });
            }}
          >
            <Select
              label="For"
              value={fresh.scope}
              options={[
                { value: 'tier', label: 'Tier' },
                { value: 'agent', label: 'Agent' },
              ]}
              onChange={(scope) => {
                setFresh({ ...fresh, scope, name: scope === 'tier' ? 'summary' : '' });
              }}
            />
            {fresh.scope === 'tier' ? (
              <Select
                label="Tier"
                hideLabel
                value={fresh.name}
                options={tiers}
                onChange={(name) => {
                  setFresh({ ...fresh, name });
                }}
              />
            ) : (
              <Field
                label="Name of the agent"
                error={tried && fresh.name.trim() === '' ? 'Enter the name of an agent' : undefined}
              >
                {(control) => (
                  <input
                    {...control}
                    className="in"
                    autoComplete="off"
                    value={fresh.name}
                    onChange={(event) => {
                      setFresh({ ...fresh, name: event.target.value });
                    }}
                  />
                )}
              </Field>
            )}
            <Field
              label="Model"
              error={tried && fresh.model.trim() === '' ? 'Enter the name of a model' : save.error?.message}
            >
              {(control) => (
                <input
                  {...control}
                  className="in mono"
                  autoComplete="off"
                  spellCheck={false}
                  value={fresh.model}
                  onChange={(event) => {
                    setFresh({ ...fresh, model: event.target.value });
                  }}
                />
              )}
            </Field>
            <Button size="small" kind="primary" type="submit" busy={save.isPending && 'Saving'}>
              Save
            </Button>
            <Button
              size="small"
              onClick={() => {
                setFresh(null);
                save.reset();
              }}
            >
              Cancel
            </Button>
          </Form>
        )}
        {save.error && !fresh && <Status tone="bad">{save.error.message}</Status>}
      </div>
    </Panel>
  );
}
