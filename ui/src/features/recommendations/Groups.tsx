import { Check } from 'lucide-react';
import { DataTable, Empty, count, money } from '@/shared';
import type { Column } from '@/shared';
import { groupsOf } from './grouping';
import type { Group } from './grouping';
import type { Row } from './row';

/** One line for each change or person; a line leads to its recommendations. */
export function Groups({
  by,
  rows,
  onOpen,
}: {
  by: 'change' | 'owner';
  rows: readonly Row[];
  onOpen: (field: 'change' | 'owner', value: string) => void;
}) {
  const groups = groupsOf(rows, by);
  const several = new Set(groups.flatMap((group) => group.savings.map(([currency]) => currency))).size > 1;
  const columns: Column<Group>[] = [
    { id: 'name', header: by === 'change' ? 'Change' : 'Owner', value: (group) => group.name },
    {
      id: 'count',
      header: 'Recommendations',
      kind: 'number',
      width: 148,
      value: (group) => group.count,
      cell: (group) => count(group.count),
    },
    {
      id: 'savings',
      header: 'Monthly',
      kind: 'number',
      width: 200,
      value: (group) => group.savings[0]?.[1] ?? null,
      cell: (group) =>
        group.savings.length === 0
          ? '–'
          : group.savings.map(([currency, amount]) => money(amount, currency || null, { several })).join(', '),
    },
  ];
  return (
    <div className="list">
      <DataTable
        label={by === 'change' ? 'Recommendations by change' : 'Recommendations by owner'}
        columns={columns}
        rows={groups}
        rowId={(group) => group.value}
        rowHeight={34}
        primary
        fill
        defaultSort={[{ id: 'savings', desc: true }]}
        onOpen={(group) => {
          onOpen(by, group.value);
        }}
        empty={<Empty icon={Check} title="No recommendation matches" />}
      />
    </div>
  );
}
