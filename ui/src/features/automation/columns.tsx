import { dateTime, timeWidth } from '@/shared';
import type { Column } from '@/shared';
import { RunStatus, WorkflowStatus } from './marks';
import { nextRun } from './next';
import { stateOf } from './run';
import { triggersWords } from './trigger';
import type { Row } from './useWorkflows';
import { workflowStates } from './words';

/** Columns of the list of workflows; `isOn` states whether automation is on. */
export function columnsFor(room: 'wide' | 'narrow', now: Date, isOn = true): Column<Row>[] {
  // Nothing is due while automation is off.
  const due = ({ stored }: Row) =>
    isOn ? nextRun({ status: stored.status, triggers: stored.definition.triggers }, now) : null;
  const name: Column<Row> = {
    id: 'name',
    header: 'Workflow',
    value: ({ stored }) => stored.name,
    cell: ({ stored, account }) => (
      <>
        <div className="cut strong">{stored.name}</div>
        <div className="cut small muted">{account}</div>
      </>
    ),
  };
  const state: Column<Row> = {
    id: 'state',
    header: 'State',
    width: 104,
    value: ({ stored }) => workflowStates[stored.status ?? '']?.name ?? stored.status,
    cell: ({ stored }) => <WorkflowStatus status={stored.status} />,
  };
  const result: Column<Row> = {
    id: 'result',
    header: 'Last result',
    width: 170,
    least: 156,
    value: ({ stored }) => stateOf(stored.last_execution_status, stored.last_execution_waits_for)?.name ?? null,
    cell: ({ stored }) => (
      <RunStatus status={stored.last_execution_status} waitsFor={stored.last_execution_waits_for} />
    ),
  };
  if (room === 'narrow') return [name, state, result];
  return [
    name,
    {
      id: 'starts',
      header: 'Starts',
      width: 260,
      least: 112,
      value: ({ stored }) => triggersWords(stored.definition.triggers),
      cell: ({ stored }) => (
        <span className="cut" title={triggersWords(stored.definition.triggers)}>
          {triggersWords(stored.definition.triggers)}
        </span>
      ),
    },
    state,
    result,
    {
      id: 'last',
      header: 'Last run',
      width: timeWidth,
      value: ({ stored }) => stored.last_execution_time,
      cell: ({ stored }) => (
        <span className="num">
          {stored.last_execution_time === null ? '–' : dateTime(stored.last_execution_time, now)}
        </span>
      ),
    },
    {
      id: 'next',
      header: 'Next run',
      width: timeWidth,
      value: due,
      cell: (row) => {
        const time = due(row);
        return <span className="num">{time === null ? '–' : dateTime(time, now)}</span>;
      },
    },
  ];
}
