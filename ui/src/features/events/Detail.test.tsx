import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listen } from '@/shared/keyboard/keys';
import { Detail } from './Detail';

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  Link: ({ children }: { children: string }) => <a href="/">{children}</a>,
  useNavigate: () => () => undefined,
}));

const event = {
  id: 'e1',
  title: 'Node is not ready',
  priority: 'HIGH',
  status: 'FIRING',
  nb_status: 'ACKNOWLEDGED',
  nb_status_changed_by: 'p1',
  starts_at: '2026-11-25T06:03:00',
  ends_at: '2026-11-25T09:00:00',
  created_at: '2026-11-25T06:03:00',
  aggregation_key: 'NodeNotReady',
  finding_type: 'alert',
  subject_name: 'i-1',
  cluster: 'plant-4',
  cloud_resource_id: 'r1',
  cloud_account: { id: 'a1', account_name: 'Plant 4' },
};
const day = (date: string, cost: string) => ({
  currency_type: 'USD',
  spend_date: `${date}T00:00:00`,
  billed_cost: cost,
});
const causes = {
  analysis: 'By rules.',
  analysis_type: 'root_cause',
  summary: 'Nothing is near.',
  investigation: { hypotheses: [], evidence: [], looked_at: {} },
};
const answers: Record<string, object> = {
  OneEvent: { events_by_pk: event },
  EventPeople: { users: [{ id: 'p1', display_name: 'Ana' }] },
  EventCosts: { spend_groupings_v2: { rows: [day('2026-11-24', '10.00'), day('2026-11-25', '10.27')] } },
  TicketsAbout: { tenant: [] },
  EventTimeline: {
    event_get_timeline: {
      timeline: [
        { action: 'started', ref_type: 'events', summary: 'began', timestamp: '2026-11-25T06:03:00', metadata: {} },
        {
          action: 'status_changed',
          ref_type: 'event_history',
          summary: 'status from OPEN to ACKNOWLEDGED',
          timestamp: '2026-11-25T06:20:00',
          metadata: { changed_by: 'p1' },
        },
      ],
    },
  },
  EventModels: { ai_list_models: { data: { models: [{ provider: 'p', model: 'm' }] } } },
  EventPlaybooks: {
    auto_playbook: [{ id: 'p1', name: 'restart', status: 'ACTIVE', trigger: { type: 'manual' }, attributes: {} }],
    workflow_list: {
      workflows: [
        { id: 'w1', name: 'nightly', status: 'ACTIVE', definition: { triggers: [{ type: 'manual', params: null }] } },
        {
          id: 'w2',
          name: 'drain',
          status: 'ACTIVE',
          definition: { triggers: [{ type: 'event', params: { event_type: 'NodeNotReady' } }] },
        },
      ],
    },
  },
  EventRunPlaybook: { auto_runbook_manually_run: { status: 'SCHEDULED: the run begins at once' } },
  EventRunWorkflow: { workflow_trigger: { execution_id: 'x' } },
  EventResolveByWorkflow: { event_resolve: { data: [] } },
};
let asked: { name: string; variables: Record<string, unknown> }[];
let stop: () => void;

beforeEach(() => {
  stop = listen(window);
  asked = [];
  vi.stubGlobal('fetch', (_path: string, init?: { body?: string }) => {
    const { query = '', variables = {} } = JSON.parse(init?.body ?? '{}') as {
      query?: string;
      variables?: Record<string, unknown>;
    };
    const name = /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '';
    asked.push({ name, variables });
    if (name === 'EventRootCause') {
      const written = { ...causes, analysis: 'The node was drained [E1].', analysis_type: 'root_cause_written' };
      return Promise.resolve(
        Response.json({ data: { ai_get_rca: { data: variables['generate'] === true ? written : causes } } }),
      );
    }
    return Promise.resolve(Response.json(name in answers ? { data: answers[name] } : null));
  });
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

function show() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <button type="button">A row of the list</button>
      <Detail
        id="e1"
        row={undefined}
        acts={{ reason: undefined, busy: false, run: () => Promise.resolve(), stop: () => undefined }}
        onAct={() => undefined}
        onClose={() => undefined}
        onPrevious={undefined}
        onNext={undefined}
      />
    </QueryClientProvider>,
  );
  return screen.findByRole('tabpanel', { name: 'Cause and evidence' });
}

test('T opens the tickets of an event, and the next key is meant for them', async () => {
  await show();
  const row = screen.getByRole('button', { name: 'A row of the list' });
  row.focus();
  fireEvent.keyDown(row, { key: 't' });
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Tickets' }));
  const tickets = within(screen.getByRole('region', { name: 'Tickets' }));
  expect(await tickets.findByRole('button', { name: 'Create ticket' })).toBeTruthy();
});

test('an event says who has it, what it costs, and what was done by whom', async () => {
  await show();
  expect(await screen.findByText('Ana')).toBeTruthy();
  expect(await screen.findByText('≈ $0.27')).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Costs so far' }).textContent).toMatch(/usually \$10\.00 a day/);
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'Cause and evidence',
    'Logs',
    'Timeline 2',
    'Activity',
  ]);
  fireEvent.click(screen.getByRole('tab', { name: 'Activity' }));
  const [done] = within(screen.getByRole('list', { name: 'Activity' })).getAllByRole('listitem');
  expect(done?.textContent).toMatch(/^Status from Open to AcknowledgedAna, 25 Nov/);
});

test('Explain has a model put the causes into words', async () => {
  await show();
  const explain = await screen.findByRole('button', { name: 'Explain' });
  await waitFor(() => {
    expect(explain.hasAttribute('disabled')).toBe(false);
  });
  fireEvent.click(explain);
  expect(await screen.findByText('The node was drained [E1].')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Explain' })).toBeNull();
});

test('a workflow is run with the event; that of its own kind is offered first, and it may resolve the event', async () => {
  await show();
  fireEvent.click(screen.getByRole('button', { name: 'Run playbook' }));
  const list = await screen.findByLabelText<HTMLSelectElement>('Playbook or workflow');
  expect([...list.options].map(({ text }) => text)).toEqual([
    'drain (workflow, for events of this kind)',
    'restart (playbook)',
    'nightly (workflow)',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Run now' }));
  await waitFor(() => {
    expect(asked.find(({ name }) => name === 'EventRunWorkflow')?.variables).toMatchObject({
      request: { account_id: 'a1', id: 'w2', inputs: { event: { id: 'e1', aggregation_key: 'NodeNotReady' } } },
    });
  });
  await waitFor(() => {
    expect(screen.queryByRole('dialog')).toBeNull();
  });
  fireEvent.click(screen.getByRole('button', { name: 'Run playbook' }));
  fireEvent.click(await screen.findByLabelText('Resolve the event when the run succeeds'));
  fireEvent.click(screen.getByRole('button', { name: 'Run now' }));
  await waitFor(() => {
    expect(asked.find(({ name }) => name === 'EventResolveByWorkflow')?.variables).toEqual({
      object: { event_id: 'e1', account_id: 'a1', provider: 'workflow', provider_config: { workflow_id: 'w2' } },
    });
  });
});

test('a playbook is run with the event', async () => {
  await show();
  fireEvent.click(screen.getByRole('button', { name: 'Run playbook' }));
  fireEvent.change(await screen.findByLabelText('Playbook or workflow'), { target: { value: 'p1' } });
  expect(screen.getByText(/It receives this event as Inputs\.event/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Run now' }));
  await waitFor(() => {
    expect(asked.find(({ name }) => name === 'EventRunPlaybook')?.variables).toEqual({ id: 'p1', event: 'e1' });
  });
});

test('on a phone the lesser buttons of an event are in its menu', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ ...window.matchMedia('(max-width: 760px)'), matches: true });
  await show();
  expect(screen.queryByRole('button', { name: 'Run playbook' })).toBeNull();
  fireEvent.keyDown(screen.getByRole('button', { name: 'More actions' }), { key: 'Enter' });
  const entries = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  expect(entries.slice(0, 2)).toEqual([
    expect.stringMatching(/^Create ticket/),
    expect.stringMatching(/^Run playbook/),
  ]);
  fireEvent.click(screen.getByRole('menuitem', { name: /^Create ticket/ }));
  expect(await screen.findByRole('region', { name: 'Tickets' })).toBeTruthy();
  vi.restoreAllMocks();
});
