import type { ErrorComponentProps } from '@tanstack/react-router';
import { Failure, Page } from '@/shared';

/** What stands in place of a page that broke; rail and status bar keep working. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="This page broke">
      <Failure
        what="This page could not be shown"
        error={error instanceof Error ? error : new Error(String(error))}
        retry={reset}
      />
    </Page>
  );
}
