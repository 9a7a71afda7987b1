import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';

const elsewhere = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';
const plant = { id: elsewhere, name: 'Plant', colour: 'amber', address: 'https://plant.example.com' };

afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

/** The strip above a page at that address. */
async function show(address: string) {
  vi.resetModules();
  window.history.replaceState(null, '', address);
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const { instancesKey } = await import('@/api');
  const { FrontStrip } = await import('./FrontStrip');
  const { dialog } = await import('./dialogs');
  const { windowName } = await import('@/shared/windowName');
  const client = new QueryClient();
  client.setQueryData(instancesKey, { here: {}, instances: [plant] });
  const { container } = render(
    <QueryClientProvider client={client}>
      <FrontStrip />
    </QueryClientProvider>,
  );
  return { container, dialog, windowName };
}

test('an instance elsewhere is named by the strip, in its colour, and in the name of the window; a press opens the switcher', async () => {
  const { dialog, windowName } = await show(`/i/${elsewhere}/overview`);
  const strip = screen.getByRole('button', { name: 'Switch instance, current: Plant' });
  expect([strip.className, strip.textContent]).toEqual(['frontstrip inst-amber', 'Plantplant.example.com']);
  expect(windowName.get()).toBe('Plant · Quarterdeck');
  await userEvent.click(strip);
  expect(dialog.get()).toBe('instances');
});

test('this computer has none', async () => {
  const { container, windowName } = await show('/overview');
  expect([container.textContent, windowName.get()]).toEqual(['', 'Quarterdeck']);
});

test('the strip is there wherever the rail shows no names', () => {
  const styles = readFileSync('src/shared/styles/narrow.css', 'utf8');
  expect(styles).toMatch(/@media \(min-width: 761px\) and \(max-width: 1100px\) \{[^@]*\.rail \.inst > :not\(\.logo\)/);
  expect(styles).toMatch(/@media \(max-width: 1100px\) \{\s*\.frontstrip \{\s*display: flex;/);
});
