import { useMutation, useQueryClient } from '@tanstack/react-query';
import { graphql, request, useGraphQL, useWhyNot } from '@/api';
import type { ApiError, ResultOf, VariablesOf } from '@/api';
import type { Row } from './row';

const Plan = graphql(`
  query RecommendationPlan($id: uuid!) {
    recommendation_get_plan(recommendation_id: $id) {
      ways {
        provider
        integration_id
        integration_name
        type
        is_possible
        reason
        plan
        patch
        commands
      }
    }
    recommendation_resolution(where: { recommendation_id: { _eq: $id } }, order_by: { created_at: desc }, limit: 5) {
      id
      type
      status
      status_message
      type_reference_id
      data
      created_at
    }
  }
`);

type PlanResult = ResultOf<typeof Plan>;
export type Way = NonNullable<PlanResult['recommendation_get_plan']>['ways'][number];
export type Attempt = PlanResult['recommendation_resolution'][number];

/** The ways in which a recommendation can be carried out, and the attempts so far. */
export function usePlan(row: Row) {
  return useGraphQL(Plan, { id: row.id });
}

const Begin = graphql(`
  mutation RecommendationApply($object: apply_recommendation_input!) {
    apply_recommendations(object: $object) {
      data
    }
  }
`);

export type ProviderConfig = VariablesOf<typeof Begin>['object']['provider_config'];

/** Starts one way; returns a message about the next step. */
export function useBegin(row: Row) {
  const client = useQueryClient();
  return useMutation<string, ApiError, { provider: string; config?: ProviderConfig }>({
    mutationFn: async ({ provider, config }) => {
      const answer = await request(Begin, {
        object: {
          recommendation_id: row.id,
          account_id: row.stored.cloud_account.id,
          provider,
          ...(config ? { provider_config: config } : {}),
        },
      });
      return messageOf(answer.apply_recommendations?.data ?? []);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['graphql'] }),
  });
}

const Undo = graphql(`
  mutation RecommendationUndo($id: uuid!) {
    recommendation_undo(resolution_id: $id) {
      message
    }
  }
`);

/** Reverts the change of an attempt; returns a message about the next step. */
export function useUndo() {
  const client = useQueryClient();
  return useMutation<string, ApiError, string>({
    mutationFn: async (id) => (await request(Undo, { id })).recommendation_undo?.message ?? '',
    onSettled: () => client.invalidateQueries({ queryKey: ['graphql'] }),
  });
}

/** Whether the commands of an attempt ran and have an inverse. */
export function hasInverse({ status, status_message: said, data }: Attempt): boolean {
  const known = data as { inverse?: unknown[] } | null;
  return status !== 'Failed' && (said ?? '').startsWith('carried out') && (known?.inverse ?? []).length > 0;
}

/** The message of the service about an attempt. */
export function messageOf(data: readonly unknown[]): string {
  const [first] = data;
  const message = typeof first === 'object' && first !== null && 'message' in first ? first.message : undefined;
  return typeof message === 'string' ? message : '';
}

/** Why this person cannot carry anything out; undefined when they can. */
export function useCannotBegin(): string | undefined {
  return useWhyNot()({ fields: ['apply_recommendations'] });
}

const names: Record<string, string> = {
  '': 'By hand',
  ticket: 'With a ticket',
  jira: 'With a ticket in Jira',
  servicenow: 'With a ticket in ServiceNow',
  pagerduty: 'With an incident in PagerDuty',
  zenduty: 'With an incident in Zenduty',
  kubernetes: 'With kubectl, after approval',
  aws: 'With the AWS command line, after approval',
  github: 'With a pull request on GitHub',
  gitlab: 'With a merge request on GitLab',
};

/** The end of an attempt that cannot be monitored here. */
const untilSeen =
  'The next import that shows the change closes the recommendation; without one in 30 days, it reopens.';

const abouts: Record<string, string> = {
  '': `You make the change. ${untilSeen}`,
  kubernetes: 'A run waits for approval, then runs the commands below on the machine of the service.',
  aws: 'A run waits for approval, then runs the commands below on the machine of the service.',
  github:
    'The manifest in your repository gets the new requests and limits, and nothing else changes. After the merge, the next import that shows it closes the recommendation.',
  gitlab:
    'The manifest in your repository gets the new requests and limits, and nothing else changes. After the merge, the next import that shows it closes the recommendation.',
};

/** The name of a way; for a tracker it includes its name, because there may be several of one kind. */
export function wayName({ provider, integration_name: name }: Pick<Way, 'provider' | 'integration_name'>): string {
  const known = names[provider] ?? provider;
  return name ? `${known} (${name})` : known;
}

/** Identifies a way. */
export function wayKey({ provider, integration_id: id }: Way): string {
  return `${provider} ${id ?? ''}`;
}

/** The configuration to start a way with. */
export function wayConfig({ integration_id: id }: Way): ProviderConfig | undefined {
  return id ? { integration_id: id } : undefined;
}

/** A one-sentence description of a way. */
export function wayAbout(provider: string): string {
  return abouts[provider] ?? `The assignee of the ticket makes the change. ${untilSeen}`;
}

/** Whether a way needs a repository. */
export function needsRepository(way: Way): boolean {
  return way.type === 'PullRequest';
}

/** Reasons that make more than one way unavailable, each once: they are listed above the ways, the others next to theirs. */
export function sharedReasons(ways: readonly Way[]): string[] {
  const reasons = ways.flatMap((way) => way.reason ?? []);
  return [...new Set(reasons.filter((reason, place) => reasons.indexOf(reason) !== place))];
}

const attemptNames: Record<string, string> = {
  PullRequest: 'Pull request',
  Ticket: 'Ticket',
  DeploymentChange: 'Change of a deployment',
  CloudResource: 'Change of a cloud resource',
  WorkflowExecution: 'Workflow',
};

/** The name of an attempt. */
export function attemptName(type: string): string {
  return attemptNames[type] ?? type;
}

/** A reason of the service as a sentence of its own. */
export function sentence(reason: string): string {
  const end = /[.!?]$/.test(reason) ? '' : '.';
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${end}`;
}
