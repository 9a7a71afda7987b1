import {
  Ban,
  Ellipsis,
  Pause as PauseIcon,
  Play,
  Pencil,
  Pin,
  PinOff,
  RotateCcw,
  SkipForward,
  Trash2,
  UserCheck,
} from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useGraphQL, useOriginInFront } from '@/api';
import {
  Button,
  CopyLink,
  Empty,
  ExportButton,
  Failure,
  Loading,
  Menu,
  Page,
  dateTimeZone,
  useCommands,
  useNow,
} from '@/shared';
import { host } from '@/host';
import { Canvas } from './Canvas';
import type { Mark } from './Canvas';
import { start } from './graph';
import type { Step } from './graph';
import { RunStatus, WorkflowStatus } from './marks';
import { People, RunDetail, WorkflowDetail } from './queries';
import type { RunTask, RunWithTasks, Workflow } from './queries';
import { OffBanner, useHistoryDays } from './OffBanner';
import { RemoveDialog } from './RemoveDialog';
import { isOpen, keptWords, question, tasksOf, took, waitsFor } from './run';
import { RunDialog } from './RunDialog';
import { RunTable, runColumns } from './RunTable';
import { RunView, TaskView } from './RunView';
import type { WorkflowsSearch } from './search';
import { triggersWords } from './trigger';
import { useBegin, useCancel, useReason, useRunReason, useSwitch } from './useChanges';
import { longestPin, usePin } from './usePin';
import { again } from './useWorkflows';
import { runStates, texts } from './words';

/** One workflow: its canvas, its runs, and the selected run. */
export function WorkflowView({
  account,
  id,
  search,
  go,
}: {
  account: string;
  id: string;
  search: WorkflowsSearch;
  /** Shows something else of the same page. */
  go: (change: { [Key in keyof WorkflowsSearch]?: WorkflowsSearch[Key] | undefined }) => void;
}) {
  const now = useNow();
  const query = useGraphQL(WorkflowDetail, { account, id }, { refetchInterval: again });
  const people = useGraphQL(People, {}).data?.users;
  const names = useMemo(() => new Map(people?.map((one) => [one.id, one.display_name])), [people]);
  const historyDays = useHistoryDays();
  const workflow = query.data?.workflow_get ?? undefined;
  const runs = query.data?.workflow_list_executions?.executions ?? [];
  const runId = search.run ?? runs[0]?.id;
  const run = useRun(account, id, runId, runs.find((one) => one.id === runId)?.status);
  const shown = run.data?.workflow_get_execution ?? undefined;
  const marks = useMemo(() => (shown ? marksOf(shown, now) : undefined), [shown, now]);
  const steps = useMemo(() => stepsOf(workflow), [workflow]);
  const task = shown && tasksOf(shown).find((one) => one.id === search.task);
  const back = () => {
    go({ id: undefined, account: undefined, run: undefined, task: undefined });
  };
  if (query.error && !query.data)
    return (
      <Page title="Workflow" crumb="Automation / Workflows">
        <Failure what="The workflow could not be read" error={query.error} retry={query.refetch} />
      </Page>
    );
  if (query.data && !workflow)
    return (
      <Page title="Workflow" crumb="Automation / Workflows">
        <Empty icon={Trash2} title={texts.gone.title} action={<Button onClick={back}>All workflows</Button>}>
          {texts.gone.text}
        </Empty>
      </Page>
    );
  const open = (next: string) => {
    go({ task: next === start || next === search.task ? undefined : next });
  };
  return (
    <Page
      title={workflow?.name ?? 'Workflow'}
      crumb="Automation / Workflows"
      flush
      actions={
        workflow && (
          <Actions
            workflow={workflow}
            onBack={back}
            onEdit={() => {
              go({ edit: 'yes' });
            }}
            onBegun={(begun) => {
              go({ run: begun, task: undefined });
            }}
          />
        )
      }
    >
      {!workflow ? (
        <Loading lines={8} />
      ) : (
        <div className="wf">
          <OffBanner />
          <Canvas
            label={`Tasks of ${workflow.name}`}
            steps={steps}
            trigger={triggersWords(workflow.definition.triggers)}
            {...(marks ? { marks } : {})}
            open={search.task}
            onOpen={open}
          />
          <div className="wf-below">
            <section aria-label="Runs">
              <div className="wf-head">
                <h2>Runs</h2>
                <span className="small muted">{keptWords(runs.length, historyDays)}</span>
                {runs.length > 0 && (
                  <span className="end">
                    <ExportButton
                      name="runs"
                      size="small"
                      columns={runColumns(names, now)}
                      rows={runs}
                      save={(file, text, type) => host.saveFile(file, text, type)}
                    />
                  </span>
                )}
              </div>
              <RunTable
                runs={runs}
                people={names}
                open={runId}
                onOpen={(next) => {
                  go({ run: next, task: undefined });
                }}
              />
            </section>
            <section aria-label="Run">
              {shown ? (
                <>
                  <div className="wf-head">
                    <h2 className="cut">{task ? task.id : 'Run'}</h2>
                    <span className="small muted num">
                      {shown.start_time !== null && `${dateTimeZone(shown.start_time, now)}`}
                    </span>
                    <span className="end">
                      <RunStatus status={(task ?? shown).status} waitsFor={waitsFor(shown, task)} />
                    </span>
                  </div>
                  <div className="wf-scroll stack" tabIndex={0} role="region" aria-label="What happened">
                    {task ? (
                      <TaskView key={task.id} task={task} />
                    ) : (
                      <RunView key={shown.id} run={shown} onTask={open} />
                    )}
                  </div>
                  <RunFoot
                    workflow={workflow}
                    run={shown}
                    {...(task ? { task } : {})}
                    onWhole={() => {
                      go({ task: undefined });
                    }}
                    onBegun={(begun) => {
                      go({ run: begun, task: undefined });
                    }}
                  />
                </>
              ) : (
                <div className="wf-scroll">
                  {run.error ? (
                    <Failure what="The run could not be read" error={run.error} retry={run.refetch} />
                  ) : (
                    <p className="muted">{runId === undefined ? texts.noRuns : 'Reading the run…'}</p>
                  )}
                </div>
              )}
            </section>
          </div>
        </div>
      )}
    </Page>
  );
}

/** Loads a run, and polls it while it is active. */
function useRun(account: string, workflow: string, id: string | undefined, status: string | null | undefined) {
  const asked = { account, workflow, id: id ?? '' };
  return useGraphQL(RunDetail, asked, {
    enabled: id !== undefined,
    refetchInterval: isOpen(status ?? null) && again / 2,
  });
}

/** The tasks of a definition as the picture needs them. */
function stepsOf(workflow: Workflow | undefined): Step[] {
  return (workflow?.definition.tasks ?? []).flatMap((task): Step[] =>
    task === null
      ? []
      : [
          {
            id: task.id,
            type: task.type,
            dependsOn: task.depends_on ?? [],
            params: task.params,
            inner: task.tasks?.length ?? 0,
          },
        ],
  );
}

/** The state of each task in a run, for the canvas. */
function marksOf(run: RunWithTasks, now: Date): ReadonlyMap<string, Mark> {
  const asks = question(run)?.id;
  return new Map(
    tasksOf(run).map((task) => {
      const state = runStates[task.status];
      const time = took(task.start_time, task.end_time, now);
      const name = task.id === asks ? 'waits for an answer' : (state?.name.toLowerCase() ?? task.status);
      const text = task.status === 'SKIPPED' || time === undefined ? name : `${name}, ${time}`;
      const tone = state?.tone ?? 'off';
      return [task.id, { tone, text, shown: <span className={`st ${tone}`}>{text}</span> }];
    }),
  );
}

function Actions({
  workflow,
  onBack,
  onEdit,
  onBegun,
}: {
  workflow: Workflow;
  onBack: () => void;
  onEdit: () => void;
  onBegun: (run: string) => void;
}) {
  const reason = useReason();
  const runReason = useRunReason();
  const origin = useOriginInFront();
  const turn = useSwitch();
  const [asked, setAsked] = useState<'run' | 'remove' | null>(null);
  const isActive = workflow.status === 'ACTIVE';
  const whyNotRun = runReason ?? (workflow.status === 'INACTIVE' ? texts.inactive : undefined);
  const ask = () => {
    setAsked('run');
  };
  useCommands([
    { id: 'workflow run', title: `Run ${workflow.name}`, group: 'Do', icon: Play, disabled: whyNotRun, run: ask },
  ]);
  const fields = (workflow.definition.inputs ?? []).filter((field) => field !== null);
  return (
    <>
      <WorkflowStatus status={workflow.status} />
      <CopyLink origin={origin} copy={(text) => host.copy(text)} />
      <Button onClick={onBack}>All workflows</Button>
      <Button
        reason={runReason}
        onClick={() => {
          turn(workflow, !isActive);
        }}
      >
        {isActive ? <PauseIcon className="i" /> : <Play className="i" />}
        {isActive ? 'Pause' : 'Activate'}
      </Button>
      <Button reason={reason} onClick={onEdit}>
        <Pencil className="i" />
        Edit
      </Button>
      <Menu
        label="More"
        trigger={
          <Button iconOnly aria-label="More">
            <Ellipsis className="i" />
          </Button>
        }
        entries={[
          {
            label: 'Remove…',
            icon: Trash2,
            disabled: reason,
            run: () => {
              setAsked('remove');
            },
          },
        ]}
      />
      <Button kind="primary" reason={whyNotRun} onClick={ask}>
        <Play className="i" />
        Run now
      </Button>
      {asked === 'run' && (
        <RunDialog
          workflow={workflow}
          fields={fields}
          pinned={pinnedOf(workflow)}
          onBegun={onBegun}
          onClose={() => {
            setAsked(null);
          }}
        />
      )}
      {asked === 'remove' && (
        <RemoveDialog
          workflow={workflow}
          onRemoved={onBack}
          onClose={() => {
            setAsked(null);
          }}
        />
      )}
    </>
  );
}

/** Ids of the tasks that have a pinned output. */
function pinnedOf(workflow: Workflow): string[] {
  const tasks = workflow.definition.tasks ?? [];
  return tasks.flatMap((task) => (task !== null && task.pinned_output !== null ? [task.id] : []));
}

/** Pins the output of a task for test runs and dry runs, or removes the pin. */
function PinButton({ workflow, task }: { workflow: Workflow; task: RunTask }) {
  const reason = useReason();
  const pin = usePin();
  const isPinned = pinnedOf(workflow).includes(task.id);
  const isKnown = workflow.definition.tasks?.some((one) => one?.id === task.id) === true;
  if (!isKnown || (!isPinned && (task.status !== 'COMPLETED' || task.type === 'core.approval'))) return null;
  const isLong = !isPinned && JSON.stringify(task.output).length > longestPin;
  return (
    <>
      <Button
        reason={reason ?? (isLong ? texts.longPin : undefined)}
        busy={pin.isPending && 'Saving'}
        title={
          isPinned
            ? 'Test runs and dry runs run this task again'
            : 'Test runs and dry runs use this output instead of running the task'
        }
        onClick={() => {
          pin.mutate({ of: workflow, task: task.id, output: isPinned ? undefined : task.output });
        }}
      >
        {isPinned ? <PinOff className="i" /> : <Pin className="i" />}
        {isPinned ? 'Unpin output' : 'Pin output'}
      </Button>
      {pin.error && (
        <span className="err" role="alert">
          {pin.error.message}
        </span>
      )}
    </>
  );
}

function RunFoot({
  workflow,
  run,
  task,
  onWhole,
  onBegun,
}: {
  workflow: Workflow;
  run: RunWithTasks;
  /** The task that is open. */
  task?: RunTask;
  onWhole: () => void;
  onBegun: (run: string) => void;
}) {
  const reason = useRunReason();
  const begin = useBegin(onBegun);
  const cancel = useCancel();
  const asks = question(run) !== undefined;
  const whyNot = reason ?? (workflow.status === 'INACTIVE' ? texts.inactive : undefined);
  return (
    <div className="wf-foot">
      {task !== undefined && <Button onClick={onWhole}>Whole run</Button>}
      {asks && (
        <Link to="/automation/approvals" className="btn">
          <UserCheck className="i" />
          Open the approval
        </Link>
      )}
      {task !== undefined && !isOpen(run.status) && (
        <Button
          reason={whyNot}
          title={
            whyNot ??
            'Start another run with the current definition; tasks that do not follow this one keep their results'
          }
          onClick={() => {
            begin.mutate({ of: workflow, repeats: run.id, from: task.id });
          }}
        >
          <SkipForward className="i" />
          Run from this task
        </Button>
      )}
      {task !== undefined && <PinButton workflow={workflow} task={task} />}
      {isOpen(run.status) && (
        <Button
          reason={reason}
          busy={cancel.isPending && 'Canceling'}
          onClick={() => {
            cancel.mutate({ of: workflow, run: run.id });
          }}
        >
          <Ban className="i" />
          Cancel the run
        </Button>
      )}
      <Button
        reason={whyNot}
        busy={begin.isPending && 'Starting'}
        title={whyNot ?? 'Start another run with the same inputs'}
        onClick={() => {
          begin.mutate({ of: workflow, repeats: run.id });
        }}
      >
        <RotateCcw className="i" />
        Run again
      </Button>
      {(begin.error ?? cancel.error) && (
        <span className="err" role="alert">
          {(begin.error ?? cancel.error)?.message}
        </span>
      )}
    </div>
  );
}
