import { Status, dateTime, timeWidth } from '@/shared';
import type { Column } from '@/shared';
import { Outcome, Tried } from './Outcome';
import { categoryWords, coversWords, notRunning, scheduleWords } from './pilot';
import type { Pilot } from './queries';
import { pilotStates } from './words';

/** The state of an auto-pilot. */
export function PilotStatus({ status }: { status: string }) {
  const state = pilotStates[status];
  return (
    <span title={state?.help}>
      {status === 'Dryrun' && state ? (
        <Tried>{state.name}</Tried>
      ) : (
        <Status tone={state?.tone ?? 'off'}>{state?.name ?? status}</Status>
      )}
    </span>
  );
}

/** The result of its last run, or why it will not run. */
function LastRun({ pilot, now }: { pilot: Pilot; now: Date }) {
  const reason = notRunning(pilot.attributes);
  const [task] = pilot.auto_pilot_tasks;
  const last = pilot.last_executed_time === null ? 'Never ran' : dateTime(pilot.last_executed_time, now);
  if (reason !== undefined)
    return (
      <>
        <Status tone="warn">Does not run</Status>
        <div className="cut small muted" title={reason}>
          {reason}
        </div>
      </>
    );
  if (task === undefined) return <span className="muted">{last}</span>;
  return (
    <>
      <Outcome of="task" status={task.status} />
      <div className="cut small muted num">{last}</div>
    </>
  );
}

/** Columns of the list of auto-pilots. Their names start with the category; an export has it in a separate column. */
export function pilotColumns(room: 'file' | 'wide' | 'narrow', now: Date): Column<Pilot>[] {
  const covers = (pilot: Pilot) =>
    coversWords(pilot.auto_optimize_resource_maps.map((one) => one.resource_identifier)).join(', ');
  const name: Column<Pilot> = {
    id: 'name',
    header: 'Auto-pilot',
    value: (pilot) => pilot.name,
    cell: (pilot) => (
      <>
        <div className="cut strong" title={pilot.name}>
          {pilot.name}
        </div>
        <div className="cut small muted" title={covers(pilot)}>
          {pilot.cloud_account.account_name}, {covers(pilot)}
        </div>
      </>
    ),
  };
  const state: Column<Pilot> = {
    id: 'state',
    header: 'Status',
    width: 110,
    value: (pilot) => pilotStates[pilot.status]?.name ?? pilot.status,
    cell: (pilot) => <PilotStatus status={pilot.status} />,
  };
  const last: Column<Pilot> = {
    id: 'last',
    header: 'Last run',
    width: room === 'narrow' ? 160 : 142,
    least: 136,
    value: (pilot) => pilot.last_executed_time,
    cell: (pilot) => <LastRun pilot={pilot} now={now} />,
  };
  if (room === 'narrow') return [name, state, last];
  return [
    name,
    ...(room === 'file'
      ? [{ id: 'category', header: 'Changes', value: (pilot: Pilot) => categoryWords(pilot.category) }]
      : []),
    state,
    {
      id: 'schedule',
      header: 'Schedule, UTC',
      width: 160,
      least: 124,
      value: (pilot) => scheduleWords(pilot.schedule_time),
      cell: (pilot) => (
        <span className="cut" title={scheduleWords(pilot.schedule_time)}>
          {scheduleWords(pilot.schedule_time)}
        </span>
      ),
    },
    last,
    {
      id: 'next',
      header: 'Next run',
      width: timeWidth,
      value: (pilot) => pilot.next_schedule_time,
      cell: (pilot) => (
        <span className="num">{pilot.next_schedule_time === null ? '–' : dateTime(pilot.next_schedule_time, now)}</span>
      ),
    },
  ];
}
