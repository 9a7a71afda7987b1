import { afterEach, expect, test, vi } from 'vitest';
import { groupLimit, restOf } from './group';
import { loadGroups } from './load';

const range = { from: '2024-09-01', to: '2024-09-30' };

/** Answers questions for groups with the first of so many, of which one has no value and one an empty one. */
function answerWith(count: number) {
  const names = [null, '', ...Array.from({ length: count - 2 }, (_, place) => `service-${String(place)}`)];
  vi.stubGlobal('fetch', (_path: string, { body }: { body: string }) => {
    const { variables } = JSON.parse(body) as { variables: { limit: number } };
    const rows = names.map((name) => ({ resource_service_name: name, spend_amount: 1, spend_count: 1 }));
    return Promise.resolve(Response.json({ data: { spend_groupings_v2: { rows: rows.slice(0, variables.limit) } } }));
  });
}
afterEach(() => {
  vi.unstubAllGlobals();
});

const load = () => loadGroups({ range, before: null, metric: 'billed', filters: [] }, 'USD', 'service', []);

test('what lies beyond the limit has its row, also where a missing value and an empty one are one group', async () => {
  answerWith(groupLimit + 5);
  const groups = await load();
  expect(groups).toHaveLength(groupLimit);
  expect(restOf(groups, String(groupLimit + 5), null)?.value).toBe('4');
});

test('where all groups are there, there are no others', async () => {
  answerWith(groupLimit);
  const groups = await load();
  expect(groups).toHaveLength(groupLimit - 1);
  expect(restOf(groups, String(groupLimit), null)).toBeNull();
});
