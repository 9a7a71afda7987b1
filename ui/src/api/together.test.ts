import { afterEach, expect, test, vi } from 'vitest';
import { graphql } from './graphql';
import { joined, mostTogether, requestTogether } from './together';

const PutEvent = graphql(`
  mutation EventPut($id: uuid!, $status: String!, $set: events_set_input!) {
    update_events(where: { id: { _eq: $id }, nb_status: { _eq: $status } }, _set: $set) {
      affected_rows
    }
  }
`);

interface Sent {
  query: string;
  variables: Record<string, unknown>;
}

/** Answers like the service, which refuses a whole request for one event it does not know. */
function serve(): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    const { query, variables } = JSON.parse(body) as Sent;
    sent.push({ query, variables });
    if (Object.values(variables).includes('unknown'))
      return Promise.resolve(Response.json({ data: null, errors: [{ message: 'there is no event unknown' }] }));
    const fields = [...query.matchAll(/(\w+)?:? ?update_events/g)].map(([, alias]) => alias ?? 'update_events');
    const rows = fields.map((field, place) => [field, { affected_rows: place }]);
    return Promise.resolve(Response.json({ data: Object.fromEntries(rows) as unknown }));
  });
  return sent;
}
afterEach(() => {
  vi.unstubAllGlobals();
});

const put = (id: string) => requestTogether(PutEvent, { id, status: 'OPEN', set: { status: 'CLOSED' } });

test('changes asked for at the same moment are one request, and each hears its own answer', async () => {
  const sent = serve();
  const answers = await Promise.all(['a', 'b', 'c'].map(put));
  expect(sent).toHaveLength(1);
  expect(sent[0]?.variables).toMatchObject({ id_0: 'a', id_1: 'b', id_2: 'c', status_2: 'OPEN' });
  expect(answers.map((answer) => answer.update_events?.affected_rows)).toEqual([0, 1, 2]);
});

test('one request holds so many and no more', async () => {
  const sent = serve();
  await Promise.all(Array.from({ length: mostTogether + 1 }, (_, place) => put(`e${String(place)}`)));
  expect(sent.map(({ variables }) => Object.keys(variables).length)).toEqual([mostTogether * 3, 3]);
});

test('what is refused together is sent alone, so that only the one that fails fails', async () => {
  const sent = serve();
  const outcomes = await Promise.allSettled(['a', 'unknown', 'c'].map(put));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(sent).toHaveLength(4);
});

test('a document of several fields numbers the variables of each', () => {
  const { text, variables, field } = joined(
    'mutation EventSet($id: String!, $until: String) { set_status(id: $id, until: $until) { new_status } }',
    [{ id: 'a', until: null }, { id: 'b' }],
  );
  expect(text).toBe(
    'mutation EventSets($id_0: String!, $until_0: String, $id_1: String!, $until_1: String) {\n' +
      'c0: set_status(id: $id_0, until: $until_0) { new_status }\n' +
      'c1: set_status(id: $id_1, until: $until_1) { new_status }\n}',
  );
  expect(variables).toEqual({ id_0: 'a', until_0: null, id_1: 'b' });
  expect(field).toBe('set_status');
});
