import { graphql } from '@/api';
import type { ResultOf, VariablesOf } from '@/api';

/** Parses YAML and returns the definition with all errors. Nothing is written. */
export const ReadYaml = graphql(`
  query AutomationReadYaml($account: String!, $yaml: String!) {
    workflow_read_yaml(request: { account_id: $account, yaml: $yaml }) {
      name
      definition
      is_sound
      mistakes
      warnings
    }
  }
`);

/** A workflow as it was written. */
export const ExportYaml = graphql(`
  query AutomationExport($account: String!, $id: String!) {
    workflow_export(request: { account_id: $account, id: $id }) {
      name
      yaml
    }
  }
`);

/** The available task types. */
export const TaskKinds = graphql(`
  query AutomationTaskKinds {
    workflow_list_taskdefinitions(params: {}) {
      tasks {
        name
        description
        input_schema
      }
    }
  }
`);

export type TaskKind = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof TaskKinds>['workflow_list_taskdefinitions']>['tasks']>[number]
>;

export const ImportYaml = graphql(`
  mutation AutomationImport($request: WorkflowImportRequest!) {
    workflow_import(request: $request) {
      id
      name
      token
      message
    }
  }
`);

/** Plans a run to its end; nothing is written, nothing is sent. */
export const DryRun = graphql(`
  mutation AutomationDryRun($request: WorkflowDryrunRequest!) {
    workflow_trigger_dryrun(request: $request) {
      status
      error
      output
      tasks {
        id
        type
        status
        error
        input
        output
      }
    }
  }
`);

export type DryRunAnswer = NonNullable<ResultOf<typeof DryRun>['workflow_trigger_dryrun']>;
export type DefinitionRequest = VariablesOf<typeof DryRun>['request']['definition'];

/** The saved versions of a workflow, newest first. `target` is its key as JSON. */
export const Saves = graphql(`
  query AutomationSaves($target: String!) {
    audits_v2(
      where: { event_category: { _eq: "workflow" }, event_target: { _contains: $target } }
      order_by: [{ column: "event_time", order: desc }]
    ) {
      rows {
        id
        event_time
        event_actor
        event_state
      }
    }
  }
`);

/** A workflow from a description, written by a language model and checked. */
export const Draft = graphql(`
  query AutomationDraft($request: AIGenerateWorkflowRequest!) {
    ai_generate_workflow(request: $request) {
      data {
        response
      }
    }
  }
`);

/** Runs of a workflow to try templates against. */
export const PastRuns = graphql(`
  query AutomationPastRuns($account: String!, $id: String!) {
    workflow_list_executions(request: { account_id: $account, id: $id, limit: 20 }) {
      executions {
        id
        status
        start_time
      }
    }
  }
`);
