import type * as Rest from './generated/rest';

/** The responses of the REST routes, by the names of schema/generated/openapi.json. */
export type { Rest };

/** A response of an instance that may be older than these pages and lack some fields. */
export type OfAnyVersion<Answer, Missing extends keyof Answer> = Omit<Answer, Missing> & Partial<Pick<Answer, Missing>>;
