import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useGraphQL } from '@/api';
import type { ResultOf } from '@/api';
import { Button, Check, Content, Dialog, Field, Form, toast } from '@/shared';
import { EventPlaybooks, begin, runnablesOf } from './playbooks';
import type { Runnable } from './playbooks';
import type { OneEvent } from './queries';

type One = NonNullable<ResultOf<typeof OneEvent>['events_by_pk']>;

/** Runs a playbook or a workflow of the account an event belongs to. */
export function PlaybookDialog({
  event,
  account,
  reason,
  onClose,
}: {
  event: One;
  account: string;
  /** Why this person cannot run anything; undefined when they can. */
  reason: string | undefined;
  onClose: () => void;
}) {
  const query = useGraphQL(EventPlaybooks, { account, of: account });
  const found = query.data && runnablesOf(query.data, event);
  const [chosen, setChosen] = useState<string>();
  const [resolves, setResolves] = useState(false);
  const one = found?.find(({ id }) => id === chosen) ?? found?.[0];
  const client = useQueryClient();
  const run = useMutation({
    mutationFn: (of: Runnable) => begin(of, event, account, resolves),
    onSuccess: async (words) => {
      onClose();
      toast({ tone: 'ok', text: words });
      await client.invalidateQueries({ queryKey: ['graphql'] });
    },
  });
  const lack = reason ?? one?.reason;
  return (
    <Dialog
      title="Run playbook"
      help={event.title}
      open
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            form="run-playbook"
            busy={run.isPending && 'Starting'}
            disabled={one === undefined}
            reason={lack}
          >
            Run now
          </Button>
        </>
      }
    >
      <Content of={{ ...query, data: found }} what="Playbooks could not be read" lines={3}>
        {(all) =>
          one === undefined ? (
            <p className="muted">
              The account of this event has no playbook and no workflow.{' '}
              <Link to="/automation/workflows" search={{ edit: 'new' }}>
                Create a workflow
              </Link>{' '}
              that starts on events, or by hand.
            </p>
          ) : (
            <Form
              id="run-playbook"
              className="stack"
              onSubmit={() => {
                if (lack === undefined) run.mutate(one);
              }}
            >
              <Field label="Playbook or workflow" help={helpOf(one, resolves)}>
                {(control) => (
                  <select
                    {...control}
                    className="sel"
                    value={one.id}
                    onChange={(change) => {
                      setChosen(change.target.value);
                    }}
                  >
                    {all.map(({ id, kind, name, isMeant }) => (
                      <option key={id} value={id}>
                        {`${name} (${kind}${isMeant ? ', for events of this kind' : ''})`}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              {one.kind === 'workflow' && (
                <Check label="Resolve the event when the run succeeds" checked={resolves} onChange={setResolves} />
              )}
              {lack !== undefined && (
                <p className="small muted" role="status">
                  {lack}
                </p>
              )}
              {run.error && (
                <div className="note bad" role="alert">
                  <div className="grow">
                    <div className="t">The run did not start</div>
                    <div className="muted wrap">{run.error.message}</div>
                  </div>
                </div>
              )}
            </Form>
          )
        }
      </Content>
    </Dialog>
  );
}

function helpOf({ kind }: Runnable, resolves: boolean): string {
  if (kind === 'playbook')
    return 'It receives this event as Inputs.event. The run is listed under Activity, and under Automation, Auto-pilot.';
  const where = resolves ? 'The attempt is listed under Activity.' : 'Its runs are under Automation, Workflows.';
  return `It receives this event as Inputs.event. ${where}`;
}
