import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { setZone } from '@/shared';
import { LogFilters } from './LogFilters';
import { fullTime } from './LineTable';
import type { Change } from './search';

afterEach(() => {
  setZone(null);
});

test('a range is typed where the person is, and its address is the same hour everywhere', () => {
  setZone('Europe/Berlin');
  const changes: Change[] = [];
  const [from, to] = [Date.parse('2026-07-01T06:30:00Z'), Date.parse('2026-07-01T07:30:00Z')];
  render(
    <LogFilters
      account="a"
      accounts={[]}
      search={{}}
      from={from}
      to={to}
      many={() => undefined}
      onGo={(change) => changes.push(change)}
    />,
  );
  const field = screen.getByLabelText<HTMLInputElement>('From (Europe/Berlin)');
  expect(field.value).toBe('2026-07-01T08:30');
  fireEvent.change(field, { target: { value: '2026-07-01T08:00' } });
  expect(changes).toEqual([{ from: '2026-07-01T06:00', to: '2026-07-01T07:30', line: undefined }]);
});

test('a line has its time where the person is, to the part of a second it came with', () => {
  setZone('Asia/Kolkata');
  expect(fullTime('2026-11-20T20:30:04.123456Z')).toBe('2026-11-21 02:00:04.123456');
});
