import { Link } from '@tanstack/react-router';
import { categoryName, listingRows, ruleTitle, savingsCurrency, standing, useGraphQL, useOriginInFront } from '@/api';
import type { Json, ResultOf } from '@/api';
import { host } from '@/host';
import { AskAbout, Content, CopyLink, Fact, SidePanel, dateTime, estimate, money, range, useNow } from '@/shared';
import type { DayRange } from '@/shared';
import { CostDays } from './CostDays';
import { OneResource, ResourceCosts } from './queries';
import { nameOf } from './row';
import { costWhere } from './where';

type Answer = ResultOf<typeof OneResource>;
type Resource = NonNullable<Answer['cloud_resourses_by_pk']>;

/** One resource: its properties, billed cost, recommendations and events. */
export function Detail({ id, days, onClose }: { id: string; days: DayRange | null; onClose: () => void }) {
  const query = useGraphQL(OneResource, { id });
  const origin = useOriginInFront();
  const resource = query.data?.cloud_resourses_by_pk;
  const name = resource ? nameOf(resource) : 'Resource';
  return (
    <SidePanel
      label={name}
      width="slim"
      onClose={onClose}
      actions={resource && <AskAbout type="resource" id={id} what={name} account={resource.cloud_account.id} />}
      tools={<CopyLink origin={origin} copy={(text) => host.copy(text)} />}
      head={
        <>
          <div className="row">
            <span className="small muted cut">{resource?.type ?? resource?.service_name ?? 'Resource'}</span>
          </div>
          <h2 className="ttl">{resource ? name : ' '}</h2>
        </>
      }
    >
      <Content of={query} what="The resource could not be read">
        {({ cloud_resourses_by_pk: found, events }) =>
          found ? (
            <>
              {days && <Costs id={id} name={name} days={days} />}
              <Recommendations of={found.recommendations} />
              <Facts resource={found} />
              <Tags tags={found.tags} />
              <Events of={events} />
            </>
          ) : (
            <p>This resource does not exist, or you cannot see it.</p>
          )
        }
      </Content>
    </SidePanel>
  );
}

/** Billed cost with every digit by currency, and a link to the charges. */
function Costs({ id, name, days }: { id: string; name: string; days: DayRange }) {
  const now = useNow();
  const query = useGraphQL(ResourceCosts, { where: costWhere(days, id) });
  return (
    <section className="sec">
      <h3>Billed, {range(days.from, days.to, now)}</h3>
      <Content of={query} what="Its costs could not be read" lines={2}>
        {({ spend_groupings_v2: listing }) => {
          const costs = listingRows(listing).flatMap(({ currency_type: currency, spend_amount: amount }) =>
            amount === null ? [] : [[currency ?? '', amount] as const],
          );
          return (
            <>
              {costs.length === 0 && <p className="muted">No charges in this period.</p>}
              {costs.map(([currency, amount]) => (
                <div key={currency}>
                  <div className="fig num">{money(amount, currency || null, { several: costs.length > 1 })}</div>
                  <div className="mono small muted">
                    {String(amount)} {currency}
                  </div>
                </div>
              ))}
              {/* Currencies are never added, and one chart a currency is what the explorer is for. */}
              {costs.length === 1 && <CostDays id={id} name={name} days={days} currency={costs[0]?.[0] ?? ''} />}
              <Link to="/costs/explorer" search={{ ...days, filters: [{ field: 'resource', values: [id] }] }}>
                Open in the explorer
              </Link>
            </>
          );
        }}
      </Content>
    </section>
  );
}

function Facts({ resource }: { resource: Resource }) {
  const now = useNow();
  const { cloud_account: account } = resource;
  const time = (at: string | null) => at && dateTime(at, now);
  return (
    <section className="sec">
      <h3>Facts</h3>
      <dl className="kv">
        <Fact name="Identifier" mono>
          {resource.external_resource_id ?? resource.resourse_id}
        </Fact>
        <Fact name="Account">
          <Link to="/inventory/resources" search={{ filters: [{ field: 'account', values: [account.id] }] }}>
            {account.account_name}
          </Link>{' '}
          <span className="mono small muted">{account.account_number}</span>
        </Fact>
        <Fact name="Provider">{resource.cloud_provider}</Fact>
        <Fact name="Service">{resource.service_name}</Fact>
        <Fact name="Type">{resource.type}</Fact>
        <Fact name="Region">{resource.region}</Fact>
        {/* Imports write Active for everything they meet, which tells nobody anything. */}
        <Fact name="Status">{resource.status === 'Active' ? null : resource.status}</Fact>
        <Fact name="Created">{time(resource.resourse_created_on)}</Fact>
        <Fact name="First seen">{time(resource.first_seen)}</Fact>
        <Fact name="Last seen">{time(resource.last_seen)}</Fact>
      </dl>
    </section>
  );
}

function Tags({ tags }: { tags: Json }) {
  const entries = tags !== null && typeof tags === 'object' && !Array.isArray(tags) ? Object.entries(tags) : [];
  if (entries.length === 0) return null;
  return (
    <section className="sec">
      <h3>Tags</h3>
      <dl className="kv">
        {entries.map(([key, value]) => (
          <Fact key={key} name={key}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function Recommendations({ of }: { of: Resource['recommendations'] }) {
  if (of.length === 0) return null;
  return (
    <section className="sec">
      <h3>Recommendations</h3>
      {of.map((one) => (
        <div className="split" key={one.id}>
          <Link to="/recommendations" search={{ id: one.id }}>
            {ruleTitle(one.rule_name) ?? categoryName(one.category)}
          </Link>
          <span className="small muted num nowrap">
            {one.estimated_savings !== null &&
              `${estimate(one.estimated_savings, savingsCurrency(one.recommendation))} per month, `}
            {standing(one)}
          </span>
        </div>
      ))}
    </section>
  );
}

function Events({ of }: { of: Answer['events'] }) {
  const now = useNow();
  if (of.length === 0) return null;
  return (
    <section className="sec">
      <h3>Events</h3>
      {of.map((event) => (
        <div className="split" key={event.id}>
          <Link
            to="/assistant/causes"
            search={{
              ...(event.cloud_account_id === null ? {} : { account: event.cloud_account_id }),
              event: event.id,
            }}
          >
            {event.title}
          </Link>
          <span className="small muted nowrap">
            {[event.status?.toLowerCase(), event.starts_at && dateTime(event.starts_at, now)]
              .filter(Boolean)
              .join(', ')}
          </span>
        </div>
      ))}
    </section>
  );
}
