import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useWhyNot } from './capabilities';
import { sampleReason } from './sample';

const tenants = [
  { id: 's', name: 'Sample data' },
  { id: 'h', name: 'Home' },
];
let inFront = tenants[0];
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    if (path === '/api/auth/session')
      return Promise.resolve(
        Response.json({ email: 'ada@example.com', roles: ['tenant_admin'], tenant: inFront, tenants }),
      );
    if (path === '/api/sample')
      return Promise.resolve(
        Response.json({ tenant: 's', state: 'ready', reason: null, may_change: false, home: 'h' }),
      );
    return Promise.resolve(Response.json(null));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function Buttons() {
  const whyNot = useWhyNot();
  return (
    <>
      {['workflow_trigger', 'workflow_answer_approval', 'report_send', 'workflow_update'].map((field) => (
        <button key={field} type="button" title={whyNot({ fields: [field] })}>
          {field}
        </button>
      ))}
    </>
  );
}

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Buttons />
    </QueryClientProvider>,
  );
const reasonOf = (field: string) => screen.getByRole('button', { name: field }).getAttribute('title');

test('in the sample data what acts outside is off with the reason, and what is only written is not', async () => {
  inFront = tenants[0];
  show();
  await vi.waitFor(() => {
    expect(reasonOf('workflow_trigger')).toBe(sampleReason);
  });
  expect(reasonOf('workflow_answer_approval')).toBe(sampleReason);
  expect(reasonOf('report_send')).toBe(sampleReason);
  expect(reasonOf('workflow_update')).toBeNull();
});

test('in any other tenant nothing is off because of the sample data', async () => {
  inFront = tenants[1];
  show();
  await vi.waitFor(() => {
    expect(asked).toContain('/api/sample');
  });
  await screen.findByRole('button', { name: 'workflow_trigger' });
  expect(reasonOf('workflow_trigger')).toBeNull();
});
