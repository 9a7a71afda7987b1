import type { TadaDocumentNode, initGraphQLTada } from 'gql.tada';
import type { Numeric } from '@/shared/decimal';
import type { introspection } from './generated/schema';

/** Any JSON value, for columns with documents. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The TypeScript types of the GraphQL scalars. */
export interface Scalars {
  String: string;
  ID: string;
  Int: number;
  Boolean: boolean;
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
}

interface Setup {
  introspection: introspection;
  disableMasking: true;
  scalars: Scalars;
}

/**
 * Writes a query; its result and variables are typed from the schema. Fragments that it uses follow it: `graphql(text, [Fields])`.
 *
 * `numeric`, `float8`, `Float` and `bigint` arrive exact, as `Numeric`: show them with `shared/format`, add them with `shared/decimal`.
 *
 * A document is its text. Parsed, it would be printed for every request, and read as a whole wherever an answer is looked up by it: with every drawing
 * of every part of a page.
 */
export const graphql = ((text: string, fragments: readonly string[] = []) =>
  [text, ...fragments].join('\n')) as unknown as ReturnType<typeof initGraphQLTada<Setup>>;

/** A document from a query text composed of others. */
export function documentOf<Result, Variables>(text: string): TadaDocumentNode<Result, Variables> {
  return text as unknown as TadaDocumentNode<Result, Variables>;
}

/** The text of a document. */
export function textOf<Result, Variables>(document: TadaDocumentNode<Result, Variables>): string {
  return document as unknown as string;
}

export type { ResultOf, TadaDocumentNode as Document, VariablesOf } from 'gql.tada';
