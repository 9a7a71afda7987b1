import { fireEvent, render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { listen } from '@/shared/keyboard/keys';
import { List } from './List';
import type { Row } from './row';

const row = (id: string) =>
  ({
    id,
    kind: 'cost',
    name: id,
    account: 'Shop',
    currency: 'USD',
    impact: '10',
    days: '2 Nov',
    isOpen: false,
    verdict: null,
    reference: { values: [], run: [] },
  }) as unknown as Row;

test('J and K open the next and the previous anomaly, and stay at the ends of the list', () => {
  const stop = listen(window);
  const open = vi.fn();
  const rows = [row('a'), row('b'), row('c')];
  const list = (openId: string) => <List rows={rows} unjudged={3} openId={openId} onOpen={open} />;
  const { rerender } = render(list('b'));
  fireEvent.keyDown(document.body, { key: 'j' });
  fireEvent.keyDown(document.body, { key: 'k' });
  rerender(list('c'));
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(open.mock.calls.map(([one]) => (one as Row).id)).toEqual(['c', 'a']);
  stop();
});
