import { expect, test } from 'vitest';
import { findingsOf, lineOf } from './evidence';
import { points } from './Score';

test('evidence is told by its kind: logs, metrics, changes, and names with values for the rest', () => {
  const found = findingsOf([
    { type: 'pod_logs', title: 'Last lines', data: '2026-11-20 06:40:51 WARN gc pause\nplain' },
    {
      type: 'metric',
      title: 'Memory',
      series: [
        {
          name: 'api',
          points: [
            ['06:00', 310],
            ['06:10', 512],
          ],
        },
      ],
    },
    {
      type: 'change',
      title: 'Release',
      at: '2026-11-20T05:58:00Z',
      before: { limit: '1Gi' },
      after: { limit: '512Mi' },
    },
    { kind: 'Pod', name: 'api-1', exit_code: 137, node: null },
    'a sentence',
  ]);
  expect(found.map(({ kind }) => kind)).toEqual(['logs', 'metric', 'change', 'object', 'object']);
  expect(found[0]).toMatchObject({
    lines: [
      { level: 'WARN', text: 'gc pause' },
      { time: '', level: '', text: 'plain' },
    ],
  });
  expect(found[1]).toMatchObject({
    series: [
      {
        name: 'api',
        points: [
          ['06:00', 310],
          ['06:10', 512],
        ],
      },
    ],
  });
  expect(found[2]).toMatchObject({ at: '2026-11-20T05:58:00Z', facts: [{ name: 'limit', value: '1Gi → 512Mi' }] });
  expect(found[3]).toMatchObject({
    title: 'api-1',
    facts: [
      { name: 'kind', value: 'Pod' },
      { name: 'exit code', value: '137' },
    ],
  });
  expect(found[4]).toMatchObject({ facts: [{ name: 'text', value: 'a sentence' }] });
});

test('no evidence is none', () => {
  expect(findingsOf([])).toEqual([]);
  expect(findingsOf(null)).toEqual([]);
  expect(findingsOf({})).toEqual([]);
});

test('a line has its time and level apart', () => {
  expect(lineOf('2026-11-20T06:40:51.204Z [ERROR] cannot allocate')).toEqual({
    time: '2026-11-20T06:40:51.204Z',
    level: 'ERROR',
    text: 'cannot allocate',
  });
});

test('points of a score have their sign', () => {
  expect([25, -15, 0].map(points)).toEqual(['+25', '−15', '0']);
});
