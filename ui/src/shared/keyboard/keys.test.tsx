import { fireEvent, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCommands } from './commands';
import type { Command } from './commands';
import { keyLabels, listen } from './keys';

let stop: () => void;
beforeEach(() => {
  stop = listen(window);
});
afterEach(() => {
  stop();
});

function Commands({ list }: { list: Command[] }) {
  useCommands(list);
  return <input aria-label="field" />;
}

const command = (keys: string, run: () => void): Command => ({ id: keys, title: keys, group: 'Do', keys, run });

test('two keys one after the other run a command', () => {
  const run = vi.fn();
  render(<Commands list={[command('g o', run)]} />);
  fireEvent.keyDown(window, { key: 'g' });
  fireEvent.keyDown(window, { key: 'o' });
  expect(run).toHaveBeenCalledOnce();
});

test('letters typed into a field stay in the field, Ctrl works everywhere', () => {
  const letter = vi.fn();
  const palette = vi.fn();
  const { getByLabelText } = render(<Commands list={[command('x', letter), command('mod+k', palette)]} />);
  fireEvent.keyDown(getByLabelText('field'), { key: 'x' });
  fireEvent.keyDown(getByLabelText('field'), { key: 'k', ctrlKey: true });
  expect(letter).not.toHaveBeenCalled();
  expect(palette).toHaveBeenCalledOnce();
});

test('Enter and Space belong to the control that has the focus, whatever the page does with them', () => {
  const run = vi.fn();
  const { getByText, getByLabelText } = render(
    <>
      <Commands list={[command('Enter', run), command(' ', run)]} />
      <button type="button">
        <b>Save</b>
      </button>
      <a href="#there">There</a>
      <input type="checkbox" aria-label="box" />
      <div role="tab">Tab</div>
      <p tabIndex={-1}>Text</p>
    </>,
  );
  for (const control of [getByText('Save'), getByText('There'), getByLabelText('box'), getByText('Tab')])
    for (const key of ['Enter', ' ']) expect(fireEvent.keyDown(control, { key })).toBe(true);
  expect(run).not.toHaveBeenCalled();
  expect(fireEvent.keyDown(getByText('Text'), { key: 'Enter' })).toBe(false);
  expect(run).toHaveBeenCalledOnce();
});

test('a box that is ticked keeps no letter from the page', () => {
  const run = vi.fn();
  const { getByLabelText } = render(
    <>
      <Commands list={[command('x', run)]} />
      <input type="checkbox" aria-label="box" />
    </>,
  );
  fireEvent.keyDown(getByLabelText('box'), { key: 'x' });
  expect(run).toHaveBeenCalledOnce();
});

test('a command is gone with its page', () => {
  const run = vi.fn();
  render(<Commands list={[command('x', run)]} />).unmount();
  fireEvent.keyDown(window, { key: 'x' });
  expect(run).not.toHaveBeenCalled();
});

test('keys are shown as they stand on the keyboard', () => {
  expect(keyLabels('g o')).toEqual(['G', 'O']);
  expect(keyLabels('mod+k')).toEqual(['Ctrl K']);
});

test('a key belongs to what appeared last, and stays there when the page below changes', () => {
  const [page, panel] = [vi.fn(), vi.fn()];
  const below = (title: string) => <Commands key="below" list={[{ ...command('e', page), title }]} />;
  const above = <Commands key="above" list={[{ ...command('e', panel), id: 'above' }]} />;
  const { rerender } = render([below('Edit'), above]);
  rerender([below('Edit the query'), above]);
  fireEvent.keyDown(window, { key: 'e' });
  expect(panel).toHaveBeenCalledOnce();
  expect(page).not.toHaveBeenCalled();
});
