import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WithoutModel } from './WithoutModel';

let search: { c?: string } = {};

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  Link: ({ children }: { children: string }) => <a href="/">{children}</a>,
  useNavigate: () => () => undefined,
  useSearch: () => search,
}));

// The ways to a model listen for downloads, of which this test knows none.
vi.mock('./NoModel', () => ({ NoModel: () => <h2>The assistant needs a model</h2> }));

const said = (id: string, role: string, message: string) => ({
  id,
  role,
  message,
  status: 'COMPLETED',
  status_reason: null,
  unproved: null,
  created_at: '2026-11-25T06:03:00',
});
const answers: Record<string, object> = {
  AssistantConversations: {
    ai_list_conversations: {
      data: ['Why is it dear?', 'Who has to know?'].map((title, at) => ({
        id: `c${String(at)}`,
        title,
        status: 'COMPLETED',
        updated_at: '2026-11-25T06:03:00',
      })),
    },
  },
  AssistantConversation: {
    ai_get_conversation_v3: {
      conversation: { user_display_name: 'Ana' },
      messages: [said('m1', 'user', 'Why is it dear?'), said('m2', 'assistant', 'It writes debug lines.')],
      tool_calls: [],
    },
    ai_list_references: { data: [] },
    ai_list_sent: { data: [] },
  },
};

beforeEach(() => {
  vi.stubGlobal('fetch', (_: string, init?: { body?: string }) => {
    const name = /(?:query|mutation) (\w+)/.exec(init?.body ?? '')?.[1] ?? '';
    return Promise.resolve(Response.json(name in answers ? { data: answers[name] } : null));
  });
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  vi.unstubAllGlobals();
  search = {};
});

function shown() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <WithoutModel account="1" />
    </QueryClientProvider>,
  );
}

test('without a model, earlier conversations are listed beside the ways to one', async () => {
  shown();
  expect(screen.getByText('The assistant needs a model')).toBeTruthy();
  expect(await screen.findByText('Why is it dear?')).toBeTruthy();
  expect(screen.getByText('Who has to know?')).toBeTruthy();
});

test('one that is opened can be read, and says that a model goes on with it', async () => {
  search = { c: 'c0' };
  shown();
  expect(await screen.findByText('It writes debug lines.')).toBeTruthy();
  expect(screen.getByText(/set up a model/)).toBeTruthy();
  expect(await screen.findByText('Who has to know?')).toBeTruthy();
});
