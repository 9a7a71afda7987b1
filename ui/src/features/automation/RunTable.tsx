import { History } from 'lucide-react';
import { DataTable, Empty, dateTime, useNarrow, useNow, timeWidth } from '@/shared';
import type { Column } from '@/shared';
import { RunStatus } from './marks';
import type { Run } from './queries';
import { stateOf, took } from './run';
import { startedBy, texts } from './words';

/** The columns of runs, in the table and in exports. */
export function runColumns(people: ReadonlyMap<string, string>, now: Date): Column<Run>[] {
  const by = (run: Run) => (run.triggered_by === null ? undefined : people.get(run.triggered_by));
  return [
    {
      id: 'started',
      header: 'Started',
      value: (run) => run.start_time,
      width: timeWidth,
      cell: (run) => <span className="num">{run.start_time === null ? '–' : dateTime(run.start_time, now)}</span>,
    },
    {
      id: 'result',
      header: 'Result',
      value: (run) => stateOf(run.status, run.waits_for)?.name ?? run.status,
      cell: (run) => <RunStatus status={run.status} waitsFor={run.waits_for} />,
    },
    {
      id: 'took',
      header: 'Duration',
      kind: 'number',
      sortable: false,
      value: (run) => took(run.start_time, run.close_time, now),
      width: 96,
    },
    {
      id: 'by',
      header: 'Started by',
      width: 150,
      value: (run) => by(run) ?? startedBy[run.trigger_type ?? ''] ?? run.trigger_type,
    },
  ];
}

/** The runs of a workflow, newest first. */
export function RunTable({
  runs,
  people,
  open,
  onOpen,
}: {
  runs: readonly Run[];
  people: ReadonlyMap<string, string>;
  open: string | undefined;
  onOpen: (id: string) => void;
}) {
  const now = useNow();
  // On a phone only start and result fit; the run below shows the rest.
  const columns = runColumns(people, now).slice(0, useNarrow() ? 2 : undefined);
  return (
    <DataTable
      label="Runs"
      columns={columns}
      rows={runs}
      rowId={(run) => run.id}
      openId={open ?? null}
      onOpen={(run) => {
        onOpen(run.id);
      }}
      primary
      fill
      empty={<Empty icon={History} title={texts.noRuns} />}
    />
  );
}
