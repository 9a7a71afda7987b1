import { Save, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button, Dialog, Keys, Status, plural, toast, useCommands, useProblemFocus } from '@/shared';
import { Switch } from '../parts';
import { Connection } from './Connection';
import { changed, countOf } from './draft';
import type { Draft } from './draft';
import { Leaving } from './Leaving';
import { Overrides } from './Overrides';
import { useAct } from './queries';
import { Runner } from './Runner';
import { TestPanel } from './TestPanel';
import type { Provider, Providers } from './types';
import { UsedFor } from './UsedFor';
import { aboutKind, firstFor } from './wording';

/** One provider: connection, uses and test, with a save bar. */
export function ProviderView({
  provider,
  all,
  onRemoved,
}: {
  provider: Provider;
  all: Providers;
  onRemoved: () => void;
}) {
  const [draft, setDraft] = useState<Draft>({});
  const [removing, setRemoving] = useState(false);
  const save = useAct();
  const other = useAct();
  const count = countOf(draft);
  const fields = useRef<HTMLDivElement>(null);
  const problem = useProblemFocus(fields);
  const change = (more: Draft) => {
    problem.stop();
    save.reset();
    setDraft((old) => changed(old, more, provider));
  };
  const submit = (then?: () => void) => {
    problem.seek();
    save.mutate(
      { act: 'save', id: provider.id, change: draft },
      {
        onSuccess: () => {
          setDraft({});
          if (then) then();
          else toast({ tone: 'ok', text: `Saved ${provider.name}` });
        },
      },
    );
  };
  const test = () => {
    const run = () => {
      other.mutate({ act: 'test', id: provider.id });
    };
    if (count > 0) submit(run);
    else run();
  };
  useCommands(
    count > 0
      ? [
          {
            id: 'save provider',
            title: 'Save the provider',
            group: 'Do',
            keys: 'mod+s',
            icon: Save,
            run: () => {
              submit();
            },
          },
        ]
      : [],
  );
  const problems = problemsOf(save.error?.details);
  const form = { provider, draft, change, problems };
  const isFirst = firstFor('chat_model', all.providers)?.id === provider.id;
  const isTesting = other.isPending && other.variables.act === 'test';
  return (
    <>
      <div className="pvbody" ref={fields} tabIndex={0} role="region" aria-label={provider.name}>
        <div className="stack setform">
          <div className="split">
            <div>
              <h2 className="pvtitle">{provider.name}</h2>
              <span className="muted">
                {provider.kind ? aboutKind(provider.kind) : `Unknown kind: ${provider.named}`}
                {provider.host && `, ${provider.host}`}
                {provider.is_given && '. Described by the environment'}
              </span>
            </div>
            <span className="pvon">
              <Switch
                label={provider.is_on.value ? 'On' : 'Off'}
                on={provider.is_on.value}
                onChange={(is_on) => {
                  other.mutate({ act: 'save', id: provider.id, change: { is_on } });
                }}
              />
            </span>
          </div>
          {provider.kind === 'service' && <Runner of={all} />}
          {provider.kind && <Connection {...form} all={all} kind={provider.kind} />}
          <Leaving
            provider={provider}
            address={draft.values?.endpoint ?? undefined}
            onChange={(may_leave) => {
              other.mutate({ act: 'save', id: provider.id, change: { may_leave } });
            }}
          />
          <UsedFor {...form} all={all} />
          {provider.chat_model.value !== '' && !isFirst && provider.is_on.value && (
            <div className="row">
              <span className="muted small">Used when the providers before it fail.</span>
              <Button
                size="small"
                onClick={() => {
                  const ids = [provider, ...all.providers.filter((one) => one.id !== provider.id)].map((one) => one.id);
                  other.mutate({ act: 'order', ids });
                }}
              >
                Use this one first
              </Button>
            </div>
          )}
          {other.error && <Status tone="bad">{other.error.message}</Status>}
          <TestPanel provider={provider} busy={isTesting || save.isPending} unsaved={count > 0} onTest={test} />
          <Overrides provider={provider} all={all} />
        </div>
      </div>
      <div className="savebar" role="region" aria-label="Changes">
        {(provider.is_saved || !provider.is_given) && (
          <Button
            kind="destructive"
            className="ghost"
            onClick={() => {
              setRemoving(true);
            }}
          >
            <Trash2 className="i" />
            {provider.is_given ? 'Reset changes' : 'Remove provider'}
          </Button>
        )}
        {save.error && Object.keys(problems).length === 0 && <Status tone="bad">{save.error.message}</Status>}
        <span className="end row">
          {count > 0 && <span className="muted small hide-n">{plural(count, 'unsaved change')}</span>}
          <Button
            reason={count === 0 ? 'Nothing was changed' : undefined}
            onClick={() => {
              setDraft({});
              save.reset();
            }}
          >
            Discard
          </Button>
          <Button
            kind="primary"
            busy={save.isPending && 'Saving'}
            reason={count === 0 ? 'Nothing was changed' : undefined}
            onClick={() => {
              submit();
            }}
          >
            Save <Keys keys="mod+s" />
          </Button>
        </span>
      </div>
      <Dialog
        title={provider.is_given ? `Reset the changes of ${provider.name}?` : `Remove ${provider.name}?`}
        help={
          provider.is_given
            ? 'The environment’s values apply again.'
            : 'Its key is deleted and it is no longer used. Earlier answers stay.'
        }
        open={removing}
        onClose={() => {
          setRemoving(false);
        }}
        actions={
          <>
            <Button
              onClick={() => {
                setRemoving(false);
              }}
            >
              Cancel
            </Button>
            <Button
              kind="destructive"
              busy={other.isPending && 'Removing'}
              onClick={() => {
                other.mutate(
                  { act: 'remove', id: provider.id },
                  {
                    onSuccess: () => {
                      setRemoving(false);
                      setDraft({});
                      onRemoved();
                    },
                  },
                );
              }}
            >
              {provider.is_given ? 'Reset' : 'Remove'}
            </Button>
          </>
        }
      />
    </>
  );
}

/** Validation problems of the service, by field. */
function problemsOf(details: unknown): Partial<Record<string, string>> {
  const listed = (details as { problems?: { setting: string; message: string }[] } | undefined)?.problems ?? [];
  return Object.fromEntries(listed.map(({ setting, message }) => [setting, message]));
}
