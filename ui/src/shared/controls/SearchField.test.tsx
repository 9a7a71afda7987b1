import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listen } from '../keyboard/keys';
import { SearchBox } from './SearchBox';

let stop: () => void;
beforeEach(() => {
  stop = listen(window);
});
afterEach(() => {
  stop();
});

/** A page with a list and a field that filters it. */
function List() {
  const [text, setText] = useState('');
  return (
    <main id="main" tabIndex={-1}>
      <SearchBox label="Filter rows" value={text} onChange={setText} />
      <div tabIndex={0} data-testid="list">
        rows
      </div>
    </main>
  );
}
const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter rows' });

test.each([
  ['{Enter}', 'err'],
  ['{Escape}', ''],
])('%s leaves the field for the list one came from', async (key, text) => {
  render(<List />);
  screen.getByTestId('list').focus();
  await userEvent.keyboard('/');
  expect(document.activeElement).toBe(field());
  await userEvent.keyboard(`err${key}`);
  expect(field().value).toBe(text);
  expect(document.activeElement).toBe(screen.getByTestId('list'));
});

test('who came from nowhere is in the page afterwards, and not above it', async () => {
  render(<List />);
  await userEvent.keyboard('/{Escape}');
  expect(document.activeElement).toBe(document.getElementById('main'));
});
