import { getRouteApi } from '@tanstack/react-router';
import { CalendarDays, Coins } from 'lucide-react';
import { listingRows, useExtent, useGraphQL, useSeesTenant } from '@/api';
import { Content, Empty, Page, Select, month } from '@/shared';
import { AttentionPanel } from './AttentionPanel';
import { Export } from './Export';
import { FirstRun } from './FirstRun';
import { Month } from './Month';
import { billedMonths, period, shownMonth } from './period';
import { AnyOperations, Months } from './queries';
import { useSavings } from './savings';
import { SamplePanel } from './SamplePanel';
import { SavingsPanel } from './SavingsPanel';
import { ToCome } from './ToCome';
import './overview.css';

const route = getRouteApi('/overview');

/** The overview: one page to decide what to do next. */
export function OverviewPage() {
  const extent = useExtent();
  const months = useGraphQL(Months, {});
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const billed = billedMonths(listingRows(months.data?.spend_groupings_v2));
  const chosen = shownMonth(billed, search.month, extent.data?.days?.to);
  const currency = chosen?.currencies.find((code) => code === search.currency) ?? chosen?.currencies[0];
  const shown = chosen && extent.data?.days ? period(chosen.month, extent.data.days.to) : null;
  return (
    <Page
      title="Overview"
      actions={
        chosen && (
          <>
            {currency !== undefined && chosen.currencies.length > 1 && (
              <span className="both">
                <Select
                  label="Currency"
                  value={currency}
                  options={chosen.currencies.map((code) => ({ value: code, label: code || 'Without currency' }))}
                  onChange={(code) => {
                    void navigate({ search: (before) => ({ ...before, currency: code }), replace: true });
                  }}
                />
              </span>
            )}
            <span className="both">
              <Select
                label="Month"
                hideLabel
                icon={CalendarDays}
                value={chosen.month}
                options={billed.map((entry) => ({ value: entry.month, label: month(`${entry.month}-01`) }))}
                onChange={(to) => {
                  void navigate({ search: (before) => ({ ...before, month: to }) });
                }}
              />
            </span>
            {shown && <Export shown={shown} />}
          </>
        )
      }
    >
      <Content of={extent} what="Costs could not be read" lines={6}>
        {({ days }) =>
          days === null ? (
            <Before />
          ) : (
            <Content of={months} what="Costs could not be read" lines={6}>
              {() =>
                shown && currency !== undefined ? (
                  <Month
                    shown={shown}
                    currency={currency}
                    several={(chosen?.currencies.length ?? 0) > 1}
                    last={days.to}
                  />
                ) : (
                  <Before />
                )
              }
            </Content>
          )
        }
      </Content>
    </Page>
  );
}

/** Before the first bill; clusters, events and recommendations may be there already. */
function Before() {
  const recommendations = useSavings().data;
  const known = useGraphQL(AnyOperations, {}).data;
  const seesTenant = useSeesTenant();
  const isOperated = listingRows(known?.events_v2).length + listingRows(known?.k8s_pods_v2).length > 0;
  return (
    <>
      {isOperated && (
        <div className="first">
          <AttentionPanel last={null} sign="" />
        </div>
      )}
      {seesTenant ? (
        <FirstRun />
      ) : (
        <Empty icon={Coins} title="No costs yet">
          No imported bill contains an account that you can see.
        </Empty>
      )}
      <div className="first stack">
        {recommendations && (recommendations.length > 0 ? <SavingsPanel /> : <ToCome />)}
        {seesTenant && <SamplePanel />}
      </div>
    </>
  );
}
