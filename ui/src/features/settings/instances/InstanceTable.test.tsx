import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Instance } from '@/api';
import { InstanceTable } from './InstanceTable';
import { KeptPanel } from './KeptPanel';

afterEach(() => {
  vi.unstubAllGlobals();
});

const plant = {
  id: '7',
  name: 'Plant',
  colour: 'teal',
  address: 'http://plant-with-a-long-name.example:8796',
  own_authorities: [],
  keeps_copies: true,
} as unknown as Instance;

test('beside an open instance both tables fit at 1280 px, and a cut address is told whole', () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(null)));
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <InstanceTable
        instances={[plant]}
        here={{ address: '127.0.0.1:8795', version: '0.1.0' }}
        isSlim
        onOpen={() => undefined}
      />
      <KeptPanel instances={[plant]} />
    </QueryClientProvider>,
  );
  for (const table of screen.getAllByRole('table')) {
    const fixed = Number.parseInt(table.style.getPropertyValue('--widths'), 10);
    // Beside the rail, the pages of Settings and the panel 423 px are left, of which a name takes 150.
    expect(fixed).toBeGreaterThan(0);
    expect(fixed).toBeLessThanOrEqual(423 - 150);
  }
  const address = screen.getByText(plant.address);
  expect(address.title).toBe(plant.address);
  expect(address.classList.contains('cut')).toBe(true);
});
