import { graphql, request } from '@/api';
import type { Json, ResultOf } from '@/api';
import type { OneEvent } from './queries';

type One = NonNullable<ResultOf<typeof OneEvent>['events_by_pk']>;

/** The playbooks and workflows of an account. */
export const EventPlaybooks = graphql(`
  query EventPlaybooks($account: uuid!, $of: String!) {
    auto_playbook(where: { account_id: { _eq: $account } }, order_by: [{ name: asc }]) {
      id
      name
      status
      trigger
      attributes
    }
    workflow_list(request: { account_id: $of, limit: 1000 }) {
      workflows {
        id
        name
        status
        definition {
          triggers {
            type
            params
          }
        }
      }
    }
  }
`);

export const RunPlaybook = graphql(`
  mutation EventRunPlaybook($id: uuid!, $event: uuid!) {
    auto_runbook_manually_run(runbook_execute_request: { id: $id, event_id: $event }) {
      status
    }
  }
`);

export const RunWorkflow = graphql(`
  mutation EventRunWorkflow($request: WorkflowTriggerRequest!) {
    workflow_trigger(request: $request) {
      execution_id
    }
  }
`);

export const ResolveByWorkflow = graphql(`
  mutation EventResolveByWorkflow($object: event_resolve_input!) {
    event_resolve(object: $object) {
      data
    }
  }
`);

/** A playbook or workflow that can be run for an event. */
export interface Runnable {
  kind: 'playbook' | 'workflow';
  id: string;
  name: string;
  /** Whether its own trigger matches events of this kind. */
  isMeant: boolean;
  /** Why it cannot run; undefined when it can. */
  reason: string | undefined;
}

type PlaybooksResult = ResultOf<typeof EventPlaybooks>;

/** The playbooks and workflows of an account, those that match events of this kind first. */
export function runnablesOf(
  { auto_playbook: playbooks, workflow_list: list }: PlaybooksResult,
  event: Pick<One, 'aggregation_key' | 'finding_type'>,
): Runnable[] {
  const kinds = [event.aggregation_key, event.finding_type];
  const found = [
    ...playbooks.map((one): Runnable => {
      const trigger = asObject(one.trigger);
      return {
        kind: 'playbook',
        id: one.id,
        name: one.name,
        isMeant:
          textOf(trigger['type']).toLowerCase() === 'event' &&
          asksFor('params' in trigger ? asObject(trigger['params']) : trigger, kinds),
        reason:
          one.status === 'ACTIVE'
            ? textOf(asObject(one.attributes)['not_running']) || undefined
            : 'It is not active: activate it under Automation, Auto-pilot',
      };
    }),
    ...(list?.workflows ?? []).flatMap((one): Runnable[] =>
      one === null
        ? []
        : [
            {
              kind: 'workflow',
              id: one.id,
              name: one.name,
              isMeant: (one.definition?.triggers ?? []).some(
                (trigger) => trigger?.type === 'event' && asksFor(asObject(trigger.params), kinds),
              ),
              reason: one.status === 'INACTIVE' ? 'It is inactive: activate it under Automation, Workflows' : undefined,
            },
          ],
    ),
  ];
  return [...found.filter(({ isMeant }) => isMeant), ...found.filter(({ isMeant }) => !isMeant)];
}

/** Whether a trigger lists one of the event's kinds, or no kinds and so matches all. */
function asksFor(params: Readonly<Record<string, Json | undefined>>, kinds: readonly string[]): boolean {
  const named = params['event_type'];
  const wanted = (Array.isArray(named) ? named : [named]).map(textOf).filter((one) => one !== '');
  return wanted.length === 0 || wanted.some((one) => kinds.includes(one));
}

function asObject(value: Json | undefined): Readonly<Record<string, Json | undefined>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The event as workflow input, `Inputs.event`: the same as for runs started by a trigger. */
export function inputOf(event: One, account: string): Json {
  const { id, aggregation_key, finding_type, cluster, description, fingerprint, labels, priority, source } = event;
  const { subject_name, subject_namespace, subject_type, title } = event;
  return {
    id,
    account_id: account,
    event_type: aggregation_key || finding_type,
    aggregation_key,
    finding_type,
    cluster,
    description,
    fingerprint,
    labels,
    priority,
    source,
    subject_name,
    subject_namespace,
    subject_type,
    title,
  };
}

/** Starts it; returns the message for the user. */
export async function begin(one: Runnable, event: One, account: string, resolves: boolean): Promise<string> {
  if (one.kind === 'playbook') {
    const { auto_runbook_manually_run: answer } = await request(RunPlaybook, { id: one.id, event: event.id });
    return answer?.status.startsWith('COMPLETE') ? answer.status : `Started the playbook ${one.name}`;
  }
  if (resolves) {
    const object = {
      event_id: event.id,
      account_id: account,
      provider: 'workflow',
      provider_config: { workflow_id: one.id },
    };
    await request(ResolveByWorkflow, { object });
    return `Started ${one.name}: the event is resolved when the run succeeds`;
  }
  await request(RunWorkflow, {
    request: { account_id: account, id: one.id, inputs: { event: inputOf(event, account) } },
  });
  return `Started a run of ${one.name}`;
}
