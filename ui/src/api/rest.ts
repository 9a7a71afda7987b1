import type * as Rest from './generated/rest';

/** What the service answers at its REST routes, by the names of schema/generated/openapi.json. */
export type { Rest };

/** An answer of an instance that may be older than these pages, which does not tell some of it. */
export type OfAnyVersion<Answer, Missing extends keyof Answer> = Omit<Answer, Missing> & Partial<Pick<Answer, Missing>>;
