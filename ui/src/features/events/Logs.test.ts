import { expect, test } from 'vitest';
import { merged, selectorsOf } from './Logs';

test('lines that name a subject are asked for by their text and by each label that may carry its name', () => {
  const all = selectorsOf(['web-1.x', 'web']);
  expect(all[0]).toBe('{} |~ "web-1\\\\.x|web"');
  expect(all).toContain('{pod=~"web-1\\\\.x|web"}');
  expect(selectorsOf([])).toEqual(['']);
});

test('a line that several selectors find is shown once, in the order of time', () => {
  const line = (timestamp: string) => ({ timestamp, severity: 'info', message: 'm', labels: { pod: 'a' } });
  const found = merged([line('2026-06-02T00:00:00Z'), line('2026-06-01T00:00:00Z'), line('2026-06-02T00:00:00Z')]);
  expect(found.map(({ timestamp }) => timestamp)).toEqual(['2026-06-01T00:00:00Z', '2026-06-02T00:00:00Z']);
});
