import { inTotals, listingRows, useGraphQL } from '@/api';
import { Content, DataTable, Panel, bounds, compare, count, date, longDay, money, parseTime } from '@/shared';
import type { Column, Numeric } from '@/shared';
import type { MonthProps } from './Month';
import { AccountFacts, AccountSpend } from './queries';
import { ToExplorer } from './ToExplorer';

const most = 6;

interface Account {
  id: string;
  name: string;
  provider: string | null;
  /** The last day its bills cover. */
  last: string | null;
  spend: Numeric;
}

/** The accounts that cost most, and how far their bills go. */
export function AccountsPanel({ shown, currency, several }: MonthProps) {
  // Days of the year that is shown go without it.
  const year = parseTime(shown.now.to);
  const spend = useGraphQL(AccountSpend, {
    where: {
      spend_date: bounds(shown.now),
      currency_type: currency === '' ? { _is_null: true } : { _eq: currency },
      ...inTotals,
    },
  });
  const rows = listingRows(spend.data?.spend_groupings_v2).sort((a, b) =>
    compare(b.billed_cost ?? 0, a.billed_cost ?? 0),
  );
  const top = rows.slice(0, most);
  const ids = top.map((row) => row.account_id).filter((id) => id !== null);
  const facts = useGraphQL(AccountFacts, { ids }, { enabled: ids.length > 0 }).data;
  const known = listingRows(facts?.cloud_accounts_v2);
  const reaches = listingRows(facts?.spend_groupings_v2);
  const accounts = top.map((row): Account => {
    const fact = known.find((one) => one.id === row.account_id);
    const reach = reaches.find((one) => one.account_id === row.account_id);
    return {
      id: row.account_id ?? '',
      name: fact?.account_name ?? fact?.account_number ?? '',
      provider: fact?.cloud_provider ?? null,
      last: lastDay(reach?.last_date ?? null, reach?.last_period_end ?? null),
      spend: row.billed_cost ?? 0,
    };
  });
  const whole = accounts.some((account) => compare(account.spend, 1000) >= 0);
  const columns: Column<Account>[] = [
    {
      id: 'name',
      header: 'Account',
      value: (row) => row.name,
      cell: (row) => (
        <span className="acct">
          {row.provider && <span className="tag">{row.provider}</span>}
          <span className="cut" title={row.name}>
            <ToExplorer
              range={shown.now}
              only={{ field: 'account', value: row.id }}
              currency={several ? currency : undefined}
            >
              {row.name}
            </ToExplorer>
          </span>
        </span>
      ),
    },
    {
      id: 'last',
      header: 'Through',
      width: 72,
      value: (row) => row.last,
      cell: (row) => (row.last ? <span title={longDay(row.last)}>{date(row.last, year)}</span> : '–'),
    },
    {
      id: 'spend',
      header: 'Spend',
      kind: 'number',
      width: several ? 96 : 84,
      value: (row) => row.spend,
      cell: (row) => money(row.spend, currency || null, { several, whole }),
    },
  ];
  return (
    <Panel
      title="Accounts"
      meta={rows.length > most ? `${count(most)} of ${count(rows.length)}, by spend` : undefined}
      actions={
        <ToExplorer range={shown.now} by="account" currency={several ? currency : undefined}>
          All accounts
        </ToExplorer>
      }
    >
      <Content
        of={{ ...spend, data: facts ?? (ids.length === 0 ? spend.data : undefined) }}
        what="Accounts could not be read"
      >
        {() => (
          <DataTable
            label="Accounts by spend"
            columns={columns}
            rows={accounts}
            rowId={(row) => row.id}
            empty="No charges"
          />
        )}
      </Content>
    </Panel>
  );
}

/** The day before the end of the last charge; its start when the bill states no end. */
function lastDay(start: string | null, end: string | null): string | null {
  if (!end) return start?.slice(0, 10) ?? null;
  return new Date(Date.parse(`${end.slice(0, 19)}Z`) - 1).toISOString().slice(0, 10);
}
