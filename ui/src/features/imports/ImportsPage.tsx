import { Page } from '@/shared';

/** Files in. */
export function ImportsPage() {
  return <Page title="Imports">{null}</Page>;
}
