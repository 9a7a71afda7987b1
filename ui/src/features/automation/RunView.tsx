import { CircleCheck, CirclePlay, OctagonX } from 'lucide-react';
import { useState } from 'react';
import type { Json } from '@/api';
import { Tabs, dateTimeZone, problemSentence, useNow } from '@/shared';
import { RunStatus } from './marks';
import type { RunTask, RunWithTasks } from './queries';
import { documentText, innerTasks, momentsOf, took } from './run';
import { runStates, texts } from './words';

/** One run: timeline, inputs and result. */
export function RunView({ run, onTask }: { run: RunWithTasks; onTask: (id: string) => void }) {
  const [tab, setTab] = useState<'timeline' | 'inputs' | 'result'>('timeline');
  return (
    <>
      <Problem error={run.error} status={run.status} />
      <Tabs
        label="Parts of the run"
        value={tab}
        options={[
          { value: 'timeline', label: 'Timeline' },
          { value: 'inputs', label: 'Inputs' },
          { value: 'result', label: 'Result' },
        ]}
        onChange={setTab}
      />
      <div role="tabpanel" className="stack tight">
        {tab === 'timeline' && <Moments run={run} onTask={onTask} />}
        {tab === 'inputs' && <Document value={run.inputs} none="No input." />}
        {tab === 'result' && <Document value={run.workflow_result} none="No result yet." />}
      </div>
    </>
  );
}

/** One task of a run. */
export function TaskView({ task }: { task: RunTask }) {
  const [chosen, setTab] = useState<'input' | 'output' | 'inside'>('output');
  const now = useNow();
  const inside = innerTasks(task.children);
  const tab = chosen === 'inside' && inside.length === 0 ? 'output' : chosen;
  return (
    <>
      <Problem error={task.error} status={task.status} />
      <dl className="kv">
        <dt>State</dt>
        <dd>
          <RunStatus status={task.status} />
        </dd>
        <dt>Type</dt>
        <dd className="mono small">{task.type}</dd>
        <dt>Started</dt>
        <dd className="num">{task.start_time === null ? 'not yet' : `${dateTimeZone(task.start_time, now)}`}</dd>
        <dt>Duration</dt>
        <dd className="num">{took(task.start_time, task.end_time, now) ?? '–'}</dd>
        <dt>Attempts</dt>
        <dd className="num">{task.attempt ?? 0}</dd>
      </dl>
      <Tabs
        label="Parts of the task"
        value={tab}
        options={[
          { value: 'output', label: 'Output' },
          { value: 'input', label: 'Input' },
          ...(inside.length > 0 ? [{ value: 'inside' as const, label: 'Nested tasks', count: inside.length }] : []),
        ]}
        onChange={setTab}
      />
      <div role="tabpanel">
        {tab === 'output' && isPinned(task.input) && <p className="muted">{texts.pinned}</p>}
        {tab === 'output' && <Document value={task.output} none="No output." />}
        {tab === 'input' && (
          <Document
            value={isPinned(task.input) ? null : task.input}
            none={isPinned(task.input) ? texts.pinned : 'No input.'}
          />
        )}
        {tab === 'inside' && (
          <ul className="stack tight">
            {inside.map((one) => (
              <li key={one.path} className="split">
                <span className="mono small cut" title={one.error ?? one.path}>
                  {one.path}
                </span>
                <RunStatus status={one.status} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

/** Whether a task returned its pinned output instead of running. */
function isPinned(input: Json): boolean {
  return typeof input === 'object' && input !== null && !Array.isArray(input) && input['pinned_output'] === true;
}

function Problem({ error, status }: { error: string | null; status: string | null }) {
  const isUnknown = status === 'UNKNOWN';
  if (error === null && !isUnknown) return null;
  return (
    <div className={isUnknown ? 'note warn' : 'note bad'} role="status">
      <OctagonX className="i" />
      <div className="grow">
        <div className="t">{runStates[status ?? '']?.name ?? 'Failed'}</div>
        <div className="muted wrap">{isUnknown ? texts.unknown : problemSentence(error ?? '')}</div>
      </div>
    </div>
  );
}

function Document({ value, none }: { value: Json; none: string }) {
  const text = documentText(value);
  if (text === undefined) return <p className="muted">{none}</p>;
  return (
    <pre className="wf-log" tabIndex={0}>
      {text}
    </pre>
  );
}

/** The timeline, oldest first; it grows while the run continues. */
function Moments({ run, onTask }: { run: RunWithTasks; onTask: (id: string) => void }) {
  return (
    <ol className="tl wf-moments" aria-label="Timeline" aria-live="polite">
      {momentsOf(run).map(({ time, task, what }) => {
        const tone = what === 'began' ? 'info' : (runStates[(task ?? run).status ?? '']?.tone ?? 'off');
        const Icon = what === 'began' ? CirclePlay : tone === 'bad' ? OctagonX : CircleCheck;
        const state = runStates[(task ?? run).status ?? '']?.name.toLowerCase() ?? 'ended';
        return (
          <li key={`${task?.id ?? ''} ${what}`}>
            <time dateTime={time}>{time.slice(11, 23).replace('Z', '')}</time>
            <Icon className={`i ${tone}`} />
            <span className="wrap">
              {task ? (
                <button
                  type="button"
                  className="bare"
                  onClick={() => {
                    onTask(task.id);
                  }}
                >
                  {task.id}
                </button>
              ) : (
                'Run'
              )}{' '}
              {what === 'began' ? 'began' : state}
              {what === 'ended' && task && task.error !== null && (
                <span className={tone === 'bad' ? 'bad' : 'muted'}>: {task.error}</span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
