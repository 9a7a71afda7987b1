import { graphql } from '@/api';
import type { ResultOf } from '@/api';

/** Accounts that workflows belong to. */
export const AutomationAccounts = graphql(`
  query AutomationAccounts {
    cloud_accounts(order_by: [{ account_name: asc }]) {
      id
      account_name
      cloud_provider
    }
  }
`);

/** The workflows of one account: the interface lists no others. */
export const WorkflowList = graphql(`
  query AutomationWorkflows($account: String!) {
    workflow_list(request: { account_id: $account, limit: 1000 }) {
      workflows {
        id
        account_id
        name
        status
        tags
        last_execution_status
        last_execution_time
        last_execution_waits_for
        updated_at
        updated_by_user {
          display_name
        }
        definition {
          triggers {
            type
            params
          }
          inputs {
            id
            type
            default
            description
          }
        }
      }
    }
  }
`);

export type ListedWorkflow = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof WorkflowList>['workflow_list']>['workflows']>[number]
>;

/** One workflow with its definition, and its latest runs. */
export const WorkflowDetail = graphql(`
  query AutomationWorkflow($account: String!, $id: String!) {
    workflow_get(request: { account_id: $account, id: $id }) {
      id
      account_id
      name
      status
      tags
      created_at
      updated_at
      updated_by_user {
        display_name
      }
      definition {
        timeout
        inputs {
          id
          type
          default
          description
        }
        triggers {
          type
          params
        }
        tasks {
          id
          type
          if
          depends_on
          params
          pinned_output
          tasks {
            id
            type
          }
        }
      }
    }
    workflow_list_executions(request: { account_id: $account, id: $id, limit: 200 }) {
      executions {
        id
        status
        start_time
        close_time
        trigger_type
        triggered_by
        waits_for
      }
    }
  }
`);

export type Workflow = NonNullable<ResultOf<typeof WorkflowDetail>['workflow_get']>;
export type Run = NonNullable<ResultOf<typeof WorkflowDetail>['workflow_list_executions']>['executions'] extends
  readonly (infer One)[] | null
  ? One
  : never;

/** One run with its tasks. */
export const RunDetail = graphql(`
  query AutomationRun($account: String!, $workflow: String!, $id: String!) {
    workflow_get_execution(request: { account_id: $account, workflow_id: $workflow, id: $id }) {
      id
      status
      start_time
      close_time
      error
      inputs
      workflow_result
      triggered_by
      tasks {
        id
        type
        status
        attempt
        input
        output
        error
        start_time
        end_time
        children
      }
    }
  }
`);

export type RunWithTasks = NonNullable<ResultOf<typeof RunDetail>['workflow_get_execution']>;
export type RunTask = NonNullable<NonNullable<RunWithTasks['tasks']>[number]>;

/** Names of the people who started runs. */
export const People = graphql(`
  query AutomationPeople {
    users {
      id
      display_name
    }
  }
`);

/** Whether the service executes workflows, and how to switch that on. */
export const AutomationStatus = graphql(`
  query AutomationStatus {
    automation_get_status {
      history_days
      is_on
    }
  }
`);

export const Cancel = graphql(`
  mutation AutomationCancel($request: WorkflowCancelRequest!) {
    workflow_cancel_execution(request: $request) {
      message
    }
  }
`);

export const RunFromTask = graphql(`
  mutation AutomationRunFromTask($request: WorkflowRunFromTaskRequest!) {
    workflow_run_from_task(request: $request) {
      execution_id
      kept
    }
  }
`);

export const Trigger = graphql(`
  mutation AutomationTrigger($request: WorkflowTriggerRequest!) {
    workflow_trigger(request: $request) {
      execution_id
    }
  }
`);

export const Retrigger = graphql(`
  mutation AutomationRetrigger($request: WorkflowRetriggerRequest!) {
    workflow_retrigger_execution(request: $request) {
      execution_id
    }
  }
`);

export const Pause = graphql(`
  mutation AutomationPause($account: String!, $id: String!) {
    workflow_pause(request: { account_id: $account, id: $id }) {
      data
    }
  }
`);

export const Resume = graphql(`
  mutation AutomationResume($account: String!, $id: String!) {
    workflow_resume(request: { account_id: $account, id: $id }) {
      data
    }
  }
`);

export const Remove = graphql(`
  mutation AutomationRemove($account: String!, $id: String!) {
    workflow_delete(request: { account_id: $account, id: $id }) {
      message
    }
  }
`);
