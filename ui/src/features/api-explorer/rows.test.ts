import { expect, test } from 'vitest';
import { readExact } from './json';
import { tableOf } from './rows';

const table = (text: string) => tableOf(readExact(text));

test('rows of a list become rows of a table, nested values columns, every digit kept', () => {
  const answer = table(
    '{"data":{"accounts":[{"id":"a","x_aggregate":{"aggregate":{"sum":{"amount":8400.130000000000000001},"count":2}}},{"id":"b","x_aggregate":null}]}}',
  );
  expect(answer?.columns.map(({ title, isNumber }) => [title, isNumber])).toEqual([
    ['id', false],
    ['sum.amount', true],
    ['count', true],
    ['x_aggregate', false],
  ]);
  expect(answer?.rows[0]).toEqual({
    id: 'a',
    'x_aggregate.sum.amount': '8400.130000000000000001',
    'x_aggregate.count': '2',
  });
});

test('an aggregate is one row', () => {
  const answer = table(
    '{"data":{"spends_aggregate":{"aggregate":{"count":998,"sum":{"billed_cost":20.52022672899}}}}}',
  );
  expect(answer?.rows).toEqual([{ count: '998', 'sum.billed_cost': '20.52022672899' }]);
});

test('an answer without rows has no table', () => {
  for (const text of ['{"data":{"spends":[]}}', '{"errors":[{"message":"x"}]}', '{"data":null}', '[]']) {
    expect(table(text), text).toBeUndefined();
  }
});
