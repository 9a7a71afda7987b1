import { expect, test } from 'vitest';
import { templates } from './templates';

test('ten workflows are there to begin with, beside the empty one', () => {
  expect(templates).toHaveLength(11);
  expect(new Set(templates.map(({ id }) => id)).size).toBe(11);
  for (const { title, yaml } of templates) {
    expect(yaml.startsWith('name: '), title).toBe(true);
    // A placeholder of JavaScript would be filled while the page is built.
    expect(yaml, title).not.toContain('undefined');
  }
});
