import { Link } from '@tanstack/react-router';
import { FileText, TicketPlus } from 'lucide-react';
import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { useGraphQL, useOriginInFront } from '@/api';
import type { ResultOf } from '@/api';
import { host } from '@/host';
import {
  AskAbout,
  Button,
  Content,
  CopyLink,
  Fact,
  Keys,
  Panel,
  Severity,
  SidePanel,
  Tabs,
  dateTimeZone,
  useCommands,
  useFocusInside,
  useNow,
} from '@/shared';
import { ActButton } from './ActButtons';
import { whyNot } from './act';
import type { Kind } from './act';
import { Cause } from './Cause';
import { ClusterChanges } from './ClusterChanges';
import { Duplicates } from './Duplicates';
import { Evidence } from './Evidence';
import { Logs } from './Logs';
import { StateMark, TriageMark } from './Marks';
import { OneEvent } from './queries';
import { Related } from './Related';
import { lasting, rowOf, startOf } from './row';
import type { Row } from './row';
import { Score } from './Score';
import { Tickets } from './Tickets';
import type { About } from './Tickets';
import { Timeline } from './Timeline';
import type { Acts } from './useActs';

type One = NonNullable<ResultOf<typeof OneEvent>['events_by_pk']>;

const PostMortemDialog = lazy(() => import('./PostMortem').then((found) => ({ default: found.PostMortemDialog })));

const tabs = [
  { value: 'cause', label: 'Cause and evidence' },
  { value: 'related', label: 'Related' },
  { value: 'logs', label: 'Logs' },
  { value: 'timeline', label: 'Timeline' },
  { value: 'tickets', label: 'Tickets' },
] as const;
type Tab = (typeof tabs)[number]['value'];

/** One event: what it is, why it may have happened, what belongs to it, and what can be done with it. */
export function Detail({
  id,
  row: known,
  acts,
  onAct,
  onClose,
  onPrevious,
  onNext,
}: {
  id: string;
  /** The row of the list, until the event itself is read. */
  row: Row | undefined;
  acts: Acts;
  onAct: (kind: Kind, rows: readonly Row[]) => void;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const query = useGraphQL(OneEvent, { id });
  const [tab, setTab] = useState<Tab>('cause');
  const [writes, setWrites] = useState(false);
  const [part, focusPart] = useFocusInside();
  const openTickets = () => {
    setTab('tickets');
    focusPart();
  };
  const write = () => {
    setWrites(true);
  };
  useCommands([
    { id: 'ticket', title: 'Create a ticket', group: 'Do', keys: 't', icon: TicketPlus, run: openTickets },
    { id: 'post-mortem', title: 'Write the post-mortem', group: 'Do', keys: 'p', icon: FileText, run: write },
  ]);
  const one = query.data?.events_by_pk ?? undefined;
  const row = one ? rowOf(one) : known;
  const change = row && { rows: [row], acts, onAct };
  return (
    <SidePanel
      label={row?.stored.title ?? 'Event'}
      head={row ? <Head row={row} /> : <h2 className="ttl"> </h2>}
      tabs={<Tabs label="Parts of the event" value={tab} options={tabs} onChange={setTab} />}
      actions={
        change && (
          <div className="event-acts">
            {whyNot('reopen', row) === undefined && row.triage !== 'ACKNOWLEDGED' ? (
              <ActButton kind="reopen" look="primary" {...change} />
            ) : (
              <ActButton kind="acknowledge" look="primary" {...change} />
            )}
            <ActButton kind="snooze" {...change} />
            <ActButton kind="resolve" {...change} />
            <ActButton kind="judge" {...change} />
            <Button size="small" onClick={openTickets}>
              <TicketPlus className="i s" />
              Ticket <Keys keys="t" />
            </Button>
            <Button size="small" onClick={write}>
              <FileText className="i s" />
              Post-mortem <Keys keys="p" />
            </Button>
            <AskAbout type="event" id={id} what={row.stored.title} account={row.stored.cloud_account?.id} iconOnly />
            <ActButton kind="close" look="quiet" {...change} />
            {(acts.busy || acts.reason) && (
              <span role="status" className="small muted whole">
                {acts.busy || acts.reason}
              </span>
            )}
          </div>
        )
      }
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
    >
      <Content of={query} what="The event could not be read" lines={8}>
        {({ events_by_pk: event }) =>
          event ? (
            <div
              role="tabpanel"
              aria-label={tabs.find(({ value }) => value === tab)?.label}
              className="stack"
              tabIndex={-1}
              ref={part}
            >
              <Part tab={tab} event={event} reason={acts.reason} />
            </div>
          ) : (
            <p>This event is not there, or not for you to see.</p>
          )
        }
      </Content>
      {writes && one && (
        <Suspense fallback={null}>
          <PostMortemDialog
            event={one}
            onClose={() => {
              setWrites(false);
            }}
          />
        </Suspense>
      )}
    </SidePanel>
  );
}

function Part({ tab, event, reason }: { tab: Tab; event: One; reason: string | undefined }) {
  const now = useNow();
  const account = event.cloud_account?.id;
  switch (tab) {
    case 'cause':
      return (
        <>
          {event.description && <p className="read wrap">{event.description}</p>}
          {event.nb_status === 'DUPLICATE' && <Duplicates id={event.id} />}
          {account && <Cause account={account} event={event.id} />}
          <Evidence evidences={event.evidences} failure={event.failure} />
          <Score score={event.computed_score} priority={event.computed_priority} factors={event.score_factors} />
          <Facts event={event} />
        </>
      );
    case 'related':
      return (
        <>
          <Related id={event.id} />
          {account && <ClusterChanges account={account} namespace={event.subject_namespace} start={startOf(event)} />}
        </>
      );
    case 'logs':
      return account ? (
        <Logs account={account} start={startOf(event)} names={namesOf(event)} />
      ) : (
        <p className="muted">It belongs to no account, and log lines do.</p>
      );
    case 'timeline':
      return <Timeline id={event.id} />;
    case 'tickets':
      return <Tickets about={aboutOf(event, now)} reason={reason} />;
  }
}

/** The names of the subject, the most exact first. */
function namesOf(event: One): string[] {
  return [event.subject_name, event.subject_owner, event.subject_node].filter(
    (name) => name !== null && name !== '',
  ) as string[];
}

function aboutOf(event: One, now: Date): About {
  const row = rowOf(event);
  return {
    event: event.id,
    title: event.title,
    severity: row.severity,
    account: event.cloud_account?.id,
    facts: [
      event.description ?? '',
      `Subject: ${row.subject}`,
      `Account: ${row.account}`,
      `Source: ${row.source}`,
      `Started: ${dateTimeZone(startOf(event), now)}`,
    ].filter(Boolean),
  };
}

function Head({ row }: { row: Row }) {
  const now = useNow();
  const origin = useOriginInFront();
  const { stored } = row;
  const start = startOf(stored);
  const took = lasting(start, stored.ends_at ?? now);
  return (
    <>
      <div className="row">
        <Severity value={row.severity} />
        <StateMark state={row.state} />
        <span className="small muted cut">
          {row.state === 'FIRING' && stored.ends_at === null ? `for ${took}` : `after ${took}`}
        </span>
        <CopyLink origin={origin} copy={(text) => host.copy(text)} />
      </div>
      <h2 className="ttl" title={stored.title}>
        {stored.title}
      </h2>
      <div className="event-about muted">
        <span className="wrap">{row.subject}</span>
        <span className="faint">in</span>
        {stored.cloud_account ? (
          <Link to="/inventory/accounts" search={{ id: stored.cloud_account.id }}>
            {row.account}
          </Link>
        ) : (
          row.account
        )}
        <span className="faint">·</span>
        <span>{row.source}</span>
      </div>
      <div className="event-facts">
        <Figure name="Started">{dateTimeZone(start, now)}</Figure>
        <Figure name="Triage">
          <TriageMark row={row} />
        </Figure>
        {stored.computed_priority !== null && (
          <Figure name="Priority">
            {stored.computed_priority}, {stored.computed_score} of 100
          </Figure>
        )}
      </div>
    </>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <div className="small muted">{name}</div>
      <div className="num">{children}</div>
    </div>
  );
}

function Facts({ event }: { event: One }) {
  const labels = event.labels;
  const pairs = typeof labels === 'object' && labels !== null && !Array.isArray(labels) ? Object.entries(labels) : [];
  return (
    <Panel title="Facts" padded>
      <dl className="kv">
        <Fact name="Alert">{event.aggregation_key}</Fact>
        <Fact name="Cluster">{event.cluster}</Fact>
        <Fact name="Namespace">{event.subject_namespace}</Fact>
        <Fact name="Workload">
          {event.subject_owner && `${event.subject_owner_kind ?? ''} ${event.subject_owner}`.trim()}
        </Fact>
        <Fact name="Node">{event.subject_node}</Fact>
        <Fact name="Service">{event.service_key}</Fact>
        <Fact name="Caused by">{event.principal}</Fact>
        <Fact name="Environment">{event.cloud_account?.account_env}</Fact>
        <Fact name="Type" mono>
          {event.finding_type}
        </Fact>
        {pairs.map(([name, value]) => (
          <Fact key={name} name={name}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Fact>
        ))}
      </dl>
    </Panel>
  );
}
