import { useNavigate } from '@tanstack/react-router';
import { Archive, Ellipsis, FileText, Play, Sparkles, Tags, TicketPlus } from 'lucide-react';
import { Suspense, lazy, useState } from 'react';
import { useGraphQL, useOriginInFront, useWhyNot } from '@/api';
import { host } from '@/host';
import { Button, Content, CopyLink, Menu, SidePanel, Tabs, useCommands, useFocusInside, useNarrow } from '@/shared';
import type { MenuEntry } from '@/shared';
import { ActButton, keysOf } from './ActButtons';
import { whyNot } from './act';
import type { Kind } from './act';
import { Head } from './Head';
import { Part, tabs } from './Parts';
import type { Tab } from './Parts';
import { OneEvent } from './queries';
import { rowOf } from './row';
import type { Row } from './row';
import type { Acts } from './useActs';
import { useTimeline } from './useTimeline';
import { acts as words } from './words';

const PostMortemDialog = lazy(() => import('./PostMortem').then((found) => ({ default: found.PostMortemDialog })));
const PlaybookDialog = lazy(() => import('./PlaybookDialog').then((found) => ({ default: found.PlaybookDialog })));

/** One event: description, likely causes, related data and actions. */
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
  const timeline = useTimeline(id).query.data;
  const [tab, setTab] = useState<Tab>('cause');
  const [asked, setAsked] = useState<'post-mortem' | 'playbook' | null>(null);
  const [tickets, focusTickets] = useFocusInside();
  const narrow = useNarrow();
  const origin = useOriginInFront();
  const navigate = useNavigate();
  const runReason = useWhyNot()({ fields: ['auto_runbook_manually_run', 'workflow_trigger'] });
  const openTickets = () => {
    setTab('activity');
    focusTickets();
  };
  const write = () => {
    setAsked('post-mortem');
  };
  const choosePlaybook = () => {
    setAsked('playbook');
  };
  const close = () => {
    setAsked(null);
  };
  const one = query.data?.events_by_pk ?? undefined;
  const row = one ? rowOf(one) : known;
  const account = row?.stored.cloud_account?.id;
  const noAccount = row && account === undefined ? 'Playbooks need an account, and this event has none' : undefined;
  useCommands([
    { id: 'ticket', title: 'Create a ticket', group: 'Do', keys: 't', icon: TicketPlus, run: openTickets },
    {
      id: 'playbook',
      title: 'Run a playbook',
      group: 'Do',
      keys: 'r',
      icon: Play,
      disabled: noAccount,
      run: choosePlaybook,
    },
    { id: 'post-mortem', title: 'Write the post-mortem', group: 'Do', keys: 'p', icon: FileText, run: write },
  ]);
  const change = row && { rows: [row], acts, onAct, plain: true };
  const entry = (kind: Kind, icon: MenuEntry['icon']): MenuEntry[] =>
    row
      ? [
          {
            label: words[kind].label,
            ...(icon ? { icon } : {}),
            keys: keysOf[kind],
            disabled: acts.reason ?? whyNot(kind, row),
            run: () => {
              onAct(kind, [row]);
            },
          },
        ]
      : [];
  const ask = () => {
    if (!row) return;
    const about = { about: `event.${id}`, what: row.stored.title.slice(0, 80) };
    void navigate({ to: '/assistant/conversations', search: { ...(account ? { account } : {}), ...about } });
  };
  return (
    <SidePanel
      label={row?.stored.title ?? 'Event'}
      head={row ? <Head row={row} event={one} /> : <h2 className="ttl"> </h2>}
      tabs={
        <Tabs
          label="Parts of the event"
          value={tab}
          options={tabs.map((option) => ({
            ...option,
            count: option.value === 'timeline' ? timeline?.length : undefined,
          }))}
          onChange={setTab}
        />
      }
      tools={<CopyLink origin={origin} copy={(text) => host.copy(text)} />}
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
            {!narrow && (
              <>
                <Button size="small" onClick={openTickets}>
                  Create ticket
                </Button>
                <Button size="small" reason={noAccount} onClick={choosePlaybook}>
                  Run playbook
                </Button>
              </>
            )}
            <Menu
              label="More actions"
              trigger={
                <Button size="small" iconOnly aria-label="More actions">
                  <Ellipsis className="i s" />
                </Button>
              }
              entries={[
                // A phone has room for one row of buttons.
                ...(narrow
                  ? [
                      { label: 'Create ticket', icon: TicketPlus, keys: 't', run: openTickets },
                      { label: 'Run playbook', icon: Play, keys: 'r', disabled: noAccount, run: choosePlaybook },
                    ]
                  : []),
                ...entry('judge', Tags),
                { label: 'Post-mortem', icon: FileText, keys: 'p', run: write },
                { label: 'Ask about this', icon: Sparkles, run: ask },
                ...entry('close', Archive),
              ]}
            />
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
            >
              <Part tab={tab} event={event} reason={acts.reason} tickets={tickets} />
            </div>
          ) : (
            <p>This event does not exist, or you cannot see it.</p>
          )
        }
      </Content>
      <Suspense fallback={null}>
        {asked === 'post-mortem' && one && <PostMortemDialog event={one} onClose={close} />}
        {asked === 'playbook' && one && account && (
          <PlaybookDialog event={one} account={account} reason={acts.reason ?? runReason} onClose={close} />
        )}
      </Suspense>
    </SidePanel>
  );
}
