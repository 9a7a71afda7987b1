import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { drawForTest } from '../drawForTest';
import { ComparePage } from './ComparePage';

const plant = 'b0e5a1de-0000-4000-8000-000000000001';
const harbour = 'b0e5a1de-0000-4000-8000-000000000002';

afterEach(() => {
  vi.unstubAllGlobals();
});

const instance = (id: string, name: string, kept_in: 'run' | null) => ({
  id,
  name,
  colour: 'teal',
  address: `https://${name.toLowerCase()}.example`,
  own_authorities: [],
  kept_in,
  version: null,
});

/** What a side has under a root field; a field that is not there is one its version lacks. */
type Data = Record<string, unknown>;

function month(cost: number) {
  return { rows: [{ spend_date: '2026-09-01T00:00:00', currency_type: 'USD', billed_cost: cost }] };
}

/** This computer and Plant, which answer; and Harbour, where nobody is signed in. */
function answering(sides: Record<string, Data>) {
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    if (address === '/api/instances')
      return Promise.resolve(
        Response.json({
          here: { address: '127.0.0.1:7000', version: '0.1.0' },
          instances: [instance(harbour, 'Harbour', null), instance(plant, 'Plant', 'run')],
          file: 'none',
          colours: [],
        }),
      );
    const id = /^\/instances\/([^/]+)/.exec(address)?.[1] ?? 'here';
    if (address.endsWith('/api/about')) {
      const about = { version: id === plant ? '0.0.9' : '0.1.0', ...(id === plant ? {} : { schema_version: 4 }) };
      return Promise.resolve(Response.json(about));
    }
    const data = sides[id];
    if (!data)
      return Promise.resolve(
        Response.json({ error: 'instance_signed_out', message: 'Sign in again' }, { status: 401 }),
      );
    if (address.endsWith('/api/auth/session'))
      return Promise.resolve(
        Response.json({ email: 'ada@example.com', tenant: { id, name: 'Works' }, roles: ['tenant_admin'] }),
      );
    const { query = '' } = JSON.parse(String(init?.body ?? '{}')) as { query?: string };
    const field = Object.keys(data).find((name) => query.includes(name));
    return Promise.resolve(
      Response.json(
        field === undefined
          ? { errors: [{ message: "field 'spend_budgets' not found in type: 'query_root'" }] }
          : { data: { [field]: data[field] } },
      ),
    );
  });
}

test('this computer stands beside the first instance that is signed in to, line by line', async () => {
  answering({ here: { spend_groupings_v2: month(30) }, [plant]: { spend_groupings_v2: month(32.5) } });
  drawForTest('/settings/instances/compare', ComparePage);
  const costs = await screen.findByRole('table', { name: 'Costs by month' });
  await waitFor(() => {
    expect(within(costs).getAllByRole('row')[1]?.textContent).toBe('September 2026, USD$30.00$32.50+$2.50');
  });
  const version = screen.getByRole('table', { name: 'Version' });
  expect(version.textContent).toContain('Product version0.1.00.0.9Different');
  // It is said that its version does not tell, and no zero stands there.
  expect(version.textContent).toContain('Schema version4Not reported by its versionOnly This computer');
  expect(screen.getAllByText(/^Plant runs version 0\.0\.9\. That version or your role there/).length).toBeGreaterThan(
    0,
  );
});

test('an address says which two, and who is not signed in is told where to', async () => {
  answering({ here: { spend_groupings_v2: month(30) }, [plant]: { spend_groupings_v2: month(32.5) } });
  drawForTest(`/settings/instances/compare?a=${plant}&b=${harbour}`, ComparePage);
  const costs = await screen.findByRole('table', { name: 'Costs by month' });
  expect(costs.textContent).toContain('$32.50Not signed inNot comparable');
  const card = screen.getByRole('region', { name: 'Harbour' });
  expect(within(card).getByRole('link', { name: 'Instances' })).toBeDefined();
});

test('the two are swapped, and the other one is taken by choosing it', async () => {
  answering({ here: { spend_groupings_v2: month(30) }, [plant]: { spend_groupings_v2: month(30) } });
  drawForTest('/settings/instances/compare', ComparePage);
  const [first, second] = ['Compare', 'With'].map(
    (name) => () => screen.getByRole<HTMLSelectElement>('combobox', { name }),
  );
  await screen.findByRole('table', { name: 'Costs by month' });
  expect([first?.().value, second?.().value]).toEqual(['here', plant]);
  await userEvent.click(screen.getByRole('button', { name: 'Swap the two instances' }));
  await waitFor(() => {
    expect([first?.().value, second?.().value]).toEqual([plant, 'here']);
  });
  await userEvent.click(screen.getByRole('button', { name: 'Differences' }));
  await waitFor(() => {
    expect(within(screen.getByRole('region', { name: 'Costs by month' })).getByText('No differences')).toBeDefined();
  });
});

test('an address that names an unknown instance says so', async () => {
  answering({ here: {} });
  drawForTest('/settings/instances/compare?b=b0e5a1de-0000-4000-8000-00000000dead', ComparePage);
  expect(await screen.findByText(/that this computer does not know/)).toBeDefined();
});
