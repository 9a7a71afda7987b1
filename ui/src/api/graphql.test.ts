import { expect, test } from 'vitest';
import { graphql, graphqlOptions } from '@/api';

const question = 'query Days { spend_groupings_v2(columns: ["first_date"]) { rows { first_date } } }';
const Days = graphql('query Days { spend_groupings_v2(columns: ["first_date"]) { rows { first_date } } }');

test('a document is looked up by its text and is nothing that has to be read first', () => {
  const { queryKey } = graphqlOptions(Days, {});
  expect(queryKey).toEqual(['graphql', question, {}]);
});

test('fragments follow the document that uses them', () => {
  const write = graphql as unknown as (text: string, fragments: string[]) => string;
  expect(write('query Q { a { ...F } }', ['fragment F on A { b }'])).toBe(
    'query Q { a { ...F } }\nfragment F on A { b }',
  );
});
