import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Sparkles, SquarePen } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useGraphQL } from '@/api';
import { Button, Content, Empty, Page, date, useCommands, useNow } from '@/shared';
import { AboutAnswer } from './About';
import { exchangesOf } from './answer';
import { Composer } from './Composer';
import { NoModel } from './NoModel';
import { Conversation, Conversations } from './queries';
import { Suggestions, Thread } from './Thread';
import type { Exchange, SentLine } from './types';
import { useAccount } from './useAccount';
import { useReady } from './useReady';
import type { Standing } from './useReady';
import { useTalk } from './useTalk';
import './assistant.css';

/** Conversations with the assistant. */
export function AssistantPage() {
  const search = useSearch({ from: '/assistant' });
  const { accounts, all, account } = useAccount(search.account);
  const { query, standing } = useReady(account?.id);
  return (
    <Page title="Conversations" crumb="Assistant & knowledge" flush={standing !== null}>
      <Content of={accounts} what="Accounts could not be read">
        {() =>
          !account ? (
            <Empty
              icon={Sparkles}
              title="There is nothing to ask about yet"
              action={
                <Link to="/imports" className="btn pri">
                  Import cost files
                </Link>
              }
            >
              The assistant answers from your bills, events and documents. Import a bill first.
            </Empty>
          ) : (
            <Content of={query} what="Models could not be read">
              {() =>
                standing ? (
                  <Talk key={account.id} account={account.id} accounts={all} standing={standing} />
                ) : (
                  <NoModel />
                )
              }
            </Content>
          )
        }
      </Content>
    </Page>
  );
}

function Talk({
  account,
  accounts,
  standing,
}: {
  account: string;
  accounts: readonly { id: string; account_name: string }[];
  standing: Standing;
}) {
  const { c: conversation } = useSearch({ from: '/assistant' });
  const navigate = useNavigate({ from: '/assistant' });
  const open = (id: string | undefined) => {
    void navigate({ search: { account, ...(id ? { c: id } : {}) } });
  };
  const talk = useTalk(account, open);
  const known = useGraphQL(
    Conversation,
    {
      account,
      accountText: account,
      conversation: conversation ?? '',
      conversationText: conversation ?? '',
    },
    { enabled: conversation !== undefined },
  );
  const shown = conversation === undefined || known.isPlaceholderData ? undefined : known.data;
  const kept = exchangesOf(
    shown?.ai_get_conversation_v3?.messages ?? [],
    (shown?.ai_list_references?.data ?? []).filter((one) => one !== null),
  );
  const exchanges = together(kept, talk.now);
  const lines = (shown?.ai_list_sent?.data ?? []) as unknown as SentLine[];
  const last = exchanges.at(-1);
  const isBusy = talk.now?.state === 'writing';
  const end = useRef<HTMLDivElement>(null);
  const length = last?.answer.length ?? 0;
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [length, exchanges.length]);
  const ask = (question: string) => {
    void talk.start(question, conversation);
  };
  const begin = () => {
    talk.clear();
    open(undefined);
  };
  useCommands([
    { id: 'new conversation', title: 'New conversation', group: 'Do', keys: 'mod+n', icon: SquarePen, run: begin },
  ]);
  return (
    <>
      <Recent
        account={account}
        current={conversation}
        onNew={begin}
        onOpen={(id) => {
          talk.clear();
          open(id);
        }}
      />
      <div className="talk">
        <div className="thread" tabIndex={0} role="log" aria-label="Conversation">
          {exchanges.length === 0 ? <Suggestions onAsk={ask} /> : <Thread exchanges={exchanges} onRetry={ask} />}
          <div ref={end} />
        </div>
        <Composer
          account={account}
          accounts={accounts}
          conversation={conversation}
          standing={standing}
          isBusy={isBusy}
          onAccount={(id) => {
            talk.clear();
            void navigate({ search: { account: id } });
          }}
          onAsk={ask}
          onStop={talk.stop}
        />
      </div>
      <AboutAnswer account={account} sent={isBusy ? talk.sent : lines} references={last?.references ?? []} />
    </>
  );
}

/** What is kept, and the answer that is being written: it is told once, whether or not it is kept already. */
function together(kept: readonly Exchange[], now: Exchange | null): readonly Exchange[] {
  if (!now) return kept;
  const last = kept.at(-1);
  const others = last?.question === now.question ? kept.slice(0, -1) : kept;
  return [...others, now];
}

function Recent({
  account,
  current,
  onNew,
  onOpen,
}: {
  account: string;
  current: string | undefined;
  onNew: () => void;
  onOpen: (id: string) => void;
}) {
  const all = useGraphQL(Conversations, { account }).data?.ai_list_conversations?.data ?? [];
  const now = useNow();
  return (
    <nav className="side hide-n" aria-label="Conversations">
      <Button className="wide" onClick={onNew}>
        <SquarePen className="i s" />
        New conversation
      </Button>
      {all.length > 0 && <div className="grp">Recent</div>}
      {all.map((one) => (
        <button
          key={one.id}
          type="button"
          className="it bare"
          {...(one.id === current ? { 'aria-current': 'page' as const } : {})}
          onClick={() => {
            onOpen(one.id);
          }}
        >
          <span className="grow">
            <b className="cut">{one.title ?? 'Untitled'}</b>
            <span className="small muted">
              {one.status === 'IN_PROGRESS' ? 'Answering' : date(one.updated_at, now)}
            </span>
          </span>
        </button>
      ))}
      <p className="small muted">Visible to you only.</p>
    </nav>
  );
}
