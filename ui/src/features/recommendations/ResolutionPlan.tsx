import { Link } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { Button, Content, Status, dateTimeZone, toast, useNow } from '@/shared';
import { Commands } from './Commands';
import { PullRequestDialog } from './PullRequestDialog';
import type { Row } from './row';
import {
  attemptName,
  hasInverse,
  needsRepository,
  sentence,
  sharedReasons,
  useBegin,
  useCannotBegin,
  usePlan,
  useUndo,
  wayAbout,
  wayConfig,
  wayKey,
  wayName,
} from './way';
import type { Attempt, Way } from './way';

/** Carrying a recommendation out from here: the ways that are possible, why another is not, and the attempts so far. */
export function ResolutionPlan({ row }: { row: Row }) {
  const found = usePlan(row);
  return (
    <Content of={found} what="The plan could not be read" lines={4}>
      {({ recommendation_get_plan: plan, recommendation_resolution: attempts }) => (
        <>
          {attempts.length > 0 && <Attempts attempts={attempts} isUnderWay={row.status === 'InProgress'} />}
          {row.standing === 'open' && row.status !== 'InProgress' && plan && <Choice row={row} ways={plan.ways} />}
        </>
      )}
    </Content>
  );
}

function Choice({ row, ways }: { row: Row; ways: readonly Way[] }) {
  const [asked, setAsked] = useState<Way | null>(null);
  const cannot = useCannotBegin();
  const begin = useBegin(row);
  const run = (way: Way, config = wayConfig(way)) => {
    begin.mutate(
      { provider: way.provider, ...(config ? { config } : {}) },
      {
        onSuccess: (message) => {
          setAsked(null);
          toast({ tone: 'ok', text: `${wayName(way)}: ${message}` });
        },
        onError: (error) => {
          if (!needsRepository(way)) toast({ tone: 'bad', text: `It could not be started: ${error.message}` });
        },
      },
    );
  };
  const reasons = sharedReasons(ways);
  const patch = ways.find((way) => way.patch)?.patch;
  const commands = ways.find((way) => way.commands.length > 0)?.commands ?? [];
  return (
    <section className="sec" aria-label="Apply">
      <h3>Apply</h3>
      {cannot !== undefined && (
        <div className="note">
          <Info className="i" />
          <p>{cannot}</p>
        </div>
      )}
      {reasons.map((reason) => (
        <div key={reason} className="note">
          <Info className="i" />
          <p>{sentence(reason)}</p>
        </div>
      ))}
      <ul className="rec-ways">
        {ways.map((way) => (
          <li key={wayKey(way)} className="split">
            <div>
              <b>{wayName(way)}</b>
              <p className="small muted">{wayAbout(way.provider)}</p>
              {way.reason && !reasons.includes(way.reason) && <p className="small wrap">{sentence(way.reason)}</p>}
            </div>
            <Button
              size="small"
              aria-label={`Start: ${wayName(way)}`}
              reason={cannot ?? (way.is_possible ? undefined : (way.reason ?? 'Not possible here'))}
              disabled={begin.isPending}
              onClick={() => {
                if (needsRepository(way)) setAsked(way);
                else run(way);
              }}
            >
              {needsRepository(way) ? 'Start…' : 'Start'}
            </Button>
          </li>
        ))}
      </ul>
      {commands.length > 0 && <Commands commands={commands.map((command) => ({ what: 'Runs', command }))} />}
      {patch && (
        <>
          <h4>Changes in the manifest</h4>
          <pre className="code-text" tabIndex={0}>
            {patch}
          </pre>
        </>
      )}
      {asked && (
        <PullRequestDialog
          way={asked}
          busy={begin.isPending}
          error={begin.error?.message}
          onBegin={(config) => {
            run(asked, config);
          }}
          onClose={() => {
            begin.reset();
            setAsked(null);
          }}
        />
      )}
    </section>
  );
}

const tones: Record<string, 'ok' | 'bad' | 'info'> = {
  Success: 'ok',
  Failed: 'bad',
  InProgress: 'info',
  Configuring: 'info',
};

/** Reverts a change, after an approval. */
function TakeBack({ id }: { id: string }) {
  const undo = useUndo();
  return (
    <Button
      size="small"
      reason={useCannotBegin()}
      disabled={undo.isPending}
      onClick={() => {
        undo.mutate(id, {
          onSuccess: (text) => toast({ tone: 'ok', text }),
          onError: (error) => toast({ tone: 'bad', text: error.message }),
        });
      }}
    >
      Revert…
    </Button>
  );
}

function Attempts({ attempts, isUnderWay }: { attempts: readonly Attempt[]; isUnderWay: boolean }) {
  const now = useNow();
  return (
    <section className="sec" aria-label="Attempts">
      <h3>Attempts</h3>
      <ul className="stack">
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <div className="split">
              <b>{attemptName(attempt.type)}</b>
              <Status tone={tones[attempt.status] ?? 'info'}>
                {attempt.status === 'InProgress' ? 'In progress' : attempt.status}
              </Status>
            </div>
            <p className="small muted">Started {dateTimeZone(attempt.created_at, now)}</p>
            {attempt.status_message && <p className="small wrap">{attempt.status_message}</p>}
            {hasInverse(attempt) && <TakeBack id={attempt.id} />}
          </li>
        ))}
      </ul>
      {isUnderWay && (
        <p className="help">
          Reopen ends the attempt here and cancels its run. A pull request or a ticket that is open already stays open.
        </p>
      )}
      <p className="help">
        Runs are under <Link to="/automation/workflows">Automation, Workflows</Link>.
      </p>
    </section>
  );
}
