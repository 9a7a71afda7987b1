import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawForTest } from '../drawForTest';
import type { Backup } from './queries';
import { RestorePanel } from './RestorePanel';

const backup: Backup = {
  name: 'quarterdeck-1',
  bytes: 100,
  check: { state: 'verified', at: '2026-06-17T12:00:00Z' },
  closed: false,
  reason: 'by_hand',
  taken_at: '2026-06-17T12:00:00Z',
};

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The panel over a backup since which people did nothing. */
function draw(rows: { table: string; now: number; then: number }[]) {
  vi.stubGlobal('fetch', (path: string) => {
    if (!path.endsWith('/preview')) return new Promise(() => undefined);
    const since = { changes: 0, import_count: 0, imports: [], security_events: 0 };
    return Promise.resolve(Response.json({ confirm: 'Home', version: '1', this_version: '1', rows, since }));
  });
  drawForTest('/settings/backup', () => (
    <RestorePanel backup={backup} isLastSound={false} instance="Home" onClose={() => undefined} />
  ));
}

test('rows that would be fewer while nobody did anything are said to be of the service itself', async () => {
  draw([{ table: 'setting', now: 1, then: 0 }]);
  const text = await screen.findByText(/Nothing has been imported or changed by people since then/);
  expect(text.textContent).toContain('Rows that become fewer were written by the service itself.');
});

test('where nothing would be fewer, nothing is said of it', async () => {
  draw([{ table: 'setting', now: 1, then: 1 }]);
  const text = await screen.findByText(/Nothing has been imported or changed by people since then/);
  expect(text.textContent).not.toContain('fewer');
});
