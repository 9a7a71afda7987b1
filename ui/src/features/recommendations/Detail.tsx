import { Link } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { host } from '@/host';
import { Button, Severity, SidePanel, dateTime, estimate, toast, useNow } from '@/shared';
import { Activity } from './Activity';
import { Apply } from './Apply';
import { riskName } from './evidence';
import { State } from './List';
import type { Row } from './row';
import { Why } from './Why';

const tabs = { why: 'Why and evidence', apply: 'How to apply', activity: 'Activity' } as const;
type Tab = keyof typeof tabs;

/** One recommendation: what it rests on, how to carry it out, what happened to it. */
export function Detail({
  row,
  onClose,
  onPrevious,
  onNext,
}: {
  row: Row;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const [tab, setTab] = useState<Tab>('why');
  return (
    <SidePanel
      label={row.title}
      head={<Head row={row} tab={tab} onTab={setTab} />}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
    >
      <div role="tabpanel" id={`rec-${tab}`} aria-label={tabs[tab]} className="stack rec">
        {tab === 'why' && <Why row={row} />}
        {tab === 'apply' && <Apply row={row} />}
        {tab === 'activity' && <Activity row={row} />}
      </div>
    </SidePanel>
  );
}

function Head({ row, tab, onTab }: { row: Row; tab: Tab; onTab: (tab: Tab) => void }) {
  const now = useNow();
  const { stored, evidence } = row;
  const region = stored.cloud_resourse?.region ?? evidence.region;
  const risk = riskName(evidence.options[0]?.['performance_risk']);
  return (
    <div className="rec">
      <div className="row">
        {row.severity && <Severity value={row.severity} />}
        <span className="badge">{row.category}</span>
        <span className="small muted cut">found {dateTime(stored.created_at, now)}</span>
        <Button
          size="small"
          kind="quiet"
          iconOnly
          aria-label="Copy link"
          onClick={() => {
            void host.copy(window.location.href).then(() => {
              toast({ tone: 'ok', text: 'Copied the link' });
            });
          }}
        >
          <Link2 className="i s" />
        </Button>
      </div>
      <h2 className="ttl">{row.title}</h2>
      <div className="about muted">
        <span>{row.resource}</span>
        <span className="faint">in</span>
        <Link
          to="/recommendations"
          search={{ account: stored.cloud_account.id }}
          title="All recommendations of this account"
        >
          {row.account}
        </Link>
        {region && (
          <>
            <span className="faint">·</span>
            <span>{region}</span>
          </>
        )}
      </div>
      <div className="facts">
        <div>
          <div className="small muted">Estimated saving</div>
          <div className="fig num">
            {estimate(row.savings, row.currency || null)} <span className="muted">per month</span>
          </div>
        </div>
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
      </div>
      <div className="tabs" role="tablist" aria-label="Parts of the recommendation">
        {(Object.keys(tabs) as Tab[]).map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={tab === name}
            aria-controls={`rec-${name}`}
            onClick={() => {
              onTab(name);
            }}
          >
            {tabs[name]}
          </button>
        ))}
      </div>
    </div>
  );
}
