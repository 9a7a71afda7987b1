import { Link } from '@tanstack/react-router';
import { Pause, Play, Power } from 'lucide-react';
import { useGraphQL } from '@/api';
import { Button, Content, Empty, Fact, SidePanel, dateTime, useNow } from '@/shared';
import { Outcome } from './Outcome';
import { categoryWords, coversWords, notRunning, scheduleWords, taskWords, wayWords } from './pilot';
import { PilotStatus } from './pilotColumns';
import { PilotTasks } from './queries';
import type { Pilot, PilotTask } from './queries';
import { texts } from './words';

/** Polling interval, ms. */
const again = 10_000;

/** One auto-pilot: scope, schedule, why it does not run, and the state of its recommendations. */
export function PilotPanel({
  pilot,
  runReason,
  turnReason,
  busy,
  onRun,
  onTurn,
  onClose,
}: {
  pilot: Pilot;
  runReason: string | undefined;
  turnReason: string | undefined;
  busy: boolean;
  onRun: () => void;
  onTurn: () => void;
  onClose: () => void;
}) {
  const now = useNow();
  const tasks = useGraphQL(PilotTasks, { id: pilot.id }, { refetchInterval: again });
  const reason = notRunning(pilot.attributes);
  const covers = coversWords(pilot.auto_optimize_resource_maps.map((one) => one.resource_identifier));
  const isOn = pilot.status === 'Active' || pilot.status === 'Dryrun';
  const time = (at: string | null) => (at === null ? '–' : dateTime(at, now));
  return (
    <SidePanel
      label={`Auto-pilot ${pilot.name}`}
      onClose={onClose}
      head={
        <>
          <PilotStatus status={pilot.status} />
          <h2 className="ttl">{pilot.name}</h2>
        </>
      }
      actions={
        <>
          <Button reason={turnReason} disabled={busy} onClick={onTurn}>
            {isOn ? <Pause className="i" /> : <Power className="i" />}
            {isOn ? 'Pause' : 'Activate'}
          </Button>
          <Button kind="primary" reason={runReason} busy={busy && 'Running'} onClick={onRun}>
            <Play className="i" />
            Run now
          </Button>
        </>
      }
    >
      {reason !== undefined && (
        <div className="note warn" role="status">
          <div className="grow">
            <div className="t">It does not run</div>
            <div className="muted">{reason}</div>
          </div>
        </div>
      )}
      <dl className="kv">
        <Fact name="Account">{pilot.cloud_account.account_name}</Fact>
        <Fact name="Changes">{categoryWords(pilot.category)}</Fact>
        <Fact name="Looks after">
          {covers.map((one) => (
            <div key={one} className="mono small">
              {one}
            </div>
          ))}
        </Fact>
        <Fact name="How">{wayWords(pilot.attributes)}</Fact>
        <Fact name="Schedule">{scheduleWords(pilot.schedule_time)}</Fact>
        <Fact name="Last run">{time(pilot.last_executed_time)}</Fact>
        <Fact name="Next run">{time(pilot.next_schedule_time)}</Fact>
        <Fact name="Ends">{pilot.end_at === null ? null : time(pilot.end_at)}</Fact>
      </dl>
      <section aria-label="Its recommendations">
        <h3 className="strong">Its recommendations</h3>
        <Content of={tasks} what="The state of its recommendations could not be read" lines={4}>
          {({ auto_pilot_task: found }) =>
            found.length === 0 ? (
              <Empty icon={Play} title={texts.noTasks} />
            ) : (
              <ul className="pilot-tasks">
                {found.map((task) => (
                  <Task key={task.id} task={task} now={now} />
                ))}
              </ul>
            )
          }
        </Content>
      </section>
    </SidePanel>
  );
}

function Task({ task, now }: { task: PilotTask; now: Date }) {
  const why = task.error ?? task.reason;
  return (
    <li>
      <div className="split">
        <Outcome of="task" status={task.status} />
        <span className="small muted num">{dateTime(task.updated_at, now)}</span>
      </div>
      <div className="strong">
        {task.recommendation_id === null ? (
          taskWords(task.name)
        ) : (
          <Link to="/recommendations" search={{ id: task.recommendation_id }}>
            {taskWords(task.name)}
          </Link>
        )}
      </div>
      {why !== null && why !== '' && <div className="small muted pilot-why">{why}</div>}
    </li>
  );
}
