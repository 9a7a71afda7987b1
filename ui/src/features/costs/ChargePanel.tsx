import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useGraphQL } from '@/api';
import type { ResultOf } from '@/api';
import { AskAbout, Content, Fact, SidePanel, dateTime, money, range, useToday } from '@/shared';
import type { Numeric } from '@/shared';
import { metrics } from './metric';
import type { Metric } from './metric';
import { OneCharge } from './queries';

type Charge = NonNullable<NonNullable<NonNullable<ResultOf<typeof OneCharge>['spends_v2']>['rows']>[number]>;

/** All fields of a charge, with its file and line. */
export function ChargePanel({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useGraphQL(OneCharge, { where: { id: { _eq: id } } });
  const charge = query.data?.spends_v2?.rows?.[0];
  return (
    <SidePanel
      label="Charge"
      width="slim"
      onClose={onClose}
      actions={
        charge && <AskAbout type="charge" id={id} what={nameOf(charge)} account={charge.cloud_account ?? undefined} />
      }
      head={
        <>
          <div className="small muted">Charge</div>
          <h2 className="title">{charge ? nameOf(charge) : ' '}</h2>
        </>
      }
    >
      <Content of={query} what="The charge could not be read">
        {({ spends_v2: found }) =>
          found?.rows?.[0] ? (
            <Facts charge={found.rows[0]} />
          ) : (
            <p>This charge no longer exists: a later file restated its billing period.</p>
          )
        }
      </Content>
    </SidePanel>
  );
}

function nameOf(charge: Charge): string {
  return charge.charge_description ?? charge.resource_service_name ?? 'Charge';
}

function Facts({ charge }: { charge: Charge }) {
  const now = useToday();
  const start = charge.date?.slice(0, 10) ?? '';
  const end = charge.period_end ? lastDay(charge.period_end) : start;
  const costs = Object.entries(metrics) as [Metric, (typeof metrics)[Metric]][];
  return (
    <>
      <section>
        <h3 className="strong">Source</h3>
        {charge.import_file_name !== null ? (
          <List>
            <Fact name="File">
              <Link to="/imports">{charge.import_file_name}</Link>
            </Fact>
            <Fact name="Line">{charge.source_line === null ? null : String(charge.source_line)}</Fact>
            <Fact name="Read">{charge.import_finished_at && dateTime(charge.import_finished_at, now)}</Fact>
          </List>
        ) : (
          <p className="muted">Written through the API, not read from a file.</p>
        )}
      </section>
      <section>
        <h3 className="strong">Cost</h3>
        <List>
          {costs.map(([metric, { long, stored }]) => (
            <Fact key={metric} name={long}>
              <Exact value={charge[stored]} currency={charge.unit} />
            </Fact>
          ))}
        </List>
      </section>
      <section>
        <h3 className="strong">Details</h3>
        <List>
          <Fact name="Period">{range(start, end, now)}</Fact>
          <Fact name="Billing period">{charge.billing_period_start?.slice(0, 7)}</Fact>
          <Fact name="Account">
            {charge.account_name} <span className="mono small muted">{charge.account_number}</span>
          </Fact>
          <Fact name="Resource">{charge.resource_name}</Fact>
          <Fact name="Resource ID" mono>
            {charge.external_resource_id}
          </Fact>
          <Fact name="Service">{charge.resource_service_name}</Fact>
          <Fact name="Service category">{charge.service_category}</Fact>
          <Fact name="Provider">{charge.provider_name}</Fact>
          <Fact name="Publisher">{charge.publisher_name}</Fact>
          <Fact name="Region">{charge.resource_region}</Fact>
          <Fact name="Zone">{charge.availability_zone}</Fact>
          <Fact name="Category">
            {[charge.charge_category, charge.charge_class, charge.charge_frequency].filter(Boolean).join(', ')}
          </Fact>
          <Fact name="Pricing">{charge.pricing_category}</Fact>
          <Fact name="Priced">{quantity(charge.pricing_quantity, charge.pricing_unit)}</Fact>
          <Fact name="Used">{quantity(charge.consumed_quantity, charge.consumed_unit)}</Fact>
          <Fact name="SKU" mono>
            {charge.sku_id}
          </Fact>
          <Fact name="SKU price" mono>
            {charge.sku_price_id}
          </Fact>
          <Fact name="Commitment">
            {[charge.commitment_discount_name, charge.commitment_discount_status].filter(Boolean).join(', ')}
          </Fact>
          <Fact name="Commitment ID" mono>
            {charge.commitment_discount_id}
          </Fact>
          <Fact name="Invoice" mono>
            {charge.invoice_id}
          </Fact>
          <Fact name="Payer" mono>
            {charge.billing_account_id}
          </Fact>
        </List>
      </section>
      <Tags tags={charge.tags} />
    </>
  );
}

/** Every digit of the file; tables show the rounded amount. */
function Exact({ value, currency }: { value: Numeric | null; currency: string | null }) {
  if (value === null) return null;
  return (
    <>
      <span className="num">{money(value, currency)}</span>{' '}
      <span className="mono small muted">
        {String(value)} {currency}
      </span>
    </>
  );
}

/** A listing has JSON as a text. */
function Tags({ tags: text }: { tags: Charge['tags'] }) {
  const tags: unknown = typeof text === 'string' ? JSON.parse(text) : text;
  if (tags === null || typeof tags !== 'object' || Array.isArray(tags)) return null;
  const entries = Object.entries(tags);
  if (entries.length === 0) return null;
  return (
    <section>
      <h3 className="strong">Tags</h3>
      <List>
        {entries.map(([key, value]) => (
          <Fact key={key} name={key}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Fact>
        ))}
      </List>
    </section>
  );
}

function List({ children }: { children: ReactNode }) {
  return <dl className="kv">{children}</dl>;
}

function quantity(value: Numeric | null, unit: string | null): string | null {
  return value === null ? null : [String(value), unit].filter(Boolean).join(' ');
}

/** The last day of a period with an exclusive end. */
function lastDay(end: string): string {
  return new Date(Date.parse(`${end.replace(/Z$/, '')}Z`) - 1).toISOString().slice(0, 10);
}
