import { Send } from 'lucide-react';
import { useDeferredValue, useId, useState } from 'react';
import { useSampleReason, useSavedViews } from '@/api';
import { Button, SidePanel, Status, Tabs, dateTime, useNow } from '@/shared';
import type { FilterField } from '@/shared';
import { DraftActions } from '../DraftActions';
import { useDraft } from '../useDraft';
import { draftOf, newDraft, problemsOf, rowOf } from './draft';
import type { Draft } from './draft';
import { Preview } from './Preview';
import type { Channel, Report, Run } from './queries';
import { ReportForm } from './ReportForm';
import { runState } from './state';
import { useReportActs } from './useReportActs';
import { words } from './words';

const panel = words.panel;
type Tab = keyof typeof panel.tabs;

/** One report: content, schedule, recipients, preview and history. */
export function ReportPanel({
  report,
  run,
  fields,
  channels,
  onRun,
  onClose,
  onDone,
}: {
  /** Undefined for one that is being added. */
  report: Report | undefined;
  /** The run whose documents are shown. */
  run: Run | undefined;
  fields: readonly FilterField[];
  channels: readonly Channel[];
  onRun: (id: string | undefined) => void;
  onClose: () => void;
  onDone: (id: string | null) => void;
}) {
  const form = useId();
  const inactiveReason = useSampleReason();
  const [usual] = useState(() => ({
    ...newDraft(Intl.DateTimeFormat().resolvedOptions().timeZone),
    isActive: inactiveReason === undefined,
  }));
  const stored = report ? draftOf(report) : usual;
  const [tab, setTab] = useState<Tab>(run ? 'history' : 'report');
  const { act, send, reason, sendReason } = useReportActs();
  const isFixed = reason !== undefined;
  const { views = [] } = useSavedViews('costs/explorer');
  const drafted = useDraft({
    stored,
    problemsOf,
    isFixed,
    isPending: act.isPending,
    command: { id: 'report-save', title: panel.save },
    onSave: (draft) => {
      act.mutate(report ? { kind: 'change', report, draft } : { kind: 'add', draft }, { onSuccess: onDone });
    },
  });
  const { draft } = drafted;
  const tabs: Tab[] = report ? ['report', 'preview', 'history'] : ['report', 'preview'];
  const error = act.error ?? send.error;
  return (
    <SidePanel
      label={panel.label}
      isNew={report === undefined}
      onClose={onClose}
      head={<h2 className="ttl">{report?.name ?? panel.newTitle}</h2>}
      tabs={
        <Tabs
          label={panel.label}
          value={tab}
          options={tabs.map((value) => ({ value, label: panel.tabs[value] }))}
          onChange={(to) => {
            setTab(to);
            onRun(undefined);
          }}
        />
      }
      actions={
        !isFixed && (
          <DraftActions
            words={panel}
            of={drafted}
            isPending={act.isPending}
            onRemove={
              report &&
              (() => {
                act.mutate({ kind: 'remove', report }, { onSuccess: onDone });
              })
            }
          >
            {report && (
              <Button
                reason={sendReason}
                disabled={drafted.isChanged}
                busy={send.isPending && panel.sending}
                onClick={() => {
                  send.mutate(report);
                  setTab('history');
                }}
              >
                <Send className="i" />
                {panel.send}
              </Button>
            )}
          </DraftActions>
        )
      }
    >
      {tab === 'report' && (
        <ReportForm
          id={form}
          draft={draft}
          set={drafted.set}
          shown={drafted.shown}
          isFixed={isFixed}
          inactiveReason={inactiveReason}
          fields={fields}
          channels={channels}
          views={views.filter(({ isPrivate }) => !isPrivate)}
          onSubmit={drafted.save}
        />
      )}
      {tab === 'preview' && <PreviewOf draft={draft} />}
      {tab === 'history' && report && <History report={report} run={run} onRun={onRun} />}
      {error && (
        <div role="alert">
          <Status tone="bad">{error.message}</Status>
        </div>
      )}
    </SidePanel>
  );
}

/** The draft as it would be sent now. */
function PreviewOf({ draft }: { draft: Draft }) {
  const { name, kind, settings } = rowOf(useDeferredValue(draft));
  const problems = Object.values(problemsOf({ ...draft, name: 'x' }));
  if (problems.length > 0) return <Status tone="warn">{problems[0]}</Status>;
  return <Preview request={{ ...(name === '' ? {} : { name }), kind, settings }} sentAt={null} />;
}

function History({
  report,
  run,
  onRun,
}: {
  report: Report;
  run: Run | undefined;
  onRun: (id: string | undefined) => void;
}) {
  const now = useNow();
  if (report.runs.length === 0) return <p className="muted">{panel.nothingSent}</p>;
  return (
    <div className="stack">
      <ul>
        {report.runs.map((one) => {
          const { tone, text, why } = runState(one);
          return (
            <li key={one.id} className="li">
              <span className="grow">
                <span className="num">{dateTime(one.due_at, now)}</span>{' '}
                {one.is_manual && <span className="small muted">{panel.byHand}</span>}
                {why !== null && <span className="small muted"> {why}</span>}
              </span>
              <Status tone={tone}>{text}</Status>
              <Button
                size="small"
                aria-pressed={run?.id === one.id}
                onClick={() => {
                  onRun(run?.id === one.id ? undefined : one.id);
                }}
              >
                {panel.show}
              </Button>
            </li>
          );
        })}
      </ul>
      {run && <Preview key={run.id} request={{ run_id: run.id }} sentAt={run.due_at} />}
    </div>
  );
}
