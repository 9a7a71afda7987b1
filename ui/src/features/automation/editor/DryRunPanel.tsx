import { useMutation } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { request } from '@/api';
import type { ApiError, Json } from '@/api';
import { Button, Field, Form } from '@/shared';
import { readInputs } from '../inputs';
import type { InputField } from '../inputs';
import { RunStatus } from '../marks';
import { documentText } from '../run';
import { requestOf } from './definition';
import { DryRun } from './queries';
import type { DryRunAnswer } from './queries';

/** Plans a run to its end and shows what each task would send or change. Nothing is sent. */
export function DryRunPanel({
  account,
  definition,
  fields,
  reason,
  answer,
  onAnswer,
}: {
  account: string;
  definition: Json;
  fields: readonly InputField[];
  reason: string | undefined;
  answer: DryRunAnswer | null;
  onAnswer: (answer: DryRunAnswer | null) => void;
}) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const run = useMutation<DryRunAnswer | null, ApiError, Record<string, Json>>({
    mutationFn: async (inputs) => {
      const asked = { account_id: account, definition: requestOf(definition), inputs };
      return (await request(DryRun, { request: asked })).workflow_trigger_dryrun;
    },
    onSuccess: onAnswer,
  });
  return (
    <div className="stack">
      <Form
        className="stack"
        onSubmit={() => {
          const read = readInputs(fields, typed);
          setProblems(read.problems);
          if (Object.keys(read.problems).length === 0) run.mutate(read.values);
        }}
      >
        <p className="muted">
          Plans a whole run and shows what each task would send, run or change. Nothing leaves this computer.
        </p>
        {fields.map((field) => (
          <Field
            key={field.id}
            label={field.id}
            setting={field.type ?? 'any'}
            help={field.default === null ? field.description : `Default: ${field.default}`}
            error={problems[field.id]}
          >
            {(control) => (
              <input
                {...control}
                className="in"
                autoComplete="off"
                value={typed[field.id] ?? ''}
                onChange={(event) => {
                  setTyped({ ...typed, [field.id]: event.target.value });
                }}
              />
            )}
          </Field>
        ))}
        <div className="row">
          <Button type="submit" reason={reason} busy={run.isPending && 'Planning'}>
            <FlaskConical className="i" />
            Dry run
          </Button>
          {reason && <span className="small muted">{reason}</span>}
        </div>
        {run.error && (
          <span className="err" role="alert">
            {run.error.message}
          </span>
        )}
      </Form>
      {answer && <Answer answer={answer} />}
    </div>
  );
}

function Answer({ answer }: { answer: DryRunAnswer }) {
  const output =
    typeof answer.output === 'object' && answer.output !== null && !Array.isArray(answer.output) ? answer.output : {};
  const would = documentText(output['would'] ?? null);
  const result = documentText(output['result'] ?? null);
  return (
    <section className="sec" aria-label="Outcome of the dry run">
      <h3>
        The run would end as <RunStatus status={answer.status} />
      </h3>
      {answer.error !== null && <p className="err">{answer.error}</p>}
      <ul className="stack tight">
        {(answer.tasks ?? []).map(
          (task) =>
            task && (
              <li key={task.id} className="split">
                <span className="mono small cut" title={task.error ?? task.type}>
                  {task.id}
                </span>
                <RunStatus status={task.status} />
              </li>
            ),
        )}
      </ul>
      {would !== undefined && (
        <>
          <h3>What it would send or change</h3>
          <pre className="wf-log" tabIndex={0}>
            {would}
          </pre>
        </>
      )}
      {result !== undefined && (
        <>
          <h3>Planned result</h3>
          <pre className="wf-log" tabIndex={0}>
            {result}
          </pre>
        </>
      )}
    </section>
  );
}
