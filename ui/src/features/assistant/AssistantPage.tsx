import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { Brain, Share2, Sparkles, SquarePen, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { request, useOriginInFront, useSession } from '@/api';
import { host } from '@/host';
import { Button, Content, Dialog, NothingImported, Page, Select, toast, useCommands, useNarrow } from '@/shared';
import { linkAt } from '@/shared/place';
import { AboutAnswer } from './About';
import { Composer } from './Composer';
import { RemoveConversation } from './queries';
import { Recent } from './Recent';
import { referenceOf } from './reference';
import type { Reference } from './reference';
import { Suggestions, Thread } from './Thread';
import type { Exchange, Model, SentLine } from './types';
import { useAccount } from './useAccount';
import { useConversation, useConversations } from './useConversation';
import { useReady } from './useReady';
import type { Standing } from './useReady';
import { useTalk } from './useTalk';
import { WithoutModel } from './WithoutModel';
import './assistant.css';

/** Conversations with the assistant. */
export function AssistantPage() {
  const search = useSearch({ from: '/assistant/conversations' });
  const { accounts, all, account } = useAccount(search.account);
  const { query, standing } = useReady(account?.id);
  return (
    <Page
      title="Conversations"
      crumb="Assistant & knowledge"
      flush={standing !== null}
      actions={account && standing && <Actions account={account.id} conversation={search.c} />}
    >
      <Content of={accounts} what="Accounts could not be read">
        {() =>
          !account ? (
            <NothingImported
              icon={Sparkles}
              words={{
                title: 'No data to ask about yet',
                text: 'The assistant answers from your bills, events and documents. Import a bill first.',
                action: 'Import cost files',
              }}
            />
          ) : (
            <Content of={query} what="Models could not be read">
              {() =>
                standing ? (
                  <Talk key={account.id} account={account.id} accounts={all} standing={standing} />
                ) : (
                  <WithoutModel key={account.id} account={account.id} />
                )
              }
            </Content>
          )
        }
      </Content>
    </Page>
  );
}

/** Actions on the current conversation. */
function Actions({ account, conversation }: { account: string; conversation: string | undefined }) {
  const navigate = useNavigate({ from: '/assistant/conversations' });
  const client = useQueryClient();
  const origin = useOriginInFront();
  const [removing, setRemoving] = useState(false);
  const none = conversation ? undefined : 'Open a conversation first';
  const share = () => {
    if (origin === null) return;
    host
      .copy(linkAt(origin))
      .then(() => {
        toast({
          tone: 'ok',
          text: 'Link copied. Anyone who can read the whole tenant can open it, but not write in it.',
        });
      })
      .catch(() => {
        toast({ tone: 'bad', text: 'The link could not be copied. Copy it from the address.' });
      });
  };
  const remove = () => {
    setRemoving(false);
    request(RemoveConversation, { conversation: conversation ?? '' })
      .then(async () => {
        await navigate({ search: { account } });
        await client.invalidateQueries({ queryKey: ['graphql'] });
      })
      .catch((error: unknown) => {
        toast({ tone: 'bad', text: (error as Error).message });
      });
  };
  return (
    <>
      <Link to="/assistant/memory" search={{ account }} className="btn ghost hide-n">
        <Brain className="i" />
        Memory
      </Link>
      <Button
        kind="quiet"
        iconOnly
        aria-label="Remove conversation"
        reason={none}
        onClick={() => {
          setRemoving(true);
        }}
      >
        <Trash2 className="i" />
      </Button>
      <Button reason={none} disabled={origin === null} onClick={share}>
        <Share2 className="i" />
        Share
      </Button>
      {removing && (
        <Dialog
          open
          title="Remove this conversation"
          help="Questions, answers and the data looked up are removed. Requests to models and their cost stay on record."
          onClose={() => {
            setRemoving(false);
          }}
          actions={
            <Button kind="destructive" onClick={remove}>
              Remove
            </Button>
          }
        />
      )}
    </>
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
  const { c: conversation, about, what, q } = useSearch({ from: '/assistant/conversations' });
  const reference = referenceOf(about);
  const [showsAbout, setShowsAbout] = useState(false);
  const navigate = useNavigate({ from: '/assistant/conversations' });
  const isNarrow = useNarrow();
  const me = useSession().data?.name;
  const open = (id: string | undefined) => {
    void navigate({ search: { account, ...(id ? { c: id } : {}) } });
  };
  const talk = useTalk(account, open);
  const { known, shown, kept: said } = useConversation(account, conversation);
  const own = useConversations(account);
  const inList = own.find(({ id }) => id === conversation);
  const [chosen, setChosen] = useState<Model | undefined>();
  const kept =
    inList?.llm_provider && inList.llm_model
      ? { llm_provider: inList.llm_provider, llm_model: inList.llm_model }
      : undefined;
  const exchanges = together(said, talk.now);
  const lines = (shown?.ai_list_sent?.data ?? []) as unknown as SentLine[];
  const last = exchanges.at(-1);
  const isBusy = talk.now?.state === 'writing';
  const person = shown?.ai_get_conversation_v3?.conversation?.user_display_name;
  const isOfOther = !talk.now && !inList && person != null && person !== me;
  const end = useRef<HTMLDivElement>(null);
  const length = last?.answer.length ?? 0;
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [length, exchanges.length]);
  const [lastAbout, setLastAbout] = useState<Reference | undefined>();
  const ask = (question: string, about = reference) => {
    setLastAbout(about);
    void talk.start(question, conversation, chosen, about ? [about] : []);
  };
  const go = (id: string | undefined) => {
    talk.clear();
    setChosen(undefined);
    open(id);
  };
  useCommands([
    {
      id: 'new conversation',
      title: 'New conversation',
      group: 'Do',
      keys: 'mod+n',
      icon: SquarePen,
      run: () => {
        go(undefined);
      },
    },
  ]);
  return (
    <>
      <Recent all={own} current={conversation} onOpen={go} />
      <div className="talk">
        {isNarrow && own.length > 0 && (
          <div className="talk-pick">
            <Select
              label="Conversation"
              value={conversation ?? ''}
              options={[
                { value: '', label: 'New' },
                ...own.map(({ id, title }) => ({ value: id, label: title ?? 'Untitled' })),
              ]}
              onChange={(id) => {
                go(id || undefined);
              }}
            />
          </div>
        )}
        <div className="thread" tabIndex={0} role="log" aria-label="Conversation">
          {conversation !== undefined && !talk.now && known.error ? (
            <div className="thread-in">
              <Content of={known} what="The conversation could not be read">
                {() => null}
              </Content>
            </div>
          ) : exchanges.length > 0 ? (
            <Thread
              exchanges={exchanges}
              onRetry={
                isOfOther
                  ? undefined
                  : (question) => {
                      ask(question, lastAbout);
                    }
              }
            />
          ) : (
            conversation === undefined && (
              <Suggestions
                onAsk={(question) => {
                  ask(question);
                }}
                about={reference}
                what={what}
              />
            )
          )}
          <div ref={end} />
        </div>
        {isOfOther ? (
          <p className="thread-in muted">
            {person} started this conversation. You can read it. To ask, start your own.
          </p>
        ) : (
          <Composer
            key={q}
            draft={q}
            account={account}
            accounts={accounts}
            conversation={conversation}
            standing={standing}
            model={chosen ?? kept}
            isBusy={isBusy}
            reference={reference}
            what={what}
            onForget={() => {
              void navigate({ search: { account, ...(conversation ? { c: conversation } : {}) } });
            }}
            onShowAbout={() => {
              setShowsAbout(true);
            }}
            onAccount={(id) => {
              talk.clear();
              void navigate({ search: { account: id } });
            }}
            onModel={setChosen}
            onAsk={(question) => {
              ask(question);
            }}
            onStop={talk.stop}
          />
        )}
      </div>
      <AboutAnswer
        account={account}
        sent={isBusy ? talk.sent : lines}
        references={last?.references ?? []}
        isOver={showsAbout}
        onClose={() => {
          setShowsAbout(false);
        }}
      />
    </>
  );
}

/** The stored exchanges plus the answer being written, which is listed once even if it is stored already. */
function together(kept: readonly Exchange[], now: Exchange | null): readonly Exchange[] {
  if (!now) return kept;
  const last = kept.at(-1);
  const others = last?.question === now.question ? kept.slice(0, -1) : kept;
  return [...others, now];
}
