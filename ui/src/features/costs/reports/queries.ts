import { graphql } from '@/api';
import type { ResultOf } from '@/api';

/** The reports with their last run, and the available channels. */
export const Reports = graphql(`
  query Reports {
    scheduled_report(where: { removed_at: { _is_null: true } }, order_by: [{ name: asc }, { id: asc }]) {
      id
      name
      kind
      settings
      schedule
      timezone
      channel_id
      recipients
      formats
      is_active
      next_due_at
      channel {
        name
      }
      runs(order_by: { due_at: desc }, limit: 24) {
        id
        due_at
        is_manual
        error
        notice {
          deliveries {
            state
            sent_at
            error
          }
        }
      }
    }
    notice_channel(where: { removed_at: { _is_null: true } }, order_by: { name: asc }) {
      id
      name
      kind
      target
      is_active
    }
  }
`);

type ReportsResult = ResultOf<typeof Reports>;
export type Report = ReportsResult['scheduled_report'][number];
export type Run = Report['runs'][number];
export type Channel = ReportsResult['notice_channel'][number];

/** Tables and charts of a report. */
export const ReportContent = graphql(`
  query ReportContent($request: ReportRequest!) {
    report_document(request: $request) {
      content
    }
  }
`);

/** Its documents. */
export const ReportFiles = graphql(`
  query ReportFiles($request: ReportRequest!) {
    report_document(request: $request) {
      files {
        name
        media_type
        base64
      }
    }
  }
`);

export const AddReport = graphql(`
  mutation ReportAdd($report: scheduled_report_insert_input!) {
    insert_scheduled_report_one(object: $report) {
      id
    }
  }
`);

export const ChangeReport = graphql(`
  mutation ReportChange($id: uuid!, $report: scheduled_report_set_input!) {
    update_scheduled_report_by_pk(pk_columns: { id: $id }, _set: $report) {
      id
    }
  }
`);

export const SendReport = graphql(`
  mutation ReportSend($id: uuid!) {
    report_send(id: $id) {
      run_id
    }
  }
`);
