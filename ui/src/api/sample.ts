import { useQuery } from '@tanstack/react-query';
import type { ApiError } from './error';
import { instanceInFront } from '@/shared/place';
import { call, callHere } from './http';
import { useSession, useTenants } from './session';
import type { Rest } from './rest';

/** How the sample data stands, for the person who asks. */
export type SampleData = Rest.SampleData;

/** What is removed with the sample data. */
export type SampleContents = Rest.SampleContents;

export const readSampleContents = (signal?: AbortSignal) =>
  callHere<SampleContents>('/api/sample/contents', signal ? { signal } : {});

export const sampleKey = ['sample'] as const;

/** Asked again every half second while it is loaded. */
export function useSample(enabled: boolean) {
  return useQuery<SampleData, ApiError>({
    queryKey: sampleKey,
    queryFn: ({ signal }) => call<SampleData>('/api/sample', { signal }),
    enabled,
    refetchInterval: ({ state }) => (state.data?.state === 'loading' ? 500 : false),
  });
}

/** Begins to load it. */
export const loadSample = () => callHere<SampleData>('/api/sample', { method: 'POST' });

/** Removes it with its tenant; for whoever is in the tenant to go back to. */
export const removeSample = () => callHere<null>('/api/sample', { method: 'DELETE' });

/** What sends, runs or changes something outside: the service refuses it in the sample data, whatever way it is asked. */
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
  // Whoever is in it has another tenant, too.
  const hasSeveral = useTenants().length > 0;
  const sample = useSample(instanceInFront === null && hasSeveral).data;
  if (sample?.home == null || sample.tenant !== shown) return undefined;
  return { ...sample, home: sample.home };
}
