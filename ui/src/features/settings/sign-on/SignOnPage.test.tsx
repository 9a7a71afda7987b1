import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settingNames } from './types';

const elsewhere = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';
const plant = { id: elsewhere, name: 'Plant', colour: 'teal', address: 'https://plant.example.com' };
const unset = {
  value: null,
  source: 'default',
  overrides: null,
  environment: null,
  problem: null,
  required: false,
  default: null,
  meaning: '',
};
const settings = {
  values: Object.fromEntries(settingNames.map((name) => [name, unset])),
  missing: [],
  configured: true,
  enabled: false,
  certificates: [],
  service_provider: {
    acs_url: null,
    entity_id: null,
    name_id_format: 'email',
    sign_on_url: null,
    metadata_url: '/api/auth/saml/metadata',
  },
  mapping: [],
  mapping_problem: null,
  placement: { deployment: 'self-hosted', tenant: 'Home', from: 'default' },
  roles: [],
  warnings: [],
  last_test: null,
  password: { set: true, enabled: true },
};

let posted: [string, unknown][] = [];

beforeEach(() => {
  posted = [];
  localStorage.clear();
  vi.stubGlobal('open', vi.fn());
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    if (init?.method === 'POST') posted.push([path, JSON.parse(init.body as string)]);
    if (path === '/api/instances') return Promise.resolve(Response.json({ here: {}, instances: [plant] }));
    if (path.includes('/settings')) return Promise.resolve(Response.json(settings));
    return new Promise(() => undefined);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

/** The page, with that in front: an instance elsewhere by its place, or this computer. */
async function open(place: string) {
  vi.resetModules();
  window.history.replaceState(null, '', `${place}/settings/single-sign-on`);
  const { SignOnPage } = await import('./SignOnPage');
  const { drawForTest } = await import('../drawForTest');
  drawForTest('/settings/single-sign-on', SignOnPage);
  await screen.findByRole('heading', { name: '1. Register this service' });
}

test('an instance elsewhere is offered its own address and metadata, and never those of this computer', async () => {
  await open(`/i/${elsewhere}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Use https://plant.example.com' }));
  await vi.waitFor(() => {
    expect(posted).toContainEqual([
      `/instances/${elsewhere}/api/auth/saml/settings/check`,
      { values: { APPAUTH_URL: 'https://plant.example.com', SAML_AUDIENCE: 'https://plant.example.com' } },
    ]);
  });
  const metadata = screen.getByRole('link', { name: 'Metadata of this service, in the browser' });
  expect(metadata.getAttribute('href')).toBe('https://plant.example.com/api/auth/saml/metadata');
  expect(screen.queryByText(/localhost/)).toBeNull();
});

test('a test sign-in of an instance elsewhere is done in a browser there, and nothing of it is opened here', async () => {
  await open(`/i/${elsewhere}`);
  for (const press of screen.getAllByRole('button', { name: 'Test sign-in' })) await userEvent.click(press);
  expect(posted.filter(([path]) => path.endsWith('/tests'))).toEqual([]);
  expect(window.open).not.toHaveBeenCalled();
  expect(screen.getByText('A test of Plant is done in a browser')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open plant.example.com' }).getAttribute('href')).toBe(
    'https://plant.example.com/settings/single-sign-on',
  );
});

test('on this computer it stays as it is: the address of the page, a download, and a test in a tab', async () => {
  await open('');
  expect(screen.getByRole('button', { name: `Use ${window.location.origin}` })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Download metadata of this service' }).getAttribute('href')).toBe(
    '/api/auth/saml/metadata',
  );
  for (const press of screen.getAllByRole('button', { name: 'Test sign-in' }).slice(0, 2)) await userEvent.click(press);
  expect(window.open).toHaveBeenCalledWith('', '_blank');
  expect(posted.map(([path]) => path)).toContain('/api/auth/saml/tests');
});
