import { getRouteApi } from '@tanstack/react-router';
import { useSavedViews } from '@/api';
import { Page, ViewsMenu } from '@/shared';
import { Histogram } from './Histogram';
import { LineDetail } from './LineDetail';
import { LineTable } from './LineTable';
import { LogFilters } from './LogFilters';
import { LogSums } from './LogSums';
import { logsSearch } from './search';
import type { Go, LogsSearch } from './search';
import { useLines } from './useLines';

const route = getRouteApi('/events/logs');

/** The page with the lines of one account, and the one that is open beside them. */
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
  const { from, to, isSound, all, lines } = found;
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
      filters={<LogFilters {...{ account, accounts, search, from, to, all, onGo }} />}
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
        <LogSums of={found} onGo={onGo} />
        {lines && lines.length > 0 && <Histogram lines={lines} from={from} until={to} />}
        <LineTable
          lines={isSound ? lines : []}
          error={found.error}
          retry={found.refetch}
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
