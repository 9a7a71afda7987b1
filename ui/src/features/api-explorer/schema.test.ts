import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { areasOf, search, siblingsOf } from './schema';

const schema = buildSchema(`
  schema { query: query_root mutation: mutation_root }
  type query_root { spends(limit: Int): [spends!]! spends_aggregate: spends_aggregate! spends_by_pk: spends odd: Int }
  type mutation_root { delete_spends: spends insert_spends_one: spends }
  type spends { id: ID! amount: Float }
  type spends_aggregate { count: Int! }
  input spends_bool_exp { amount: Float }
`);

test('root fields stand under the area of their table, each table once', () => {
  expect(areasOf(schema).map(({ title, fields }) => [title, fields.map(({ name }) => name)])).toEqual([
    ['Cost management', ['spends']],
    ['Other', ['odd']],
  ]);
});

test('what else can be done with a table is one step away', () => {
  const names = ['spends_aggregate', 'spends_by_pk', 'insert_spends_one', 'delete_spends'];
  expect(siblingsOf(schema, 'spends').map(({ field }) => field)).toEqual(names);
  expect(siblingsOf(schema, 'delete_spends').map(({ field }) => field)).toEqual(['spends', ...names.slice(0, 3)]);
});

test('a search finds root fields first, then types, then fields', () => {
  const found = search(schema, 'Spends').map(({ type, field }) => (field ? `${type}.${field}` : type));
  expect(found.slice(0, 2)).toEqual(['query_root.spends', 'query_root.spends_aggregate']);
  expect(found.at(-1)).toBe('spends_bool_exp');
  expect(search(schema, 'amount')).toEqual([{ type: 'spends', field: 'amount' }]);
  expect(search(schema, '  ')).toEqual([]);
});
