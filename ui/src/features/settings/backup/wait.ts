import { serviceAddress } from '@/shared/place';

/** When the service began; 'signed out' where it no longer knows us, null while it does not answer. */
export async function startedAt(): Promise<string | null> {
  try {
    const answer = await fetch(serviceAddress('/api/health/report'));
    if (answer.status === 401) return 'signed out';
    return answer.ok ? ((await answer.json()) as { started_at: string }).started_at : null;
  } catch {
    return null;
  }
}

/** Waits until another service answers than the one that began then. */
export async function untilRestarted(before: string | null): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const found = await startedAt();
    if (found !== null && found !== before) return;
  }
}
