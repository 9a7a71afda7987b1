import { serviceAddress } from '@/shared/place';

/** When the service started; 'signed out' if the session is no longer valid, null while it does not respond. */
export async function startedAt(): Promise<string | null> {
  try {
    const answer = await fetch(serviceAddress('/api/health/report'));
    if (answer.status === 401) return 'signed out';
    return answer.ok ? ((await answer.json()) as { started_at: string }).started_at : null;
  } catch {
    return null;
  }
}

/** Waits until the service has restarted, compared with the start time `before`. */
export async function untilRestarted(before: string | null): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const found = await startedAt();
    if (found !== null && found !== before) return;
  }
}
