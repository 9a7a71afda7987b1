import { Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { DataTable, Empty, Status, money, useNarrow } from '@/shared';
import type { Column } from '@/shared';
import type { Rule, Share } from './queries';
import { sumsOf } from './sums';
import type { RuleSum } from './sums';
import { words } from './words';

interface Line {
  rule: Rule;
  sums: RuleSum[];
}

/** The rules in their order, with the amounts they split in the month. */
export function RuleTable({
  rules,
  shares,
  several,
  openId,
  isBeside,
  onOpen,
  action,
}: {
  rules: readonly Rule[];
  shares: readonly Share[];
  several: boolean;
  openId: string | null;
  /** Whether an open panel takes half of the width. */
  isBeside: boolean;
  onOpen: (rule: Rule) => void;
  action: ReactNode;
}) {
  const isNarrow = useNarrow();
  const lines = rules.map((rule): Line => ({ rule, sums: sumsOf(shares, rule.id) }));
  const amounts = (sums: readonly RuleSum[], of: (sum: RuleSum) => RuleSum['source']) =>
    sums.length === 0 ? '–' : sums.map((sum) => money(of(sum), sum.currency, { several })).join(', ');
  const order: Column<Line> = {
    id: 'order',
    header: 'Order',
    kind: 'number',
    value: ({ rule }) => rule.position,
    width: 84,
  };
  const columns: Column<Line>[] = [
    // In stacked rows the first column must be the name.
    ...(isNarrow ? [] : [order]),
    {
      id: 'name',
      header: 'Rule',
      value: ({ rule }) => rule.name,
      cell: ({ rule }) => (
        <span className="cut">
          <span className="strong">{rule.name}</span> {!rule.is_active && <Status tone="off">Off</Status>}
        </span>
      ),
    },
    ...(isNarrow ? [order] : []),
    { id: 'method', header: 'Split', value: ({ rule }) => words.methods[rule.method], width: 176, least: 150 },
    {
      id: 'source',
      header: 'Charges',
      kind: 'number',
      value: ({ sums }) => sums[0]?.source ?? null,
      width: 130,
      cell: ({ sums }) => amounts(sums, (sum) => sum.source),
    },
    {
      id: 'unallocated',
      header: words.unallocated,
      kind: 'number',
      value: ({ sums }) => sums[0]?.unallocated ?? null,
      width: 130,
      cell: ({ sums }) => amounts(sums, (sum) => sum.unallocated),
    },
  ];
  return (
    <DataTable
      label={words.rules}
      columns={isBeside ? columns.filter(({ id }) => id !== 'method' && id !== 'unallocated') : columns}
      rows={lines}
      rowId={({ rule }) => rule.id}
      primary
      {...(openId === null ? {} : { openId })}
      onOpen={({ rule }) => {
        onOpen(rule);
      }}
      defaultSort={[{ id: 'order', desc: false }]}
      empty={
        <Empty icon={Scale} title={words.noRules} action={action}>
          {words.noRulesHelp}
        </Empty>
      }
    />
  );
}
