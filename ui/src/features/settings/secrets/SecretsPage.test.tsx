import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawForTest } from '../drawForTest';
import { SecretsPage } from './SecretsPage';

const kept = [
  {
    id: '1',
    name: 'DEPLOY_TOKEN',
    is_sealed: true,
    hosts: ['api.example.com'],
    updated_at: '2026-06-17T08:00:00Z',
    updated_by: 'Ada',
  },
  { id: '2', name: 'PROD_DB', is_sealed: false, hosts: [], updated_at: null, updated_by: null },
];
let sent: unknown[] = [];

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    const body = typeof init.body === 'string' ? init.body : '';
    if (path === '/api/graphql' && body.includes('mutation')) {
      sent.push((JSON.parse(body) as { variables: { request: unknown } }).variables.request);
      return Promise.resolve(Response.json({ data: {} }));
    }
    if (body.includes('workflow_list_secrets'))
      return Promise.resolve(Response.json({ data: { workflow_list_secrets: { secrets: kept } } }));
    return new Promise(() => undefined);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

const write = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

/** The page, once its secrets are there. */
async function draw() {
  drawForTest('/settings/workflow-secrets', SecretsPage);
  // The first page of a file is drawn slowly beside a build.
  return screen.findByText('DEPLOY_TOKEN', undefined, { timeout: 10_000 });
}

test('secrets stand with their hosts, and a new one is saved under its name', async () => {
  await draw();
  expect(screen.getByText('api.example.com')).toBeTruthy();
  expect(screen.getByText('anywhere')).toBeTruthy();
  expect(screen.getByText('Of the environment of the service')).toBeTruthy();
  await press('Save secret');
  expect(sent).toEqual([]);
  write('Name', 'GITHUB_TOKEN');
  write('Secret', 'ghp_word');
  await press('Save secret');
  expect(sent).toEqual([{ name: 'GITHUB_TOKEN', value: 'ghp_word' }]);
  expect(screen.getByLabelText<HTMLInputElement>('Secret').value).toBe('');
});

test('hosts of a secret are changed without its value, and a removal says what fails', async () => {
  await draw();
  await press('Change DEPLOY_TOKEN');
  write('Hosts', 'b.example');
  await press('Save secret');
  expect(sent).toEqual([{ name: 'DEPLOY_TOKEN', hosts: ['b.example'] }]);
  await press('Remove DEPLOY_TOKEN');
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText(/Workflows that name it fail/)).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Remove secret' }));
  expect(sent[1]).toEqual({ name: 'DEPLOY_TOKEN' });
});
