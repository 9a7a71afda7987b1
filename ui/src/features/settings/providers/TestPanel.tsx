import { CircleCheck, OctagonX, TriangleAlert, Zap } from 'lucide-react';
import { Button, Panel, dateTimeZone, useNow } from '@/shared';
import type { Provider, Step } from './types';
import { costOf } from './wording';

const icons = { ok: CircleCheck, warning: TriangleAlert, failed: OctagonX };
const tones = { ok: 'ok', warning: 'warn', failed: 'bad' };

/** The result of the last test, with a button for another one. */
export function TestPanel({
  provider,
  busy,
  unsaved,
  onTest,
}: {
  provider: Provider;
  busy: boolean;
  unsaved: boolean;
  onTest: () => void;
}) {
  const now = useNow();
  const { test } = provider;
  const words = test ? 'Test again' : 'Test';
  return (
    <Panel
      title="Test"
      {...(test ? { meta: `${dateTimeZone(test.at, now)}` } : {})}
      actions={
        <Button size="small" busy={busy && 'Asking'} onClick={onTest}>
          <Zap className="i s" />
          {unsaved ? `Save and ${words.toLowerCase()}` : words}
        </Button>
      }
    >
      <div className="teststeps" role="status">
        {test ? (
          test.steps.map((step) => <Line key={step.text} step={step} />)
        ) : (
          <p className="muted">Sends one short question to each of its models, without any of your data.</p>
        )}
      </div>
    </Panel>
  );
}

function Line({ step }: { step: Step }) {
  const Icon = icons[step.outcome];
  return (
    <div className="teststep">
      <div className="split">
        <span className={`st plain ${tones[step.outcome]}`}>
          <Icon className="i" />
          <span>{step.text}</span>
        </span>
        <span className="muted small num">{costOf(step)}</span>
      </div>
      {step.remedy && <p className="help">{step.remedy}</p>}
    </div>
  );
}
