import { inTotals, listingRows, useGraphQL } from '@/api';
import type { ResultOf } from '@/api';
import { addDays, bounds, compare, divide, estimate, parseTime, subtract, sum, toDay } from '@/shared';
import type { Numeric } from '@/shared';
import { costOf } from './postmortem';
import type { Cost } from './postmortem';
import { EventCosts } from './queries';
import type { OneEvent } from './queries';
import { rowOf, startOf } from './row';

type One = NonNullable<ResultOf<typeof OneEvent>['events_by_pk']>;

/** Days before an event its cost is compared with. */
export const daysBefore = 7;

/** Billed cost of the event's resource, else of its account, on the days of the event and before; not requested if it has neither. */
export function useEventCosts(event: One, now: Date) {
  const account = event.cloud_account?.id;
  const resource = event.cloud_resource_id;
  const from = toDay(parseTime(startOf(event)));
  const to = toDay(event.ends_at === null ? now : parseTime(event.ends_at));
  const enabled = account !== undefined || resource !== null;
  const query = useGraphQL(
    EventCosts,
    {
      where: {
        spend_date: bounds({ from: addDays(from, -daysBefore), to }),
        ...inTotals,
        ...(resource === null ? { account_id: { _eq: account ?? '' } } : { resource_id: { _eq: resource } }),
      },
    },
    { enabled },
  );
  const of = resource === null ? rowOf(event).account : event.subject_name;
  const cost = query.data && costOf(listingRows(query.data.spend_groupings_v2), { of, from, to, days: daysBefore });
  return { query, cost, enabled, isOfResource: resource !== null };
}

/** Billed cost of the event's days above the average of the days before; null if no earlier day is billed. */
export function extraOf({ during, before }: Cost['byCurrency'][number]): Numeric | null {
  if (before === null) return null;
  const usual = divide(before.amount, before.days);
  return subtract(during.amount, sum(Array.from({ length: during.days }, () => usual)));
}

/** The cost of an event in a few words. Only costs of its resource are attributed to it: an account has other costs on the same days. */
export function costWords(cost: Cost | undefined, isOfResource: boolean): string {
  if (cost === undefined || !isOfResource) return 'Not known';
  if (cost.byCurrency.length === 0) return 'Not billed yet';
  const extras = cost.byCurrency.map((one) => ({ currency: one.currency, extra: extraOf(one) }));
  if (extras.some(({ extra }) => extra === null)) return 'Not known';
  const more = extras.flatMap(({ currency, extra }) =>
    extra !== null && compare(extra, 0) > 0
      ? [estimate(extra, currency, { whole: false, several: extras.length > 1 })]
      : [],
  );
  return more.length === 0 ? 'No more than usual' : more.join(', ');
}
