import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, Panel, Select, Status } from '@/shared';
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
  const save = useAct();
  const own = all.overrides.filter((one) => one.provider === provider.id);
  // What is saved for the same tier or agent counts instead.
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
          <form
            className="row wrap"
            onSubmit={(event) => {
              event.preventDefault();
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
              <input
                className="in short"
                aria-label="Name of the agent"
                placeholder="Name of the agent"
                value={fresh.name}
                onChange={(event) => {
                  setFresh({ ...fresh, name: event.target.value });
                }}
              />
            )}
            <input
              className="in mono short"
              aria-label="Model"
              placeholder="Model"
              spellCheck={false}
              value={fresh.model}
              onChange={(event) => {
                setFresh({ ...fresh, model: event.target.value });
              }}
            />
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
          </form>
        )}
        {save.error && <Status tone="bad">{save.error.message}</Status>}
      </div>
    </Panel>
  );
}
