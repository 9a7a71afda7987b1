import { Status, count, dateTime, plural, timeWidth } from '@/shared';
import type { Column } from '@/shared';
import { Outcome } from './Outcome';
import { notRunning, playbookTrigger } from './pilot';
import type { Playbook } from './queries';
import { playbookStates } from './words';

/** How many runs a playbook has had. */
function runsOf(playbook: Playbook): number {
  return playbook.auto_playbook_executions_aggregate.aggregate?.count ?? 0;
}

/** The state of a playbook, and why it does not run. */
function State({ playbook }: { playbook: Playbook }) {
  const reason = notRunning(playbook.attributes);
  const state = playbookStates[playbook.status];
  if (reason !== undefined)
    return (
      <>
        <Status tone="warn">Does not run</Status>
        <div className="cut small muted" title={reason}>
          {reason}
        </div>
      </>
    );
  return <Status tone={state?.tone ?? 'off'}>{state?.name ?? playbook.status}</Status>;
}

/** Columns of the list of playbooks. */
export function playbookColumns(room: 'wide' | 'narrow', now: Date): Column<Playbook>[] {
  const steps = (playbook: Playbook) => (Array.isArray(playbook.tasks) ? playbook.tasks.length : 0);
  const name: Column<Playbook> = {
    id: 'name',
    header: 'Playbook',
    value: (playbook) => playbook.name,
    cell: (playbook) => (
      <>
        <div className="cut strong" title={playbook.name}>
          {playbook.name}
        </div>
        <div className="cut small muted">
          {playbook.cloud_account.account_name}, {plural(steps(playbook), 'step')}
        </div>
      </>
    ),
  };
  const state: Column<Playbook> = {
    id: 'state',
    header: 'Status',
    width: 150,
    least: 132,
    value: (playbook) => playbookStates[playbook.status]?.name ?? playbook.status,
    cell: (playbook) => <State playbook={playbook} />,
  };
  const last: Column<Playbook> = {
    id: 'last',
    header: 'Last run',
    width: room === 'wide' ? 180 : timeWidth,
    least: timeWidth,
    value: (playbook) => playbook.auto_playbook_executions[0]?.scheduled_at ?? null,
    cell: (playbook) => {
      const [run] = playbook.auto_playbook_executions;
      if (run === undefined) return <span className="muted">Never ran</span>;
      return (
        <>
          <Outcome of="run" status={run.status} />
          <div className="cut small muted num">{dateTime(run.scheduled_at, now)}</div>
        </>
      );
    },
  };
  if (room === 'narrow') return [name, state, last];
  return [
    name,
    {
      id: 'starts',
      header: 'Starts on',
      width: 240,
      least: 160,
      value: (playbook) => playbookTrigger(playbook.trigger),
      cell: (playbook) => (
        <span className="cut" title={playbookTrigger(playbook.trigger)}>
          {playbookTrigger(playbook.trigger)}
        </span>
      ),
    },
    state,
    last,
    {
      id: 'runs',
      header: 'Runs',
      kind: 'number',
      width: 70,
      value: runsOf,
      cell: (playbook) => count(runsOf(playbook)),
    },
  ];
}
