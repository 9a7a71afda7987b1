import { categoryName, listingRows, standing } from '@/api';
import type { About, ResultOf, Session } from '@/api';
import { isZero, month, sum } from '@/shared';
import type { Numeric } from '@/shared';
import { roleName } from '../roles';
import { counted, text } from './entry';
import type { Entry } from './entry';
import type { Accounts, Anomalies, Budgets, Events, Freshness, Months, Recommendations } from './queries';

/** Converts responses of instances to lines. Amounts keep every digit and their currency. */

export function ofAbout(about: About): Entry[] {
  const { version, schema_version: schema } = about;
  return [
    { key: 'version', label: 'Product version', figure: text(version) },
    // A version that does not report it has no line.
    ...(schema === undefined ? [] : [{ key: 'schema', label: 'Schema version', figure: counted(schema) }]),
  ];
}

export function ofSession({ tenant, email, roles }: Session): Entry[] {
  return [
    { key: 'tenant', label: 'Tenant', figure: text(tenant.name) },
    { key: 'person', label: 'Signed in as', figure: text(email) },
    { key: 'roles', label: 'Roles', figure: text(roles.map(roleName).join(', ')) },
  ];
}

export function ofFreshness(data: ResultOf<typeof Freshness>): Entry[] {
  const [reach] = listingRows(data.spend_groupings_v2);
  const [newest] = listingRows(data.imports_v2);
  const line = (key: string, label: string, time: string | null | undefined): Entry[] =>
    time ? [{ key, label, figure: { kind: 'day', day: time.slice(0, 10) } }] : [];
  return [
    ...line('first', 'Costs from', reach?.first_date),
    ...line('last', 'Costs through', reach?.last_date),
    ...line('import', 'Newest import', newest?.finished_at),
  ];
}

export function ofAccounts(data: ResultOf<typeof Accounts>): Entry[] {
  const rows = listingRows(data.cloud_accounts_v2);
  const providers = new Map<string, number>();
  for (const { cloud_provider: provider } of rows)
    providers.set(provider ?? 'Unknown', (providers.get(provider ?? 'Unknown') ?? 0) + 1);
  return [
    { key: 'all', label: 'Accounts', figure: counted(rows.length), rank: '' },
    ...[...providers].map(([name, many]) => ({
      key: `provider ${name}`,
      label: name,
      figure: counted(many),
      rank: name,
    })),
  ];
}

/** One line for each month and currency, the newest first. */
export function ofMonths(data: ResultOf<typeof Months>): Entry[] {
  return listingRows(data.spend_groupings_v2).flatMap(({ spend_date: day, currency_type, billed_cost: value }) => {
    if (!day || value === null) return [];
    const [start, currency] = [day.slice(0, 10), currency_type ?? ''];
    const isLater = 9_999_12 - Number(start.slice(0, 7).replace('-', ''));
    const label = `${month(start)}${currency === '' ? '' : `, ${currency}`}`;
    return [
      {
        key: `${start} ${currency}`,
        label,
        figure: { kind: 'money' as const, value, currency },
        rank: `${String(isLater).padStart(8, '0')} ${currency}`,
      },
    ];
  });
}

export function ofRecommendations(data: ResultOf<typeof Recommendations>): Entry[] {
  const open = listingRows(data.recommendation_groupings_v2).filter(
    ({ status, is_dismissed }) => standing({ status, is_dismissed: is_dismissed ?? false }) === 'open',
  );
  const savings = new Map<string, Numeric>();
  const categories = new Map<string, number>();
  for (const { currency, sum_all_savings: saving, category, count } of open) {
    if (saving !== null && !isZero(saving)) savings.set(currency ?? '', sum([savings.get(currency ?? ''), saving]));
    const name = categoryName(category);
    categories.set(name, (categories.get(name) ?? 0) + Number(count ?? 0));
  }
  const all = [...categories.values()].reduce((total, many) => total + many, 0);
  return [
    { key: 'open', label: 'Open', figure: counted(all), rank: '' },
    ...[...savings].map(([currency, value]) => ({
      key: `savings ${currency}`,
      label: `Savings per month${currency === '' ? '' : `, ${currency}`}`,
      figure: { kind: 'money' as const, value, currency },
      rank: ` ${currency}`,
    })),
    ...[...categories].map(([name, many]) => ({
      key: `category ${name}`,
      label: name,
      figure: counted(many),
      rank: name,
    })),
  ];
}

export function ofAnomalies({ ongoing, waiting }: ResultOf<typeof Anomalies>): Entry[] {
  return [
    { key: 'ongoing', label: 'Ongoing', figure: counted(ongoing.aggregate?.count ?? 0) },
    { key: 'waiting', label: 'Without a verdict', figure: counted(waiting.aggregate?.count ?? 0) },
  ];
}

const states = { FIRING: 'Firing', RESOLVED: 'Resolved', CLOSED: 'Closed' };

export function ofEvents(data: ResultOf<typeof Events>): Entry[] {
  const rows = listingRows(data.event_groupings_v2);
  return Object.entries(states).map(([status, label]) => ({
    key: status,
    label,
    figure: counted(sum(rows.filter((row) => row.status === status).map((row) => row.event_count))),
  }));
}

/** The number of budgets by state, and each exceeded one with the spend of its current period. */
export function ofBudgets(data: ResultOf<typeof Budgets>): Entry[] {
  const rows = data.spend_budgets?.rows ?? [];
  const of = (state: string) => rows.filter((row) => row.state === state);
  return [
    { key: 'all', label: 'Budgets', figure: counted(rows.length), rank: '1' },
    { key: 'over', label: 'Over', figure: counted(of('crossed').length), rank: '2' },
    { key: 'ahead', label: 'Expected to go over', figure: counted(of('forecast_crossed').length), rank: '3' },
    { key: 'near', label: 'Near', figure: counted(of('near').length), rank: '4' },
    ...of('crossed').flatMap(({ name, currency, spent, from, until }) =>
      spent === null
        ? []
        : [
            {
              key: `${name} ${currency ?? ''} ${from} ${until}`,
              label: `${name}, spent`,
              figure: { kind: 'money' as const, value: spent, currency: currency ?? '' },
              rank: `5 ${name}`,
            },
          ],
    ),
  ];
}
