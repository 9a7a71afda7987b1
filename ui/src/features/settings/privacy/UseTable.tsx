import { Gauge } from 'lucide-react';
import { DataTable, Empty, Panel, bytes, count, money } from '@/shared';
import type { Column } from '@/shared';
import type { Use } from './queries';

/** Model usage of people, or by model, this month. */
export function UseTable({
  title,
  head,
  of,
  isModel = false,
}: {
  title: string;
  head: string;
  of: readonly Use[];
  isModel?: boolean;
}) {
  const columns: Column<Use>[] = [
    {
      id: 'name',
      header: head,
      value: (use) => use.name,
      cell: (use) => (
        <span className={isModel ? 'cut mono' : 'cut'} title={use.name}>
          {use.name}
        </span>
      ),
    },
    { id: 'requests', header: 'Requests', kind: 'number', width: 100, value: (use) => use.requests },
    {
      id: 'tokens',
      header: 'Input tokens',
      kind: 'number',
      width: 120,
      value: (use) => use.input_tokens,
      cell: (use) => count(use.input_tokens),
    },
    {
      id: 'written',
      header: 'Output tokens',
      kind: 'number',
      width: 100,
      value: (use) => use.output_tokens,
      cell: (use) => count(use.output_tokens),
    },
    {
      id: 'left',
      header: 'Left this machine',
      kind: 'number',
      width: 140,
      value: (use) => use.bytes_left,
      cell: (use) => (Number(use.bytes_left) === 0 ? 'nothing' : bytes(use.bytes_left)),
    },
    {
      id: 'cost',
      header: 'Cost',
      kind: 'number',
      width: 150,
      value: (use) => use.cost,
      cell: (use) => (
        <span title={use.unpriced > 0 ? `${count(use.unpriced)} requests had no price when they were sent` : undefined}>
          {use.unpriced === use.requests ? 'no price' : money(use.cost, null)}
          {use.unpriced > 0 && use.unpriced < use.requests && ', in part'}
        </span>
      ),
    },
  ];
  return (
    <Panel title={title} meta="This month, all accounts">
      <DataTable
        label={title}
        columns={columns}
        rows={of}
        rowId={(use) => `${use.id ?? ''} ${use.name}`}
        rowHeight={30}
        empty={
          <Empty icon={Gauge} title="No model was used this month">
            Every request is recorded before it is sent, with its tokens and its cost.
          </Empty>
        }
      />
    </Panel>
  );
}
