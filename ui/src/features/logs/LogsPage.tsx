import { Link, getRouteApi } from '@tanstack/react-router';
import { ScrollText, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { useGraphQL, useOriginInFront, useSavedViews } from '@/api';
import { host } from '@/host';
import {
  Button,
  Content,
  CopyLink,
  DataTable,
  Empty,
  NothingImported,
  ExportButton,
  Fact,
  Page,
  SearchBox,
  Select,
  SidePanel,
  Status,
  ViewsMenu,
  count,
  dateTime,
  parseTime,
  useNarrow,
  useNow,
} from '@/shared';
import type { Column } from '@/shared';
import { histogram, levels, lineOf, minute, selectorOf, sourceOf } from './lines';
import type { Level, Line } from './lines';
import { LogAccounts, LogExtent, LogLines } from './queries';
import { logsSearch } from './search';
import type { LogsSearch } from './search';
import { empty, help, levelNames } from './words';
import './logs.css';

const route = getRouteApi('/events/logs');
/** So many lines are read at once; more are found by narrowing the time. */
const most = 2_000;
const hour = 3_600_000;
const parts = 60;
const tones = { error: 'bad', warn: 'warn', info: 'off', debug: 'off' } as const;

type Change = { [Key in keyof LogsSearch]?: LogsSearch[Key] | undefined };

/** Stored log lines of an account by time, level, text and label. */
export function LogsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useGraphQL(LogAccounts, {});
  const accounts = query.data?.cloud_accounts ?? [];
  const newest = query.data?.logs[0]?.account_id;
  const account = accounts.find(({ id }) => id === (search.account ?? newest)) ?? accounts[0];
  const go = (change: Change, replace = true) => {
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined && value !== ''),
        ) as LogsSearch,
      replace,
    });
  };
  if (!account || (newest === undefined && search.account === undefined))
    return (
      <Page title="Logs" crumb="Events">
        <Content of={query} what="Logs could not be read" lines={8}>
          {() => <NothingImported icon={ScrollText} words={empty} />}
        </Content>
      </Page>
    );
  return <InAccount account={account.id} accounts={accounts} search={search} onGo={go} />;
}

function InAccount({
  account,
  accounts,
  search,
  onGo,
}: {
  account: string;
  accounts: readonly { id: string; account_name: string }[];
  search: LogsSearch;
  onGo: (change: Change, replace?: boolean) => void;
}) {
  const now = useNow();
  const navigate = route.useNavigate();
  const saved = useSavedViews('events/logs');
  const extent = useGraphQL(LogExtent, { account });
  const found = extent.data?.logs_aggregate.aggregate;
  const last = found?.max?.timestamp ?? null;
  const end = last === null ? now.getTime() : parseTime(last).getTime() + 60_000;
  const to = search.to === undefined ? end : parseTime(`${search.to}Z`).getTime();
  const from = search.from === undefined ? to - hour : parseTime(`${search.from}Z`).getTime();
  const isSound = from < to;
  const request = {
    account_id: account,
    query: selectorOf(search.q ?? ''),
    start_time: from,
    end_time: to,
    limit: most,
  };
  const isKnown = extent.data !== undefined && isSound;
  const query = useGraphQL(LogLines, { request }, { enabled: isKnown });
  const all = useMemo(
    () => query.data?.logs_query?.flatMap((line, at) => (line ? [lineOf(line, at)] : [])),
    [query.data],
  );
  const lines = useMemo(
    () => all?.filter(({ level }) => search.level === undefined || level === search.level),
    [all, search.level],
  );
  const at = lines?.findIndex(({ id }) => id === search.line) ?? -1;
  const open = lines?.[at];
  const step = (by: number) => {
    const next = lines?.[at + by];
    return at >= 0 && next
      ? () => {
          onGo({ line: next.id });
        }
      : undefined;
  };
  const many = (level: Level) => count(all?.filter((line) => line.level === level).length ?? 0);
  return (
    <Page
      title="Logs"
      crumb="Events"
      flush
      actions={
        <ViewsMenu
          saved={saved}
          search={search}
          passing={['line']}
          holds="Account, time, level and search"
          example="Errors of the checkout"
          onOpen={(found) => {
            void navigate({ search: logsSearch(found), replace: true });
          }}
        />
      }
      filters={
        <>
          <Select
            label="Account"
            value={account}
            options={accounts.map(({ id, account_name: name }) => ({ value: id, label: name }))}
            onChange={(next) => {
              onGo({ account: next, from: undefined, to: undefined, line: undefined });
            }}
          />
          <Time
            label="From (UTC)"
            value={minute(from)}
            onChange={(value) => {
              onGo({ from: value, to: minute(to), line: undefined });
            }}
          />
          <Time
            label="To (UTC)"
            value={minute(to)}
            onChange={(value) => {
              onGo({ from: minute(from), to: value, line: undefined });
            }}
          />
          <Select
            label="Level"
            value={search.level ?? ''}
            options={[
              { value: '', label: 'All' },
              ...levels.map((value) => ({ value: value as string, label: `${levelNames[value]} ${many(value)}` })),
            ]}
            onChange={(level) => {
              onGo({ level });
            }}
          />
          <span className="end-bar" title={help}>
            <SearchBox
              label="Search log lines"
              value={search.q ?? ''}
              onChange={(q) => {
                onGo({ q, line: undefined });
              }}
            />
          </span>
        </>
      }
      side={
        open && (
          <LineDetail
            key={open.id}
            line={open}
            onFilter={(name, value) => {
              onGo({ q: `{${name}="${value.replace(/["\\]/g, (one) => `\\${one}`)}"}`, line: undefined });
            }}
            account={account}
            onClose={() => {
              onGo({ line: undefined });
            }}
            onPrevious={step(-1)}
            onNext={step(1)}
          />
        )
      }
    >
      <section className="logs" aria-label="Log lines">
        <p className="sums num" role="status">
          {!isSound && <span className="st bad">“From” is not before “To”. Choose an earlier start.</span>}
          {lines && isSound && (
            <span>
              <b>{count(lines.length)}</b> {lines.length === 1 ? 'line' : 'lines'}
              {all?.length === most && ` of the newest ${count(most)}. Choose a shorter time for the others`}
            </span>
          )}
          {found && (
            <span className="muted hide-n">
              {count(found.count)} stored
              {found.min?.timestamp && last !== null
                ? `, ${dateTime(found.min.timestamp, now)} to ${dateTime(last, now)} UTC`
                : ''}
            </span>
          )}
          {found && found.count > 0 && (
            <Button
              size="small"
              kind="quiet"
              onClick={() => {
                onGo({
                  from: minute(parseTime(found.min?.timestamp ?? '').getTime()),
                  to: minute(end),
                  line: undefined,
                });
              }}
            >
              All stored time
            </Button>
          )}
          {lines && lines.length > 0 && isSound && (
            <ExportButton
              name="log lines"
              size="small"
              columns={exported}
              rows={lines}
              save={(file, text, type) => host.saveFile(file, text, type)}
            />
          )}
        </p>
        {lines && lines.length > 0 && <Histogram lines={lines} from={from} until={to} />}
        <Table
          lines={isSound ? lines : []}
          error={query.error ?? extent.error}
          retry={query.refetch}
          openId={search.line ?? null}
          onOpen={(line) => {
            onGo({ line: line.id }, search.line !== undefined);
          }}
          onClear={() => {
            onGo({ q: undefined, level: undefined });
          }}
        />
      </section>
    </Page>
  );
}

/** What a file of log lines holds. */
const exported: Column<Line>[] = [
  { id: 'time', header: 'Time', value: (line) => line.time },
  { id: 'level', header: 'Level', value: (line) => line.level },
  { id: 'source', header: 'Source', value: sourceOf },
  { id: 'text', header: 'Text', value: (line) => line.text },
  { id: 'labels', header: 'Labels', value: (line) => JSON.stringify(Object.fromEntries(line.labels)) },
];

function Time({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <input
      type="datetime-local"
      className="in time"
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => {
        if (event.target.value !== '') onChange(event.target.value.slice(0, 16));
      }}
    />
  );
}

/** Lines by time; the table below holds the same. */
function Histogram({ lines, from, until }: { lines: readonly Line[]; from: number; until: number }) {
  const now = useNow();
  const bars = histogram(lines, from, until, parts);
  const highest = Math.max(1, ...bars.map(sum));
  const errors = lines.filter(({ level }) => level === 'error').length;
  const time = (at: number) => dateTime(new Date(at), now);
  return (
    <div
      className="histogram"
      role="img"
      aria-label={`${count(lines.length)} lines from ${time(from)} to ${time(until)} UTC, ${count(errors)} of them errors, at most ${count(highest)} in ${String(Math.round((until - from) / parts / 1000))} s`}
    >
      <div className="bars" aria-hidden="true">
        {bars.map((bar, at) => (
          <span key={at} title={`${time(from + (at * (until - from)) / parts)}: ${count(sum(bar))} lines`}>
            {levels
              .toReversed()
              .filter((level) => bar[level] > 0)
              .map((level) => (
                <i key={level} className={level} style={{ height: `${String((bar[level] / highest) * 100)}%` }} />
              ))}
          </span>
        ))}
      </div>
      <div className="split micro muted" aria-hidden="true">
        <span>{time(from)}</span>
        <span>{time(until)} UTC</span>
      </div>
    </div>
  );
}

function sum(bar: Record<Level, number>): number {
  return bar.error + bar.warn + bar.info + bar.debug;
}

function Table({
  lines,
  error,
  retry,
  openId,
  onOpen,
  onClear,
}: {
  lines: readonly Line[] | undefined;
  error: Error | null;
  retry: () => unknown;
  openId: string | null;
  onOpen: (line: Line) => void;
  onClear: () => void;
}) {
  const narrow = useNarrow();
  const time: Column<Line> = {
    id: 'time',
    header: 'Time (UTC)',
    width: narrow ? 92 : 190,
    value: (line) => line.time,
    cell: (line) => (
      <span className="mono small">
        {narrow ? line.time.slice(11, 19) : line.time.replace('T', ' ').replace('Z', '')}
      </span>
    ),
  };
  const level: Column<Line> = {
    id: 'level',
    header: 'Level',
    width: 104,
    value: (line) => levels.indexOf(line.level),
    cell: (line) => <Status tone={tones[line.level]}>{levelNames[line.level]}</Status>,
  };
  const text: Column<Line> = {
    id: 'text',
    header: 'Message',
    value: (line) => line.text,
    cell: (line) => (
      <span className="mono small cut block" title={line.text}>
        {line.text}
      </span>
    ),
  };
  const source: Column<Line> = { id: 'source', header: 'From', width: 190, value: sourceOf };
  return (
    <div className="list">
      <DataTable
        label="Log lines"
        columns={narrow ? [text, time] : openId === null ? [text, time, level, source] : [text, time, level]}
        rows={lines}
        rowId={(line) => line.id}
        error={error}
        retry={retry}
        rowHeight={30}
        primary
        fill
        defaultSort={[{ id: 'time', desc: true }]}
        openId={openId}
        onOpen={onOpen}
        empty={
          <Empty icon={SearchX} title="No line matches" action={<Button onClick={onClear}>Clear the search</Button>}>
            No log line in this period matches. Search all stored time with the button above.
          </Empty>
        }
      />
    </div>
  );
}

function LineDetail({
  line,
  account,
  onFilter,
  ...panel
}: {
  line: Line;
  account: string;
  onFilter: (name: string, value: string) => void;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const now = useNow();
  const origin = useOriginInFront();
  const source = sourceOf(line);
  return (
    <SidePanel
      label="Log line"
      width="slim"
      head={
        <>
          <div className="row">
            <Status tone={tones[line.level]}>{levelNames[line.level]}</Status>
            <CopyLink origin={origin} copy={(text) => host.copy(text)} />
          </div>
          <h2 className="ttl">{dateTime(line.time, now)} UTC</h2>
        </>
      }
      actions={
        <Link
          to="/events"
          search={{ filters: [{ field: 'account', values: [account] }], ...(source ? { q: source } : {}) }}
          className="btn sm"
        >
          Events of {source || 'the account'}
        </Link>
      }
      {...panel}
    >
      <section className="sec">
        <h3>Message</h3>
        <p className="mono small wrap">{line.text}</p>
        <div className="row">
          <Button
            size="small"
            onClick={() => {
              void host.copy(line.text);
            }}
          >
            Copy message
          </Button>
        </div>
      </section>
      <section className="sec">
        <h3>Labels</h3>
        {line.labels.length === 0 && <p className="muted">None.</p>}
        <dl className="kv">
          {line.labels.map(([name, value]) => (
            <Fact key={name} name={name}>
              <button
                type="button"
                className="bare strong"
                title={`Show lines with ${name} ${value}`}
                onClick={() => {
                  onFilter(name, value);
                }}
              >
                {value}
              </button>
            </Fact>
          ))}
        </dl>
      </section>
    </SidePanel>
  );
}
