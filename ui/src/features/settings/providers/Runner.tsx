import { Link } from '@tanstack/react-router';
import { Cpu, TriangleAlert } from 'lucide-react';
import { Status } from '@/shared';
import type { Providers } from './types';
import { codeIn } from './wording';

const tones = { starting: 'info', ready: 'ok', waiting: 'warn', stopped: 'off' } as const;
const words = { starting: 'Starting', ready: 'Running', waiting: 'Starts again soon', stopped: 'Stopped' };

/** A sentence with commands between backticks. */
function Words({ of }: { of: string }) {
  return codeIn(of).map((piece, at) =>
    piece.isCode ? <code key={at}>{piece.text}</code> : <span key={at}>{piece.text}</span>,
  );
}

/** The program that runs downloaded models: its location or how to get it, and running models. */
export function Runner({ of }: { of: Providers }) {
  const { runner, programs, downloaded } = of;
  const program = runner.llama_server ?? (runner.wrong ? null : runner.ollama);
  return (
    <section className="form-sec" aria-label="Runner">
      {program ? (
        <div className="note info">
          <Cpu className="i" />
          <div className="grow">
            Models are run by <code>{program}</code>, started when a model is first used and stopped with the service.
            It listens on this machine only.
          </div>
        </div>
      ) : (
        <div className="note warn" role="alert">
          <TriangleAlert className="i" />
          <div className="grow">
            <div className="t">{runner.wrong ?? 'No program on this computer runs these models'}</div>
            {runner.how && <Words of={runner.how} />}
          </div>
        </div>
      )}
      {downloaded.length === 0 && (
        <p className="muted">
          No model is on this machine yet.{' '}
          <Link to="/settings/model-downloads">Download one or add one from a file</Link>.
        </p>
      )}
      {programs.map((program) => (
        <div className="split" key={`${program.model} ${program.state}`}>
          <span className="mono">{program.model}</span>
          <span className="row">
            {program.trouble && <span className="small muted">{program.trouble}</span>}
            <Status tone={tones[program.state]}>{words[program.state]}</Status>
          </span>
        </div>
      ))}
    </section>
  );
}
