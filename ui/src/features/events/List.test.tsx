import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isFiring, isFiringAside } from '@/api';
import { List } from './List';
import { rowOf } from './row';
import type { EventRecord } from './row';
import { firingUnowned } from './where';

const row = rowOf({
  id: 'e1',
  title: 'Node is not ready',
  priority: 'HIGH',
  status: 'FIRING',
  nb_status: 'ACKNOWLEDGED',
  nb_status_changed_by: 'p1',
  starts_at: '2026-11-25T06:03:00',
  created_at: '2026-11-25T06:03:00',
  subject_name: 'node-1',
  cluster: 'plant-4',
  fingerprint: null,
  cloud_account: null,
} as EventRecord);
const answers: Record<string, object> = {
  EventPeople: { users: [{ id: 'p1', display_name: 'Ana Example' }] },
  FiringEvents: {
    event_groupings_v2: {
      rows: [
        { priority: 'HIGH', event_count: 1 },
        { priority: 'MEDIUM', event_count: 2 },
      ],
    },
  },
  FiringSums: { unowned: { aggregate: { count: 2 } }, aside: { aggregate: { count: 4 } } },
};
let asked: { name: string; variables: unknown }[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', (_path: string, init?: { body?: string }) => {
    const { query = '', variables = {} } = JSON.parse(init?.body ?? '{}') as { query?: string; variables?: object };
    const name = /query (\w+)/.exec(query)?.[1] ?? '';
    asked.push({ name, variables });
    return Promise.resolve(Response.json({ data: answers[name] ?? null }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function show(openId: string | null) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <List
        part={{ rows: [row], first: 0, error: null, retry: () => undefined, onView: () => undefined }}
        of="all"
        total={1}
        narrowed={false}
        openId={openId}
        onOpen={() => undefined}
        sort={undefined}
        onSort={() => undefined}
        selected={new Set()}
        onSelect={() => undefined}
        chosen={[]}
        whole={{ busy: false, select: () => undefined, stop: () => undefined }}
        acts={{ reason: undefined, busy: false, run: () => Promise.resolve(), stop: () => undefined }}
        onAct={() => undefined}
        onClear={() => undefined}
      />
    </QueryClientProvider>,
  );
}

test('above the list stands what fires and how much of it nobody has taken', async () => {
  show(null);
  expect(await screen.findByText('3 firing')).toBeTruthy();
  expect(screen.getByText('without an owner').textContent).toBe('2 without an owner');
  expect(screen.getByText('4 hidden by triage').title).toMatch(/duplicate/);
  expect(asked).toContainEqual({ name: 'FiringEvents', variables: { firing: isFiring } });
  expect(asked).toContainEqual({ name: 'FiringSums', variables: { unowned: firingUnowned, aside: isFiringAside } });
});

test.each([null, 'e1'])('the list names the owner, also beside an open event', async (openId) => {
  show(openId);
  expect(await screen.findByText('Ana Example')).toBeTruthy();
  const heads = within(screen.getByRole('table')).getAllByRole('columnheader');
  expect(heads.at(-1)?.textContent).toBe('Owner');
});

test('the list says of an event that others double it, and not of one whose duplicate was opened again', async () => {
  answers['DuplicatesOf'] = {
    event_classification: ['e2', 'e3', 'e4'].map((id) => ({ event_id: id, linked_event_id: 'e1' })),
  };
  answers['EventsNamed'] = {
    events: [
      { id: 'e2', nb_status: 'DUPLICATE' },
      { id: 'e3', nb_status: 'OPEN' },
      { id: 'e4', nb_status: 'DUPLICATE' },
    ],
  };
  show(null);
  expect(await screen.findByText(/2 duplicates/)).toBeTruthy();
  expect(asked).toContainEqual({ name: 'DuplicatesOf', variables: { ids: ['e1'] } });
});
