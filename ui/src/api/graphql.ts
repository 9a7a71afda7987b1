import { initGraphQLTada } from 'gql.tada';
import type { Numeric } from '@/shared/decimal';
import type { introspection } from './generated/schema';

/** Any JSON value, for columns that hold documents. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * Writes a query; its result and variables are typed from the schema.
 *
 * `numeric`, `float8`, `Float` and `bigint` arrive exact, as `Numeric`: show them with `shared/format`, add them with `shared/decimal`.
 */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    uuid: string;
    timestamp: string;
    timestamptz: string;
    date: string;
    Datetime: string;
    numeric: Numeric;
    float8: Numeric;
    Float: Numeric;
    bigint: Numeric;
    jsonb: Json;
    json: Json;
    Json: Json;
    citext: string;
  };
}>();

export type { ResultOf, VariablesOf } from 'gql.tada';
