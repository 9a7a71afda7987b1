import { graphql } from '@/api';
import type { ResultOf } from '@/api';

/** All auto-pilots and playbooks visible to the user, with their last results. */
export const AutomaticWork = graphql(`
  query AutomationAutomaticWork {
    auto_pilot(order_by: [{ name: asc }]) {
      id
      account_id
      name
      category
      status
      schedule_time
      next_schedule_time
      last_executed_time
      end_at
      attributes
      cloud_account {
        account_name
      }
      auto_optimize_resource_maps {
        resource_identifier
      }
      auto_pilot_tasks(order_by: [{ updated_at: desc }], limit: 1) {
        status
        reason
      }
    }
    auto_playbook(order_by: [{ name: asc }]) {
      id
      account_id
      name
      status
      trigger
      tasks
      attributes
      last_executed_time
      cloud_account {
        account_name
      }
      auto_playbook_executions_aggregate {
        aggregate {
          count
        }
      }
      auto_playbook_executions(order_by: [{ scheduled_at: desc }], limit: 1) {
        status
        scheduled_at
      }
    }
  }
`);

export type Pilot = ResultOf<typeof AutomaticWork>['auto_pilot'][number];
export type Playbook = ResultOf<typeof AutomaticWork>['auto_playbook'][number];

/** The number of recommendations of auto-pilots, by state. */
export const PilotFigures = graphql(`
  query AutomationPilotFigures($week: timestamp!) {
    done: auto_pilot_task_aggregate(where: { status: { _in: [Complete, Executed] } }) {
      aggregate {
        count
      }
    }
    under_way: auto_pilot_task_aggregate(where: { status: { _eq: In_Progress } }) {
      aggregate {
        count
      }
    }
    left: auto_pilot_task_aggregate(where: { status: { _eq: Skipped } }) {
      aggregate {
        count
      }
    }
    failed: auto_pilot_task_aggregate(where: { status: { _eq: Failed }, updated_at: { _gte: $week } }) {
      aggregate {
        count
      }
    }
  }
`);

/** The recommendations of an auto-pilot with their state, the latest first. */
export const PilotTasks = graphql(`
  query AutomationPilotTasks($id: uuid!) {
    auto_pilot_task(where: { auto_pilot_id: { _eq: $id } }, order_by: [{ updated_at: desc }], limit: 200) {
      id
      name
      status
      reason
      error
      command
      recommendation_id
      updated_at
    }
  }
`);

export type PilotTask = ResultOf<typeof PilotTasks>['auto_pilot_task'][number];

/** The latest runs of a playbook, with their steps. */
export const PlaybookRuns = graphql(`
  query AutomationPlaybookRuns($id: uuid!) {
    auto_playbook_executions(where: { auto_playbook_id: { _eq: $id } }, order_by: [{ scheduled_at: desc }], limit: 50) {
      id
      status
      scheduled_at
      updated_at
      meta
      auto_playbook_tasks(order_by: [{ id: asc }]) {
        id
        name
        status
        error
        reason
      }
    }
  }
`);

export type PlaybookRun = ResultOf<typeof PlaybookRuns>['auto_playbook_executions'][number];

export const AddAutoPilot = graphql(`
  mutation AutomationAddAutoPilot($request: auto_optimize_insert_one!) {
    auto_optimize_insert_one(arg1: $request) {
      id
    }
  }
`);

export const SetPilotStatus = graphql(`
  mutation AutomationSetPilotStatus($request: auto_optimize_update_status_request!) {
    auto_optimize_update_status(arg1: $request) {
      status
    }
  }
`);

export const RunPilot = graphql(`
  mutation AutomationRunPilot($request: AutoOptimizeRunRequest!) {
    auto_optimize_run_now(request: $request) {
      message
    }
  }
`);

export const SetPlaybookStatus = graphql(`
  mutation AutomationSetPlaybookStatus($request: auto_runbook_update_status_request!) {
    auto_runbook_update_status(arg1: $request) {
      status
    }
  }
`);

export const RunPlaybook = graphql(`
  mutation AutomationRunPlaybook($request: auto_runbook_manual_run_request!) {
    auto_runbook_manually_run(runbook_execute_request: $request) {
      status
    }
  }
`);
