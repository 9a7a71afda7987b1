import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Page } from './Page';

function Shown({ hasCome }: { hasCome: boolean }) {
  const page = <Page title="Single sign-on">{hasCome ? <button type="button">Save</button> : 'Loading'}</Page>;
  return hasCome ? <div>{page}</div> : page;
}

test('the focus stays in the content of a page that takes the place of another', () => {
  const { rerender } = render(<Shown hasCome={false} />);
  screen.getByRole('main').focus();
  rerender(<Shown hasCome />);
  expect(document.activeElement).toBe(screen.getByRole('main'));
  screen.getByRole('button').focus();
  rerender(<Shown hasCome={false} />);
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('a page takes no focus that was not in the one before', () => {
  const { rerender } = render(<Shown hasCome={false} />);
  rerender(<Shown hasCome />);
  expect(document.activeElement).toBe(document.body);
  const field = document.createElement('input');
  document.body.append(field);
  screen.getByRole('main').focus();
  field.focus();
  rerender(<Shown hasCome={false} />);
  expect(document.activeElement).toBe(field);
  field.remove();
});

test('one that comes later than the other went does not, either', async () => {
  const { unmount } = render(<Shown hasCome />);
  screen.getByRole('main').focus();
  unmount();
  await Promise.resolve();
  render(<Shown hasCome />);
  expect(document.activeElement).toBe(document.body);
});
