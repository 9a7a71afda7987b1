import { Tags } from 'lucide-react';
import { useGraphQL } from '@/api';
import { Button, Content, DataTable, Empty, Panel, compare, count, money, ratio, share } from '@/shared';
import type { Column } from '@/shared';
import { Coverage } from './queries';
import type { CoverageRow } from './queries';
import { useTagActs } from './useTagActs';
import { words } from './words';

/** How much of the cost has each key of tags, and keys that are one key spelled in several ways. */
export function CoveragePanel({
  range,
  onMakeOne,
}: {
  range: { from: string; to: string };
  /** Starts a virtual tag from the spellings of a key. */
  onMakeOne: (keys: readonly string[]) => void;
}) {
  const { reason } = useTagActs();
  const found = useGraphQL(Coverage, range);
  const coverage = found.data?.tag_coverage ?? undefined;
  const currency = coverage?.currency ?? null;
  const columns: Column<CoverageRow>[] = [
    { id: 'key', header: 'Key', value: (row) => row.key, cell: (row) => <span className="mono cut">{row.key}</span> },
    {
      id: 'amount',
      header: 'Tagged cost',
      kind: 'number',
      value: (row) => row.amount,
      width: 130,
      cell: (row) => money(row.amount, currency),
    },
    {
      id: 'share',
      header: 'Share',
      kind: 'number',
      value: (row) => row.share,
      width: 80,
      cell: (row) => (row.share === null ? '–' : share(Number(row.share))),
    },
    {
      id: 'values',
      header: 'Values',
      kind: 'number',
      value: (row) => row.values,
      width: 80,
      cell: (row) => count(row.values),
    },
  ];
  const isCost = coverage && compare(coverage.taggable, 0) > 0;
  return (
    <Panel
      title={words.coverage.title}
      meta={
        isCost
          ? `${share(ratio(coverage.tagged, coverage.taggable))} of ${money(coverage.taggable, currency)} has a tag`
          : undefined
      }
    >
      <p className="small muted padded">{words.coverage.help}</p>
      <Content of={{ ...found, data: coverage }} what={words.coverage.failed} lines={4}>
        {({ keys, spellings }) => (
          <>
            {spellings.length > 0 && (
              <div className="note warn" role="note">
                <div className="grow">
                  <div className="t">{words.coverage.spellings}</div>
                  <ul>
                    {spellings.map((spelling) => (
                      <li key={spelling.keys.join()} className="small">
                        <span className="mono">{spelling.keys.join(', ')}</span>{' '}
                        <span className="muted">{money(spelling.amount, currency)}</span>{' '}
                        <Button
                          size="small"
                          kind="quiet"
                          reason={reason}
                          aria-label={`${words.makeOne}: ${spelling.keys.join(', ')}`}
                          onClick={() => {
                            onMakeOne(spelling.keys);
                          }}
                        >
                          {words.makeOne}
                        </Button>
                      </li>
                    ))}
                  </ul>
                </div>
              </div>
            )}
            <DataTable
              label={words.coverage.title}
              columns={columns}
              rows={[...keys]}
              rowId={(row) => row.key}
              defaultSort={[{ id: 'amount', desc: true }]}
              empty={
                <Empty icon={Tags} title="No tags in this month">
                  Bills that carry tags or labels show them here.
                </Empty>
              }
            />
          </>
        )}
      </Content>
    </Panel>
  );
}
