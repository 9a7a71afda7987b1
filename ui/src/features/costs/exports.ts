import { createStore } from '@/shared';
import type { Export } from './export';

/** What can be exported of the view on screen; null while there is none. The button stands in the top bar, the rows far below it. */
export const exports = createStore<{ table: () => Export; chart: () => Export } | null>(null);
