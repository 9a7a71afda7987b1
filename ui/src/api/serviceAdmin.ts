import { instanceInFront } from '@/shared/place';
import { ApiError } from './error';
import { call } from './http';
import { useSample } from './sample';
import { useSession, useTenants } from './session';

/**
 * What is known of whether this session may ask what only administrators of the service may: never in the sample data, and never without their role.
 * Undefined until that is known. In a tenant that is not the service's own it may be refused still.
 */
function useMayAsk(): boolean | undefined {
  // Pages are shown when it is known.
  const session = useSession().data;
  const hasSeveral = useTenants().length > 0;
  const mayBeSample = instanceInFront === null && hasSeveral;
  const sample = useSample(mayBeSample);
  if (!session) return true;
  if (!session.roles.includes('tenant_admin')) return false;
  if (mayBeSample && sample.isPending) return undefined;
  return sample.data?.tenant !== session.tenant.id;
}

/**
 * Asks what only administrators of the service may. Where this session may not, the refusal that the service would send comes without a request, which
 * every browser would note as an error.
 */
export function useServiceAdmin() {
  const mayAsk = useMayAsk();
  return {
    enabled: mayAsk !== undefined,
    ask: <Answer>(path: string, signal: AbortSignal): Promise<Answer> =>
      mayAsk
        ? call<Answer>(path, { signal })
        : Promise.reject(new ApiError('forbidden', 'Your role does not include this', 403, path)),
  };
}
