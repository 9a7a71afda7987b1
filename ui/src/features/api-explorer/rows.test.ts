import { expect, test } from 'vitest';
import { readExact } from './json';
import { tableOf } from './rows';

const table = (text: string) => tableOf(readExact(text));

test('rows of a list become rows of a table, nested values columns, every digit kept', () => {
  const answer = table(
    '{"data":{"accounts":[{"id":"a","of":{"aggregate":{"sum":{"amount":8400.130000000000000001},"count":2}}},{"id":"b","of":null}]}}',
  );
  expect(answer?.columns).toEqual([
    { name: 'id', isNumber: false },
    { name: 'of.sum.amount', isNumber: true },
    { name: 'of.count', isNumber: true },
    { name: 'of', isNumber: false },
  ]);
  expect(answer?.rows[0]).toEqual({ id: 'a', 'of.sum.amount': '8400.130000000000000001', 'of.count': '2' });
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
