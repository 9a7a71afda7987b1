import { Pause, Play, Power } from 'lucide-react';
import { useGraphQL } from '@/api';
import { Button, Content, Empty, Fact, SidePanel, Status, dateTime, useNow } from '@/shared';
import { Outcome } from './Outcome';
import { notRunning, playbookTrigger } from './pilot';
import { PlaybookRuns } from './queries';
import type { Playbook, PlaybookRun } from './queries';
import { playbookStates, texts } from './words';

/** Polling interval, ms. */
const again = 5_000;

/** One playbook: its trigger, why it does not run, and its runs with their steps. */
export function PlaybookPanel({
  playbook,
  runReason,
  turnReason,
  busy,
  onRun,
  onTurn,
  onClose,
}: {
  playbook: Playbook;
  runReason: string | undefined;
  turnReason: string | undefined;
  busy: boolean;
  onRun: () => void;
  onTurn: () => void;
  onClose: () => void;
}) {
  const now = useNow();
  const runs = useGraphQL(PlaybookRuns, { id: playbook.id }, { refetchInterval: again });
  const reason = notRunning(playbook.attributes);
  const state = playbookStates[playbook.status];
  const isOn = playbook.status === 'ACTIVE';
  return (
    <SidePanel
      label={`Playbook ${playbook.name}`}
      onClose={onClose}
      head={
        <>
          <Status tone={state?.tone ?? 'off'}>{state?.name ?? playbook.status}</Status>
          <h2 className="ttl">{playbook.name}</h2>
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
        <Fact name="Account">{playbook.cloud_account.account_name}</Fact>
        <Fact name="Starts on">{playbookTrigger(playbook.trigger)}</Fact>
      </dl>
      <section aria-label="Runs">
        <h3 className="strong">Runs</h3>
        <Content of={runs} what="Its runs could not be read" lines={4}>
          {({ auto_playbook_executions: found }) =>
            found.length === 0 ? (
              <Empty icon={Play} title={texts.noRuns} />
            ) : (
              <ul className="pilot-tasks">
                {found.map((run) => (
                  <Run key={run.id} run={run} now={now} />
                ))}
              </ul>
            )
          }
        </Content>
      </section>
    </SidePanel>
  );
}

function Run({ run, now }: { run: PlaybookRun; now: Date }) {
  return (
    <li>
      <div className="split">
        <Outcome of="run" status={run.status} />
        <span className="small muted num">{dateTime(run.scheduled_at, now)}</span>
      </div>
      <ol className="pilot-steps">
        {run.auto_playbook_tasks.map((step) => {
          const why = step.error ?? step.reason;
          return (
            <li key={step.id}>
              <div className="split">
                <span className="mono small">{step.name}</span>
                <Outcome of="run" status={step.status} />
              </div>
              {why !== null && why !== '' && <div className="small muted pilot-why">{why}</div>}
            </li>
          );
        })}
      </ol>
    </li>
  );
}
