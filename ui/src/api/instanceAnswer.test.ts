import { afterEach, expect, test, vi } from 'vitest';
import { copyOf } from './offline';
import { askInstance, readAtInstance } from './instanceAnswer';
import { graphql } from './graphql';

const plant = 'b0e5a1de-0000-4000-8000-000000000001';
const Accounts = graphql(`
  query BesideTest {
    cloud_accounts {
      id
    }
  }
`);

afterEach(() => {
  vi.unstubAllGlobals();
  copyOf.set(null);
});

function answering(response: () => Response) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    return Promise.resolve(response());
  });
  return asked;
}

test('this computer is asked directly and another instance through the relay', async () => {
  const asked = answering(() => Response.json({ data: { cloud_accounts: [] } }));
  await askInstance(null, Accounts, {});
  expect(await askInstance(plant, Accounts, {})).toEqual({
    state: 'answered',
    value: { cloud_accounts: [] },
    copy: null,
  });
  expect(asked).toEqual(['/api/graphql', `/instances/${plant}/api/graphql`]);
});

test('a copy is told with its time, and the instance in front is not said to be one', async () => {
  answering(() => Response.json({ version: '0.1.0' }, { headers: { 'x-quarterdeck-copy': '2026-11-20T10:00:00Z' } }));
  const told = await readAtInstance(plant, '/api/auth/session');
  expect(told).toEqual({ state: 'answered', value: { version: '0.1.0' }, copy: '2026-11-20T10:00:00Z' });
  expect(copyOf.get()).toBeNull();
});

test.each([
  ['instance_signed_out', 401, 'signed_out'],
  ['instance_locked', 401, 'signed_out'],
  ['instance_unreachable', 503, 'away'],
  ['forbidden', 403, 'refused'],
  ['internal', 500, 'failed'],
])('why there is no answer is told in its words: %s', async (error, status, state) => {
  answering(() => Response.json({ error, message: 'Because.' }, { status }));
  expect(await readAtInstance(plant, '/api/about')).toEqual({ state, why: 'Because.' });
});

test('what another version does not have is told apart from what failed', async () => {
  answering(() => Response.json({ errors: [{ message: "field 'spend_budgets' not found in type: 'query_root'" }] }));
  expect(await askInstance(plant, Accounts, {})).toMatchObject({ state: 'lacks' });
  answering(() => Response.json({ errors: [{ message: 'took too long' }] }));
  expect(await askInstance(plant, Accounts, {})).toEqual({ state: 'failed', why: 'took too long' });
});
