import { expect, test } from 'vitest';
import { reportForTest } from './drawForTest';
import { groups, perDelivery } from './groups';
import type { Work } from './work';

const work = (key: string, to: Partial<Work>): Work => ({
  key,
  id: key,
  batch: Number(key),
  drop: null,
  name: `${key}.csv`,
  size: 1,
  phase: 'ended',
  sent: 1,
  read: null,
  since: 0,
  left: null,
  report: null,
  fileKept: true,
  trouble: null,
  ...to,
});
const of = (id: string) => reportForTest({ delivery: { id, manifest: null, parts: [], part: null } });

test('files stand together that came in one drop, or are parts of one delivery', () => {
  const all = [
    work('1', { drop: 'x' }),
    work('2', { report: of('d') }),
    work('3', { drop: 'x' }),
    work('4', { report: of('d') }),
    work('5', {}),
  ];
  expect(groups(all).map(({ works }) => works.map(({ key }) => key))).toEqual([['1', '3'], ['2', '4'], ['5']]);
});

test('a delivery is asked about once', () => {
  const reports = [
    { id: '1', report: of('d') },
    { id: '2', report: of('d') },
    { id: '3', report: of('e') },
  ];
  expect(perDelivery(reports).map(({ id }) => id)).toEqual(['1', '3']);
});
