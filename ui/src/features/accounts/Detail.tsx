import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { categoryName, isFiring, ruleTitle, savingsCurrency, useGraphQL, useOriginInFront, useSeesTenant } from '@/api';
import type { ResultOf } from '@/api';
import { host } from '@/host';
import {
  Content,
  CopyLink,
  Fact,
  SidePanel,
  Status,
  Tabs,
  count,
  date,
  dateTime,
  dateTimeZone,
  estimate,
  isZero,
  money,
  range,
  useNow,
  withSign,
} from '@/shared';
import type { DayRange } from '@/shared';
import { AccountFiles, AccountNews } from './queries';
import { lastPart, ownerOf } from './row';
import type { Row } from './row';
import { SettingsForm } from './SettingsForm';
import { environments } from './words';

const tabs = [
  { value: 'facts', label: 'Sources' },
  { value: 'files', label: 'Imports' },
  { value: 'settings', label: 'Settings' },
] as const;
type Tab = (typeof tabs)[number]['value'];

interface DetailProps {
  row: Row;
  days: DayRange | null;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** One account: sources and freshness, costs, open events and recommendations, imports and settings. */
export function Detail({ row, days, ...panel }: DetailProps) {
  const [tab, setTab] = useState<Tab>('facts');
  const origin = useOriginInFront();
  const { stored, fresh } = row;
  const news = useGraphQL(AccountNews, { account: row.id, firing: isFiring });
  const seesTenant = useSeesTenant();
  const files = useGraphQL(
    AccountFiles,
    { report: { accounts: [{ number: stored.account_number ?? stored.id }] } },
    { enabled: seesTenant },
  );
  return (
    <SidePanel
      label={row.name}
      tools={<CopyLink origin={origin} copy={(text) => host.copy(text)} />}
      head={
        <>
          <div className="row">
            <span className="tag">{row.provider}</span>
            <Status tone={fresh.tone}>{fresh.text}</Status>
          </div>
          <h2 className="ttl">{row.name}</h2>
          <div className="muted">
            {row.kind}
            {stored.region && `, ${stored.region}`}, {environments[stored.account_env].toLowerCase()}
          </div>
        </>
      }
      tabs={
        <Tabs
          label="Parts of the account"
          value={tab}
          options={tabs
            .filter(({ value }) => seesTenant || value !== 'files')
            .map((one) => ({
              ...one,
              ...(one.value === 'files' && files.data ? { count: files.data.imports.length } : {}),
            }))}
          onChange={setTab}
        />
      }
      {...panel}
    >
      <div role="tabpanel" aria-label={tabs.find(({ value }) => value === tab)?.label} className="stack">
        {tab === 'facts' && <Facts row={row} days={days} news={news} />}
        {tab === 'files' && <Files files={files} isNumbered={stored.account_number !== null} />}
        {tab === 'settings' && <SettingsForm key={row.id} stored={stored} />}
      </div>
    </SidePanel>
  );
}

interface QueryState<Document> {
  data: ResultOf<Document> | undefined;
  error: Error | null;
  refetch: () => unknown;
}

function Facts({ row, days, news }: { row: Row; days: DayRange | null; news: QueryState<typeof AccountNews> }) {
  const now = useNow();
  const { stored, fresh } = row;
  const time = (at: string | null | undefined) => at && `${dateTimeZone(at, now)}`;
  const agent = stored.agents[0];
  // With a single currency, amounts have its sign.
  const currency = row.costs.size === 1 ? ([...row.costs.keys()][0] ?? '') : '';
  const hasBudget = stored.budget !== null && Number(stored.budget) > 0;
  return (
    <>
      {(fresh.tone === 'warn' || fresh.tone === 'bad') && (
        <div className={`note ${fresh.tone}`}>
          <TriangleAlert className="i" />
          <div>
            <b>{fresh.text}</b>
            <p>
              {fresh.detail}. <Link to="/imports">Import a newer file</Link>
            </p>
          </div>
        </div>
      )}
      <section className="sec">
        <h3>Sources</h3>
        <dl className="kv">
          <Fact name="Bills">{row.through === null ? 'none imported' : `through ${date(row.through, now)}`}</Fact>
          <Fact name="Agent">
            {agent ? `${agent.status}${agent.version ? `, version ${agent.version}` : ''}` : 'none connected'}
          </Fact>
          <Fact name="Agent seen">{time(agent?.last_synced_at ?? agent?.last_connected_at)}</Fact>
          <Fact name="Agent says">{agent?.status_message}</Fact>
          <Fact name="Kubernetes">
            {agent?.k8s_version && [agent.k8s_version, agent.k8s_provider].filter(Boolean).join(', ')}
          </Fact>
          <Fact name="Last read">{time(stored.synced_at)}</Fact>
          <Fact name="Failed reads">{stored.etl_attempt > 0 ? count(stored.etl_attempt) : null}</Fact>
          <Fact name="Error">{stored.sync_status === 'Error' ? stored.sync_status_message : null}</Fact>
          <Fact name="Cost source">{stored.billing_source}</Fact>
          <Fact name="Access">{stored.account_access}</Fact>
        </dl>
      </section>
      <section className="sec">
        <h3>Account</h3>
        <dl className="kv">
          <Fact name="Number" mono>
            {stored.account_number}
          </Fact>
          <Fact name="Owner">{ownerOf(stored)?.value}</Fact>
          <Fact name="Purpose">{stored.account_purpose}</Fact>
          <Fact name="Budget">{hasBudget ? `${count(stored.budget)} per month` : null}</Fact>
          <Fact name="Known since">{time(stored.created_at)}</Fact>
        </dl>
      </section>
      <section className="sec">
        <h3>Billed{days && `, ${range(days.from, days.to, now)}`}</h3>
        {row.costs.size === 0 && <p className="muted">No charges in this period.</p>}
        {[...row.costs].map(([currency, amount]) => (
          <div key={currency} className="strong num">
            {money(amount, currency || null, { several: row.costs.size > 1 })}
          </div>
        ))}
        {days && row.costs.size > 0 && (
          <Link to="/costs/explorer" search={{ ...days, filters: [{ field: 'account', values: [row.id] }] }}>
            Open in the explorer
          </Link>
        )}
        <Link to="/inventory/resources" search={{ filters: [{ field: 'account', values: [row.id] }] }}>
          {count(row.resources)} resources
        </Link>
      </section>
      <Content of={news} what="Open events and recommendations could not be read" lines={3}>
        {({ events, recommendation, cloud_account_score: scores }) => (
          <>
            {scores.length > 0 && (
              <section className="sec">
                <h3>Scores of 100</h3>
                {scores.map((one) => (
                  <div key={one.id}>
                    <div className="split">
                      <span>{one.source === 'waste' ? 'Without waste' : (one.source ?? 'Score')}</span>
                      <span className="strong num">{count(one.score)}</span>
                    </div>
                    <p className="small muted">{withSign(one.description ?? '', currency)}</p>
                  </div>
                ))}
              </section>
            )}
            <section className="sec">
              <h3>Firing events</h3>
              {events.length === 0 && <p className="muted">None.</p>}
              {events.map((one) => (
                <div className="split" key={one.id}>
                  <Link to="/events" search={{ id: one.id }}>
                    {one.title}
                  </Link>
                  <span className="small muted num">{time(one.starts_at)}</span>
                </div>
              ))}
              {row.firing > events.length && (
                <Link to="/events" search={{ show: 'firing', filters: [{ field: 'account', values: [row.id] }] }}>
                  All {count(row.firing)}
                </Link>
              )}
            </section>
            <section className="sec">
              <h3>Open recommendations</h3>
              {recommendation.length === 0 && <p className="muted">None.</p>}
              {recommendation.map((one) => (
                <div className="split" key={one.id}>
                  <Link to="/recommendations" search={{ id: one.id }}>
                    {ruleTitle(one.rule_name) ?? categoryName(one.category)}
                    {one.account_object_id && <span className="muted">, {lastPart(one.account_object_id)}</span>}
                  </Link>
                  <span className="small muted num">
                    {one.estimated_savings === null || isZero(one.estimated_savings)
                      ? '–'
                      : `${estimate(one.estimated_savings, savingsCurrency(one.recommendation) ?? currency)} per month`}
                  </span>
                </div>
              ))}
              {row.open > recommendation.length && (
                <Link to="/recommendations" search={{ account: row.id }}>
                  All {count(row.open)}
                </Link>
              )}
            </section>
          </>
        )}
      </Content>
    </>
  );
}

function Files({ files, isNumbered }: { files: QueryState<typeof AccountFiles>; isNumbered: boolean }) {
  const now = useNow();
  return (
    <Content of={files} what="Imports of the account could not be read" lines={4}>
      {({ imports }) => (
        <>
          {imports.length === 0 && (
            <p className="muted">
              {isNumbered
                ? 'No import report names this account.'
                : 'This account has no number, and import reports name accounts by number.'}
            </p>
          )}
          {imports.map((one) => (
            <div className="sec" key={one.id}>
              <div className="split">
                <b className="wrap">{one.file_name}</b>
                <span className="small muted">{one.finished_at && dateTime(one.finished_at, now)}</span>
              </div>
              <p className="small muted num">
                {one.format ?? 'Unknown format'}, {count(one.rows_written)} rows
                {one.rows_skipped > 0 && `, ${count(one.rows_skipped)} skipped`}, {one.state.replaceAll('_', ' ')}
              </p>
            </div>
          ))}
          <Link to="/imports">All imports</Link>
        </>
      )}
    </Content>
  );
}
