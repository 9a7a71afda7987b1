import { describe, expect, it } from 'vitest';
import { choose, contentOf, draftOf, lacking } from './draft';

const table = {
  header: ['Day', 'Amount', 'Project', 'Team'],
  rows: [],
  suggestion: { columns: { date: 'Day', cost: 'Amount' }, values: {}, tags: [] },
  fields: [
    { name: 'cost', is_needed: true },
    { name: 'date', is_needed: true },
    { name: 'provider', is_needed: true },
    { name: 'region', is_needed: false },
  ],
};

describe('a mapping that is made', () => {
  it('begins with what the names of the columns say, and tells what lacks', () => {
    const draft = draftOf(table);
    expect(draft.choices).toEqual({ cost: 'column:Amount', date: 'column:Day' });
    expect(lacking(table, draft)).toEqual(['provider']);
  });

  it('takes a value for every row in place of a column', () => {
    const draft = { ...choose(draftOf(table), 'provider', 'value'), values: { provider: ' Hetzner ' }, tags: ['Team'] };
    expect(lacking(table, draft)).toEqual([]);
    expect(contentOf(draft)).toEqual({
      columns: { cost: 'Amount', date: 'Day' },
      values: { provider: 'Hetzner' },
      tags: ['Team'],
    });
    expect(lacking(table, { ...draft, values: { provider: ' ' } })).toEqual(['provider']);
  });

  it('leaves a field out again', () => {
    expect(contentOf(choose(draftOf(table), 'cost', '')).columns).toEqual({ date: 'Day' });
  });
});
