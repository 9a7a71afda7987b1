import { Tags } from 'lucide-react';
import type { ReactNode } from 'react';
import { DataTable, Empty, Status, count, money, share } from '@/shared';
import type { Column } from '@/shared';
import type { CoverageRow, VirtualTag } from './queries';
import { words } from './words';

interface Line {
  tag: VirtualTag;
  covered: CoverageRow | undefined;
}

/** The virtual tags in their order, and how much of the month's cost has each. */
export function TagTable({
  tags,
  coverage,
  currency,
  openId,
  onOpen,
  action,
}: {
  tags: readonly VirtualTag[];
  /** By the key that charges have. */
  coverage: readonly CoverageRow[];
  currency: string | null;
  openId: string | null;
  onOpen: (tag: VirtualTag) => void;
  action: ReactNode;
}) {
  const lines = tags.map((tag): Line => ({ tag, covered: coverage.find(({ key }) => key === `virtual:${tag.key}`) }));
  const names = words.columns;
  const columns: Column<Line>[] = [
    {
      id: 'name',
      header: names.name,
      value: ({ tag }) => tag.name,
      cell: ({ tag }) => (
        <span className="cut">
          <span className="strong">{tag.name}</span> {!tag.is_active && <Status tone="off">{words.off}</Status>}
        </span>
      ),
    },
    {
      id: 'key',
      header: names.key,
      value: ({ tag }) => tag.key,
      cell: ({ tag }) => <span className="mono cut">{`virtual:${tag.key}`}</span>,
    },
    {
      id: 'rules',
      header: names.rules,
      kind: 'number',
      value: ({ tag }) => (Array.isArray(tag.rules) ? tag.rules.length : 0),
      width: 66,
    },
    {
      id: 'amount',
      header: names.amount,
      kind: 'number',
      value: ({ covered }) => covered?.amount ?? null,
      width: 150,
      cell: ({ covered }) => (covered ? money(covered.amount, currency) : '–'),
    },
    {
      id: 'share',
      header: names.share,
      kind: 'number',
      value: ({ covered }) => covered?.share ?? null,
      width: 80,
      cell: ({ covered }) => (covered?.share == null ? '–' : share(Number(covered.share))),
    },
    {
      id: 'values',
      header: names.values,
      kind: 'number',
      value: ({ covered }) => covered?.values ?? null,
      width: 80,
      cell: ({ covered }) => (covered ? count(covered.values) : '–'),
    },
  ];
  return (
    <DataTable
      label={words.title}
      columns={columns}
      rows={lines}
      rowId={({ tag }) => tag.id}
      {...(openId === null ? {} : { openId })}
      onOpen={({ tag }) => {
        onOpen(tag);
      }}
      empty={
        <Empty icon={Tags} title={words.none} action={action}>
          {words.noneHelp}
        </Empty>
      }
    />
  );
}
