import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { PenLine, Siren } from 'lucide-react';
import { useState } from 'react';
import { request, useGraphQL } from '@/api';
import {
  AskAbout,
  Button,
  Content,
  Empty,
  Hypotheses,
  Page,
  Panel,
  Select,
  dateTime,
  lookedAt,
  useNow,
} from '@/shared';
import type { Causes } from '@/shared';
import { sentence } from './answer';
import { Cause, Events } from './queries';
import { AccountSelect } from './AccountSelect';
import { useAccountOfEvents } from './useAccount';
import { useReady } from './useReady';
import './assistant.css';

/** The answer with its sentences. */
interface CausesAnswer extends Causes {
  analysis: string;
}

/** Likely causes of an event, derived by rules; a model can explain them. */
export function CausesPage() {
  const search = useSearch({ from: '/assistant/causes' });
  const navigate = useNavigate({ from: '/assistant/causes' });
  const { accounts, all, account, isKnown } = useAccountOfEvents(search.account);
  const events = useGraphQL(Events, { account: account?.id ?? '' }, { enabled: account !== undefined });
  const hasNone = isKnown && accounts.data !== undefined && account === undefined;
  const listed = events.data?.events ?? [];
  const event = listed.find(({ id }) => id === search.event) ?? listed[0];
  const now = useNow();
  return (
    <Page
      title="Likely causes"
      crumb="Assistant & knowledge"
      filters={
        account && (
          <>
            <AccountSelect
              of={all}
              chosen={account}
              onChoose={(id) => {
                void navigate({ search: { account: id } });
              }}
            />
            {event && (
              <Select
                label="Event"
                value={event.id}
                options={listed.map(({ id, title, starts_at: at }) => ({
                  value: id,
                  label: at ? `${title}, ${dateTime(at, now)}` : title,
                }))}
                onChange={(id) => {
                  void navigate({ search: { account: account.id, event: id } });
                }}
              />
            )}
          </>
        )
      }
    >
      <Content
        of={{
          data: hasNone ? [] : events.data?.events,
          error: accounts.error ?? events.error,
          refetch: () => Promise.all([accounts.refetch(), events.refetch()]),
        }}
        what="Events could not be read"
      >
        {() =>
          account && event ? (
            <CauseOf key={event.id} account={account.id} event={event.id} title={event.title} />
          ) : (
            <Empty
              icon={Siren}
              title={account ? `No events of ${account.account_name ?? 'this account'}` : 'No events yet'}
              action={
                <>
                  <Link to="/imports" className="btn pri">
                    Import files
                  </Link>
                  <Link to="/events" className="btn">
                    Open Events
                  </Link>
                </>
              }
            >
              Events come from Kubernetes support bundles and from your alerting by webhook. Their likely causes are
              worked out here from changes, other events, logs and spend, without a model.
            </Empty>
          )
        }
      </Content>
    </Page>
  );
}

function CauseOf({ account, event, title }: { account: string; event: string; title: string }) {
  const cause = useGraphQL(Cause, { account, event, generate: false });
  const { standing } = useReady(account);
  const [written, setWritten] = useState<{ text?: string; error?: string; busy?: boolean }>({});
  const write = () => {
    setWritten({ busy: true });
    request(Cause, { account, event, generate: true })
      .then(({ ai_get_rca: answer }) => {
        setWritten({ text: (answer?.data as unknown as CausesAnswer).analysis });
      })
      .catch((error: unknown) => {
        setWritten({ error: sentence((error as Error).message) });
      });
  };
  return (
    <Content of={cause} what="The causes could not be worked out">
      {({ ai_get_rca: answer }) => {
        const found = answer?.data as unknown as CausesAnswer;
        return (
          <div className="stack causes">
            <Panel
              title="Likely causes"
              meta="Worked out by rules"
              actions={
                <>
                  <Link to="/events" search={{ id: event }} className="btn sm">
                    Open event
                  </Link>
                  <AskAbout type="event" id={event} what={title} account={account} />
                  <Button
                    size="small"
                    busy={written.busy && 'Writing'}
                    onClick={write}
                    reason={standing ? undefined : 'Needs a model: Settings, Model providers'}
                  >
                    <PenLine className="i s" />
                    Explain
                  </Button>
                </>
              }
            >
              <Hypotheses of={found} />
            </Panel>
            {written.error && (
              <div className="note bad" role="alert">
                {written.error}
              </div>
            )}
            {written.text && (
              <Panel padded title="Explained" meta="Written by a model; sentences without evidence were left out">
                <div className="ans">
                  {written.text.split('\n').map((line) => (
                    <p key={line}>{line}</p>
                  ))}
                </div>
              </Panel>
            )}
            <p className="small muted">{lookedAt(found)}</p>
          </div>
        );
      }}
    </Content>
  );
}
