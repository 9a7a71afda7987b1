import { Link } from '@tanstack/react-router';
import type { ResultOf } from '@/api';
import { Content, Panel, compare, date, divide, estimate, money, useNow } from '@/shared';
import { daysBefore, extraOf, useEventCosts } from './costs';
import type { Cost } from './postmortem';
import type { OneEvent } from './queries';

type One = NonNullable<ResultOf<typeof OneEvent>['events_by_pk']>;

/** The costs of an event: billed cost of its days, usual cost, and the limits of the bill. */
export function Costs({ event }: { event: One }) {
  const now = useNow();
  const { query, cost, enabled, isOfResource } = useEventCosts(event, now);
  const filter =
    event.cloud_resource_id === null
      ? { field: 'account', values: [event.cloud_account?.id ?? ''] }
      : { field: 'resource', values: [event.cloud_resource_id] };
  return (
    <Panel
      title="Costs so far"
      actions={
        cost &&
        cost.byCurrency.length > 0 && (
          <Link to="/costs/explorer" search={{ from: cost.from, to: cost.to, filters: [filter] }} className="btn sm">
            Open in Explorer
          </Link>
        )
      }
      padded
    >
      {enabled ? (
        <Content of={{ ...query, data: cost }} what="Costs could not be read" lines={2}>
          {(found) => <Words cost={found} isOfResource={isOfResource} />}
        </Content>
      ) : (
        <p className="muted">The event has no account and no resource, so its costs are unknown.</p>
      )}
    </Panel>
  );
}

function Words({ cost, isOfResource }: { cost: Cost; isOfResource: boolean }) {
  const now = useNow();
  const first = date(cost.from, now);
  const days = cost.from === cost.to ? first : `${first} to ${date(cost.to, now)}`;
  if (cost.byCurrency.length === 0)
    return (
      <p className="muted">
        No costs of {cost.of} are imported for {days}.
      </p>
    );
  const several = cost.byCurrency.length > 1;
  return (
    <>
      {cost.byCurrency.map((one) => {
        const { currency, during, before } = one;
        const extra = extraOf(one);
        const usual = before && divide(before.amount, before.days);
        return (
          <p key={currency}>
            {cost.of} was billed {money(during.amount, currency, { several })} on {days}
            {usual === null
              ? `. No costs of the ${String(daysBefore)} days before are imported to compare with.`
              : `, usually ${money(usual, currency, { several })} a day in the ${String(daysBefore)} days before.`}
            {extra !== null && compare(extra, 0) > 0 && (
              <> That is {estimate(extra, currency, { whole: false, several })} more than usual.</>
            )}
          </p>
        );
      })}
      <p className="small muted">
        {isOfResource
          ? 'Bills are daily: the first day includes costs from before the event.'
          : 'The event has no billed resource. The bill does not show how much of the account’s costs it caused.'}
      </p>
    </>
  );
}
