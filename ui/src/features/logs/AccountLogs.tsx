import { getRouteApi } from '@tanstack/react-router';
import { useSavedViews } from '@/api';
import { Page, Segmented, ViewsMenu } from '@/shared';
import { Histogram } from './Histogram';
import { LineDetail } from './LineDetail';
import { LineTable } from './LineTable';
import { LogFilters } from './LogFilters';
import { LogSums } from './LogSums';
import { histogram, levels, selectorOfPattern } from './lines';
import type { Level } from './lines';
import { PatternTable } from './PatternTable';
import { logsSearch } from './search';
import type { Go, LogsSearch } from './search';
import { parts, useLines } from './useLines';

const route = getRouteApi('/events/logs');

/** The log lines of one account, with the selected line in the side panel. */
export function AccountLogs({
  account,
  accounts,
  search,
  onGo,
}: {
  account: string;
  accounts: readonly { id: string; account_name: string }[];
  search: LogsSearch;
  onGo: Go;
}) {
  const navigate = route.useNavigate();
  const saved = useSavedViews('events/logs');
  const found = useLines(account, search);
  const { from, to, isSound, canSum, all, lines, summary } = found;
  const isOfLevel = (level: Level) => search.level === undefined || level === search.level;
  const inLevel = (level: Level) => summary?.levels.find((one) => one.level === level)?.count;
  const total = summary && levels.filter(isOfLevel).reduce((many, level) => many + (inLevel(level) ?? 0), 0);
  const bars =
    summary?.parts.map((part) => {
      const of = (level: Level) => (isOfLevel(level) ? part[level] : 0);
      return { error: of('error'), warn: of('warn'), info: of('info'), debug: of('debug') };
    }) ?? (canSum ? undefined : lines && histogram(lines, from, to, parts));
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
  const clear = () => {
    onGo({ q: undefined, level: undefined });
  };
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
        <LogFilters
          {...{ account, accounts, search, from, to, onGo }}
          many={(level) => {
            if (!canSum) return all?.filter((line) => line.level === level).length;
            // Patterns are summed up of one level.
            return search.show === 'patterns' && search.level !== undefined ? undefined : inLevel(level);
          }}
        />
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
        <LogSums of={found} total={total} onGo={onGo} />
        {isSound && bars && bars.length > 0 && <Histogram bars={bars} from={from} until={to} />}
        {canSum && (
          <div className="logs-show">
            <Segmented
              label="What is listed"
              value={search.show ?? 'lines'}
              options={[
                { value: 'lines', label: 'Lines' },
                { value: 'patterns', label: 'Patterns' },
              ]}
              onChange={(show) => {
                onGo({ show: show === 'patterns' ? 'patterns' : undefined, line: undefined });
              }}
            />
          </div>
        )}
        {search.show === 'patterns' && canSum ? (
          <PatternTable
            of={summary}
            error={found.error}
            retry={found.refetch}
            onOpen={({ template }) => {
              onGo({ q: selectorOfPattern(search.q ?? '', template), show: undefined }, false);
            }}
            onClear={clear}
          />
        ) : (
          <LineTable
            lines={isSound ? lines : []}
            error={found.error}
            retry={found.refetch}
            openId={search.line ?? null}
            onOpen={(line) => {
              onGo({ line: line.id }, search.line !== undefined);
            }}
            onClear={clear}
          />
        )}
      </section>
    </Page>
  );
}
