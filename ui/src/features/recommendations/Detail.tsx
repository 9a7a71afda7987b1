import { Link } from '@tanstack/react-router';
import { TicketPlus } from 'lucide-react';
import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useOriginInFront } from '@/api';
import { host } from '@/host';
import {
  AskAbout,
  Button,
  CopyLink,
  Keys,
  Severity,
  SidePanel,
  dateOf,
  dateTime,
  estimate,
  useCommands,
  useFocusInside,
  useNow,
} from '@/shared';
import { ActButton } from './ActButtons';
import { Activity } from './Activity';
import type { Kind } from './act';
import { Apply } from './Apply';
import { riskName } from './evidence';

import type { Row } from './row';
import { State } from './State';
import { Tickets } from './Tickets';
import type { Acts } from './useActs';
import { Reason } from './Reason';

const tabs = { why: 'Why and evidence', apply: 'How to apply', tickets: 'Tickets', activity: 'Activity' } as const;
type Tab = keyof typeof tabs;

/** One recommendation: evidence, ways to apply it, and history. */
export function Detail({
  row,
  acts,
  onAct,
  onClose,
  onPrevious,
  onNext,
}: {
  row: Row;
  acts: Acts;
  onAct: (kind: Kind, rows: readonly Row[]) => void;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const [tab, setTab] = useState<Tab>('why');
  const [part, focusPart] = useFocusInside();
  const origin = useOriginInFront();
  const openTickets = () => {
    setTab('tickets');
    focusPart();
  };
  useCommands([{ id: 'ticket', title: 'Create a ticket', group: 'Do', keys: 't', icon: TicketPlus, run: openTickets }]);
  const change = { rows: [row], acts, onAct };
  return (
    <SidePanel
      label={row.title}
      head={<Head row={row} />}
      tools={<CopyLink origin={origin} copy={(text) => host.copy(text)} />}
      tabs={<Tabs tab={tab} onTab={setTab} />}
      actions={
        <div className="rec-acts">
          {row.standing === 'open' ? (
            <>
              <ActButton kind="resolve" look="primary" {...change} />
              <ActButton kind="assign" {...change} />
              {row.status === 'InProgress' && <ActButton kind="reopen" {...change} />}
            </>
          ) : (
            <ActButton kind="reopen" look="primary" {...change} />
          )}
          <Button size="small" onClick={openTickets}>
            <TicketPlus className="i s" />
            Ticket <Keys keys="t" />
          </Button>
          <AskAbout
            type="recommendation"
            id={row.stored.id}
            what={row.title}
            account={row.stored.cloud_account.id}
            iconOnly
          />
          {row.standing === 'open' && (
            <span className="end">
              <ActButton kind="dismiss" look="quiet" {...change} />
            </span>
          )}
          {(acts.busy || acts.reason) && (
            <span role="status" className="small muted whole">
              {acts.busy || acts.reason}
            </span>
          )}
        </div>
      }
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
    >
      <div role="tabpanel" id="rec-part" aria-labelledby={`tab-${tab}`} className="stack rec" tabIndex={-1} ref={part}>
        {tab === 'why' && <Reason row={row} />}
        {tab === 'apply' && <Apply row={row} />}
        {tab === 'tickets' && <Tickets row={row} />}
        {tab === 'activity' && <Activity row={row} acts={acts} />}
      </div>
    </SidePanel>
  );
}

function Head({ row }: { row: Row }) {
  const now = useNow();
  const { stored, evidence } = row;
  const region = stored.cloud_resourse?.region ?? evidence.region;
  const risk = riskName(evidence.options[0]?.['performance_risk']);
  return (
    <div className="rec">
      <div className="row wrap">
        {row.severity && <Severity value={row.severity} />}
        <span className="badge">{row.category}</span>
        <span className="small muted nowrap" title={dateTime(stored.created_at, now)}>
          found {dateOf(stored.created_at, now)}
        </span>
      </div>
      <h2 className="ttl">{row.title}</h2>
      <div className="about-line muted">
        {row.resource && <span>{row.resource}</span>}
        <span>
          {row.resource && <span className="faint">in </span>}
          <Link
            to="/recommendations"
            search={{ account: stored.cloud_account.id }}
            title="All recommendations of this account"
          >
            {row.account}
          </Link>
        </span>
        {region && <span className="dotted">{region}</span>}
      </div>
      <div className="facts">
        <div>
          <div className="small muted">Estimated saving</div>
          <div className="fig num">
            {estimate(row.savings, row.currency || null)}{' '}
            {row.savings !== null && <span className="muted">per month</span>}
          </div>
        </div>
        {row.card.confidence !== null && (
          <div>
            <div className="small muted">Confidence</div>
            <div className="v">{row.card.confidence}</div>
          </div>
        )}
        {risk && (
          <div>
            <div className="small muted">Performance risk</div>
            <div className="v">{risk.charAt(0).toUpperCase() + risk.slice(1)}</div>
          </div>
        )}
        <div>
          <div className="small muted">State</div>
          <div className="v">
            <State row={row} />
          </div>
        </div>
        {row.ownerName !== null && (
          <div>
            <div className="small muted">Owner</div>
            <div className="v">{row.ownerName}</div>
          </div>
        )}
        {row.card.effort !== null && (
          <div>
            <div className="small muted">Effort</div>
            <div className="v">{row.card.effort}</div>
          </div>
        )}
      </div>
    </div>
  );
}

/** Arrow keys move between the tabs, as in any tab list. */
function Tabs({ tab, onTab }: { tab: Tab; onTab: (tab: Tab) => void }) {
  const names = Object.keys(tabs) as Tab[];
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step && names[(names.indexOf(tab) + step + names.length) % names.length];
    if (!next) return;
    event.preventDefault();
    onTab(next);
    event.currentTarget.querySelectorAll('button')[names.indexOf(next)]?.focus();
  };
  return (
    <div className="tabs rec" role="tablist" aria-label="Parts of the recommendation" onKeyDown={onKeyDown}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          tabIndex={tab === name ? 0 : -1}
          aria-selected={tab === name}
          aria-controls="rec-part"
          onClick={() => {
            onTab(name);
          }}
        >
          {tabs[name]}
        </button>
      ))}
    </div>
  );
}
