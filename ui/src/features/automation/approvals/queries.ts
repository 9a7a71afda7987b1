import { graphql } from '@/api';
import type { ResultOf } from '@/api';

/** Approvals of runs, with the plan of the tasks that follow. */
export const Approvals = graphql(`
  query AutomationApprovals($status: String!) {
    workflow_list_approvals(request: { status: $status, limit: 200 }) {
      approvals {
        id
        account_id
        workflow_id
        workflow_name
        execution_id
        task_id
        purpose
        message
        plan
        plan_id
        options
        asked_at
        due_at
        default_on_timeout
        minimum
        excludes_author
        approvers
        votes {
          person
          status
          comments
          voted_at
        }
        status
        answer
        answered_by
        answered_at
        comments
        may_answer
        reason
      }
      total_count
    }
    waiting: workflow_list_approvals(request: { status: "open", limit: 1 }) {
      total_count
    }
    decided: workflow_list_approvals(request: { status: "answered", limit: 1 }) {
      total_count
    }
  }
`);

export type Approval = NonNullable<ResultOf<typeof Approvals>['workflow_list_approvals']>['approvals'][number];

export const AnswerApproval = graphql(`
  mutation AutomationAnswerApproval($request: WorkflowApprovalAnswerRequest!) {
    workflow_answer_approval(request: $request) {
      is_decided
      answer
      missing
      message
    }
  }
`);
