import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { sessionKey } from '@/api';
import { tenantSwitch } from '@/shared/tenantSwitch';
import { filesToPlace, targets } from './whereTo';
import { WhereToDialog } from './WhereToDialog';

const sample = { id: 'sample', name: 'Sample data', roles: ['tenant_admin'], current: true };
const other = { id: 'acme', name: 'Acme', roles: ['tenant_admin'], current: false };
const home = { id: 'home', name: 'Example Logistics', roles: ['tenant_admin'], current: false };
const readable = { id: 'read', name: 'Readable', roles: ['tenant_admin_readonly'], current: false };
const went = vi.fn(() => Promise.resolve());

beforeEach(() => {
  went.mockClear();
  tenantSwitch.set({ to: () => Promise.resolve(), with: went });
});

function open(tenants: (typeof sample)[]) {
  const what = { kind: 'files' as const, files: [new File(['a'], 'october.csv')] };
  filesToPlace.set(what);
  const client = new QueryClient();
  client.setQueryData(sessionKey, { email: 'a', name: 'Ada', tenant: sample, roles: ['tenant_admin'], tenants });
  render(
    <QueryClientProvider client={client}>
      <WhereToDialog what={what} sample="sample" home="home" />
    </QueryClientProvider>,
  );
}

test('the offer is the own tenant, then others one may import into, never the sample', () => {
  const names = targets([sample, other, home, readable], 'sample', 'home').map(({ name }) => name);
  expect(names).toEqual(['Example Logistics', 'Acme']);
});

test('files go where the person says', async () => {
  open([sample, other, home]);
  await userEvent.selectOptions(screen.getByLabelText('Tenant'), 'Acme');
  await userEvent.click(screen.getByRole('button', { name: 'Import into Acme' }));
  expect(went).toHaveBeenCalledWith('acme', '/imports', expect.any(Function));
});

test('who may import nowhere else is told, and nothing is sent', async () => {
  open([sample, readable]);
  expect(screen.getByText(/not an administrator of another tenant/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Import into/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(filesToPlace.get()).toBeNull();
  expect(went).not.toHaveBeenCalled();
});
