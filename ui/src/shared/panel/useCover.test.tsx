import { act, render } from '@testing-library/react';
import { useRef } from 'react';
import { expect, test, vi } from 'vitest';
import { useCover } from './useCover';

function Panel() {
  const panel = useRef<HTMLElement>(null);
  useCover(panel);
  return <aside ref={panel} style={{ position: 'fixed' }} />;
}

test('what a panel covers takes no focus until the window is wider or the panel is closed', () => {
  const width = vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(window.innerWidth);
  const show = (isOpen: boolean) => (
    <div className="app">
      <nav />
      <div>
        <main />
        {isOpen && <Panel />}
      </div>
      <div className="toasts" />
    </div>
  );
  const { container, rerender } = render(show(true));
  const inert = () => [...container.querySelectorAll('[inert]')].map((part) => part.tagName);
  expect(inert()).toEqual(['NAV', 'MAIN']);

  width.mockReturnValue(548);
  act(() => window.dispatchEvent(new Event('resize')));
  expect(inert()).toEqual([]);

  width.mockReturnValue(window.innerWidth);
  act(() => window.dispatchEvent(new Event('resize')));
  expect(inert()).toEqual(['NAV', 'MAIN']);
  rerender(show(false));
  expect(inert()).toEqual([]);
});
