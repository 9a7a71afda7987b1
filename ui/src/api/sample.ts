import { useQuery } from '@tanstack/react-query';
import type { ApiError } from './error';
import { instanceInFront } from '@/shared/place';
import { call, callHere } from './http';
import { useSession, useTenants } from './session';
import type { Rest } from './rest';

/** The state of the sample data for the current user. */
export type SampleData = Rest.SampleData;

/** The contents removed with the sample data. */
export type SampleContents = Rest.SampleContents;

export const readSampleContents = (signal?: AbortSignal) =>
  callHere<SampleContents>('/api/sample/contents', signal ? { signal } : {});

export const sampleKey = ['sample'] as const;

/** Polled every half second while the sample data loads. */
export function useSample(enabled: boolean) {
  return useQuery<SampleData, ApiError>({
    queryKey: sampleKey,
    queryFn: ({ signal }) => call<SampleData>('/api/sample', { signal }),
    enabled,
    refetchInterval: ({ state }) => (state.data?.state === 'loading' ? 500 : false),
  });
}

/** Starts loading the sample data. */
export const loadSample = () => callHere<SampleData>('/api/sample', { method: 'POST' });

/** Removes the sample data with its tenant. Call it after switching to another tenant. */
export const removeSample = () => callHere<null>('/api/sample', { method: 'DELETE' });

/** Operations that send, run or change something outside: the service refuses them in the sample data. */
const acting: ReadonlySet<string> = new Set([
  'apply_recommendations',
  'auto_optimize_run_now',
  'auto_optimize_update_status',
  'auto_runbook_manually_run',
  'notice_channel_save',
  'notice_channel_test',
  'recommendation_undo',
  'report_send',
  'ticket_check_connection_by_config',
  'ticket_integration_create_config',
  'workflow_answer_approval',
  'workflow_cancel_execution',
  'workflow_resume',
  'workflow_trigger',
]);

/** Why a button is off in the sample data. */
export const sampleReason =
  'This is sample data: nothing here runs, is sent or changes anything outside. Do this in your own tenant.';

/** Why nothing acts outside while the sample data is in front; undefined for any other tenant. */
export function useSampleReason(): string | undefined {
  return useSampleInFront() && sampleReason;
}

/** Whether any of these fields acts outside. */
export const actsOutside = (fields: readonly string[] | undefined) =>
  fields?.some((field) => acting.has(field)) ?? false;

/** The sample data, while its tenant is in front on this computer, with the tenant `home` to go back to. */
export function useSampleInFront(): (SampleData & { home: string }) | undefined {
  const shown = useSession().data?.tenant.id;
  // A user in the sample data has another tenant as well.
  const hasSeveral = useTenants().length > 0;
  const sample = useSample(instanceInFront === null && hasSeveral).data;
  if (sample?.home == null || sample.tenant !== shown) return undefined;
  return { ...sample, home: sample.home };
}
