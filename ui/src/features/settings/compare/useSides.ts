import { useQueries } from '@tanstack/react-query';
import type { SideAnswer } from './line';
import { sections } from './sections';

export const compareKey = ['compare'] as const;

/** What an instance tells of every section, in their order: null is this computer, undefined is none, which tells nothing. */
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
