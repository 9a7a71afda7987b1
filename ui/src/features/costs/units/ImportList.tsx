import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useGraphQL, useSeesTenant } from '@/api';
import { Button, Content, DataTable, Panel, count, dateTime, useNow } from '@/shared';
import type { Column } from '@/shared';
import { NumberImports } from './queries';
import type { NumberImport } from './queries';
import { UndoImportDialog } from './UndoImportDialog';
import { words } from './words';

const columnNames = words.importColumns;
const isInForce = ({ state }: NumberImport) => state === 'done' || state === 'done_with_skips';

/** The tables of numbers that were imported; each can be undone. */
export function ImportList({ reason }: { reason: string | undefined }) {
  const now = useNow();
  const found = useGraphQL(NumberImports, {}, { enabled: useSeesTenant() });
  const [undone, setUndone] = useState<NumberImport | null>(null);
  const columns: Column<NumberImport>[] = [
    { id: 'file', header: columnNames.file, value: (row) => row.file_name },
    {
      id: 'at',
      header: columnNames.at,
      width: 170,
      value: (row) => row.created_at,
      cell: (row) => dateTime(row.created_at, now),
    },
    {
      id: 'rows',
      header: columnNames.rows,
      kind: 'number',
      width: 100,
      value: (row) => row.rows_written,
      cell: (row) => count(row.rows_written),
    },
    {
      id: 'state',
      header: columnNames.state,
      width: 220,
      value: (row) => words.states[row.state] ?? words.running,
    },
    {
      id: 'act',
      header: columnNames.act,
      hideHeader: true,
      sortable: false,
      csv: null,
      width: 112,
      value: () => null,
      cell: (row) =>
        isInForce(row) && (
          <Button
            size="small"
            reason={reason}
            aria-label={`${words.undo} ${row.file_name}`}
            onClick={() => {
              setUndone(row);
            }}
          >
            <Undo2 className="i" />
            {words.undo}
          </Button>
        ),
    },
  ];
  const rows = found.data?.imports ?? [];
  if (found.data && rows.length === 0) return null;
  return (
    <Panel title={words.imports}>
      <Content of={found} what={words.importsFailed} lines={3}>
        {() => (
          <DataTable
            label={words.imports}
            columns={columns}
            rows={rows}
            rowId={(row) => row.id}
            defaultSort={[{ id: 'at', desc: true }]}
            empty={null}
          />
        )}
      </Content>
      {undone && (
        <UndoImportDialog
          of={undone}
          onClose={() => {
            setUndone(null);
          }}
        />
      )}
    </Panel>
  );
}
