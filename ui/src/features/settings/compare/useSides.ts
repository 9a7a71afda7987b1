import { useQueries } from '@tanstack/react-query';
import type { SideAnswer } from './line';
import { sections } from './sections';

export const compareKey = ['compare'] as const;

/** The responses of an instance for every section, in order: null is this computer, undefined is no instance. */
export function useSide(of: string | null | undefined): SideAnswer[] {
  const answers = useQueries({
    queries: sections.map((section) => ({
      queryKey: [...compareKey, of ?? 'here', section.id],
      queryFn: ({ signal }: { signal: AbortSignal }) => section.read(of ?? null, signal),
      enabled: of !== undefined,
    })),
  });
  if (of === undefined) return sections.map(() => undefined);
  return answers.map(({ data, error }) => data ?? (error ? { state: 'failed', why: error.message } : undefined));
}
