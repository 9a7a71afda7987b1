import { Link } from '@tanstack/react-router';
import { PiggyBank } from 'lucide-react';
import { useLedger } from '@/api';
import type { LedgerCurrency as Currency, LedgerMonth as Month } from '@/api';
import {
  Content,
  DataTable,
  Empty,
  Page,
  Panel,
  Tile,
  count,
  estimate,
  money,
  month,
  plural,
  useToday,
} from '@/shared';
import type { Column, Numeric } from '@/shared';
import './savings.css';

/** The savings ledger: identified, closed and proved savings, by currency. */
export function SavingsPage() {
  const found = useLedger();
  return (
    <Page title="Savings">
      <Content of={found} what="Savings could not be read" lines={6}>
        {(currencies) => {
          const several = currencies.length > 1;
          return currencies.length === 0 ? (
            <Panel label="Savings">
              <Nothing />
            </Panel>
          ) : (
            <div className="stack savings">
              {currencies.map((one) => (
                <OfCurrency key={one.currency} of={one} several={several} />
              ))}
            </div>
          );
        }}
      </Content>
    </Page>
  );
}

function Nothing() {
  return (
    <Empty
      icon={PiggyBank}
      title="No savings yet"
      action={
        <Link to="/imports" className="btn">
          Import cost files
        </Link>
      }
    >
      Rules look for waste in every imported bill. When a recommendation is closed, later bills show how much it saved.
    </Empty>
  );
}

function OfCurrency({ of, several }: { of: Currency; several: boolean }) {
  const amount = (value: Numeric) => money(value, of.currency, { several });
  const estimated = (value: Numeric) => estimate(value, of.currency, { several });
  return (
    <>
      <section className="kpis savings-kpis" aria-label={`Savings in ${of.currency}`}>
        <Tile
          label="Identified"
          title="Estimated monthly savings of open recommendations"
          value={estimated(of.identified.amount)}
        >
          estimated, per month, in {plural(of.identified.count, 'open recommendation')}
        </Tile>
        <Tile
          label="Waiting for proof"
          title="Estimates of closed recommendations without a whole later billed month yet"
          value={estimated(of.closed.amount)}
        >
          {plural(of.closed.count, 'closed recommendation')}, estimated
        </Tile>
        <Tile
          label="Proved"
          title="Savings shown by the newest month, in full or in part"
          value={amount(of.verified.amount)}
        >
          {plural(of.verified.count, 'recommendation')}, in the newest month
        </Tile>
        <Tile
          label="Not saved"
          title="Estimates of closed recommendations where later bills show no saving"
          value={estimated(of.none.amount)}
        >
          {plural(of.none.count, 'recommendation')}, estimated
        </Tile>
      </section>
      <Panel
        title="Saved by month"
        meta={of.currency}
        actions={
          <Link to="/recommendations" search={{ show: 'done' }}>
            Closed recommendations
          </Link>
        }
      >
        <Months rows={of.months} amount={amount} />
      </Panel>
    </>
  );
}

function Months({ rows, amount }: { rows: readonly Month[]; amount: (value: Numeric) => string }) {
  const figure = (id: 'before' | 'after' | 'saved', header: string): Column<Month> => ({
    id,
    header,
    kind: 'number',
    width: 150,
    value: (row) => row[id],
    cell: (row) => (id === 'saved' ? <b>{amount(row[id])}</b> : amount(row[id])),
  });
  const now = useToday();
  const columns: Column<Month>[] = [
    { id: 'month', header: 'Month', value: (row) => row.month, cell: (row) => month(`${row.month}-01`, now) },
    {
      id: 'count',
      header: 'Recommendations',
      kind: 'number',
      width: 150,
      value: (row) => row.count,
      cell: (row) => count(row.count),
    },
    figure('before', 'Cost before'),
    figure('after', 'Cost after'),
    figure('saved', 'Saved'),
  ];
  return (
    <DataTable
      label="Saved by month"
      columns={columns}
      rows={rows}
      rowId={(row) => row.month}
      defaultSort={[{ id: 'month', desc: true }]}
      empty={
        <Empty icon={PiggyBank} title="Nothing proved yet">
          The first whole billed month after a recommendation is closed shows the new cost of its resource.
        </Empty>
      }
      primary
    />
  );
}
