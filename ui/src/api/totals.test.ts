import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

const sources = readdirSync('src/features', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
  .map((name) => ({ name, text: readFileSync(`src/features/${name}`, 'utf8') }));

test('no page adds up charges that another row counts already', () => {
  const interval = sources.filter(({ text }) => /spend_date(\]|:) ?:? ?bounds\(/.test(text));
  expect(interval.length).toBeGreaterThan(4);
  expect(interval.filter(({ text }) => !text.includes('inTotals')).map(({ name }) => name)).toEqual([]);
});

const listings = sources.flatMap(({ name, text }) =>
  [...text.matchAll(/spend_groupings_v2\(([^)]*)\)/g)].map(([, given = '']) => ({ name, given })),
);

test('no listing by what there may be more than 1,000 of is cut off there', () => {
  const many = listings.filter(({ given }) => /group_by: \["(account_id|resource_service_name)"/.test(given));
  expect(many.length).toBeGreaterThan(4);
  const cut = many.filter(({ given }) => !/limit:|"spend_date"/.test(given));
  expect(cut.map(({ name }) => name)).toEqual([]);
});

test('no listing of costs goes without a condition', () => {
  const sums = listings.filter(({ given }) => /"(billed_cost|spend_amount|effective_cost|list_cost)"/.test(given));
  expect(sums.length).toBeGreaterThan(6);
  expect(sums.filter(({ given }) => !given.includes('where:')).map(({ name }) => name)).toEqual([]);
});
