import { expect, test } from 'vitest';
import { questionsAbout, referenceOf } from './reference';

const id = '00000000-0000-4000-8000-000000000001';

test('an address names the row a question is about', () => {
  expect(referenceOf(`recommendation.${id}`)).toEqual({ type: 'recommendation', id });
  expect([undefined, '', 'recommendation', `invoice.${id}`, 'event.42'].map(referenceOf)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});

test('every kind of row has questions that are offered', () => {
  for (const type of ['charge', 'recommendation', 'event', 'resource'] as const)
    expect(questionsAbout(type).length).toBeGreaterThan(1);
});
