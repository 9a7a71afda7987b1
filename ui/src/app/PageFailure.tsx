import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Failure, Page, toast } from '@/shared';
import { CodeMissing, readAgain, readAgainOnce } from './lazyPage';

/** Shown instead of a page that failed; rail and status bar keep working. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const isMissing = error instanceof CodeMissing;
  useEffect(() => {
    if (isMissing) void readAgainOnce();
  }, [isMissing]);
  return (
    <Page title={isMissing ? 'This page did not load' : 'This page failed'}>
      <Failure
        what="This page could not be shown"
        error={error instanceof Error ? error : new Error(String(error))}
        retry={isMissing ? again : reset}
      />
    </Page>
  );
}

async function again() {
  if (!(await readAgain())) toast({ tone: 'bad', text: 'The service does not answer yet' });
}
