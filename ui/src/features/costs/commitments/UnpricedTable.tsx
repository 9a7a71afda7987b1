import { Button, DataTable, money } from '@/shared';
import type { Column } from '@/shared';
import type { ProposalRow } from './queries';
import { unpricedOf } from './request';
import type { UnpricedService } from './request';
import { words } from './words';

const { unpriced, whole } = words.propose;

/** Services without a known discount: their cost, and one explanation of what is missing and which file adds it. */
export function UnpricedTable({
  rows,
  onChoose,
}: {
  rows: readonly ProposalRow[];
  /** Puts a service into the terms above, where its discount is entered. */
  onChoose: (service: UnpricedService) => void;
}) {
  const services = unpricedOf(rows);
  const several = new Set(services.map(({ currency }) => currency)).size > 1;
  const hasFamilies = services.some(({ family }) => family !== null);
  const days = [...new Set(services.flatMap(({ costs }) => [...costs.keys()]))].sort((a, b) => a - b);
  const name = ({ service, family }: UnpricedService) => family ?? (hasFamilies ? whole : service);
  const columns: Column<UnpricedService>[] = [
    {
      id: 'name',
      header: words.propose.columns.name,
      value: name,
      cell: (row) => (
        <span className="cut strong block" title={name(row)}>
          {name(row)}
        </span>
      ),
    },
    ...days.map((many): Column<UnpricedService> => ({
      id: `days-${String(many)}`,
      header: unpriced.cost(many),
      kind: 'number',
      width: 170,
      least: 150,
      value: (row) => row.costs.get(many) ?? null,
      cell: (row) => money(row.costs.get(many), row.currency, { several }),
    })),
    {
      id: 'enter',
      header: unpriced.enter,
      hideHeader: true,
      sortable: false,
      width: 150,
      value: () => null,
      csv: null,
      cell: (row) => (
        <Button
          size="small"
          aria-label={unpriced.enterFor(name(row))}
          onClick={() => {
            onChoose(row);
          }}
        >
          {unpriced.enter}
        </Button>
      ),
    },
  ];
  return (
    <section className="unpriced" aria-label={unpriced.title}>
      <h3>{unpriced.title}</h3>
      <p className="small muted">{unpriced.help}</p>
      <DataTable label={unpriced.title} columns={columns} rows={services} rowId={({ id }) => id} empty={null} />
    </section>
  );
}
