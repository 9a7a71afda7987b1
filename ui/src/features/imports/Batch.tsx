import { ChevronDown, ChevronRight, FileText, RotateCcw, Undo2, X } from 'lucide-react';
import { Fragment, useState } from 'react';
import { Button, Panel, Status, bytes, count, plural } from '@/shared';
import { groups } from './groups';
import { GroupSummary } from './GroupSummary';
import { Outcome, hasOutcome } from './Outcome';
import { fraction, isOpen, rowsOf } from './progress';
import { useReadOnly } from './readOnly';
import { Report } from './Report';
import { sumsOf } from './sums';
import { SumsLine } from './SumsLine';
import { isPending } from './work';
import type { Work } from './work';
import { works } from './works';
import { isManifest, isUndoable, outcome, workStanding } from './wording';

/** The files of this session: running ones with progress, finished ones with result and report. */
export function Batch({ all, onUndo }: { all: readonly Work[]; onUndo: (id: string, name: string) => void }) {
  const size = all.reduce((sum, work) => sum + work.size, 0);
  // A single file shows its report automatically; of several the user chooses.
  const [chosen, setChosen] = useState<Record<string, boolean>>({});
  const open = all.filter(isOpen);
  const kept = all.filter((work) => isOpen(work) || isPending(work));
  return (
    <Panel
      className="batch"
      title="This batch"
      meta={`${plural(all.length, 'file')}, ${bytes(size)}`}
      actions={
        <Button
          size="small"
          kind="quiet"
          reason={kept.length === all.length ? 'No file is finished yet' : undefined}
          onClick={() => {
            works.clear();
          }}
        >
          Clear finished
        </Button>
      }
    >
      <table className="tbl imp">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" className="n">
              Size
            </th>
            <th scope="col">Rows</th>
            <th scope="col">State</th>
            <th scope="col">
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {groups(all).map((group) => (
            <Fragment key={group.key}>
              {group.works.length > 1 && <SummaryRow works={group.works} />}
              {group.works.map((work) => (
                <FileRow
                  key={work.key}
                  work={work}
                  onUndo={onUndo}
                  isAlone={group.works.length === 1}
                  shown={chosen[work.key] ?? (all.length === 1 && work.phase === 'ended')}
                  onShow={(show) => {
                    setChosen({ ...chosen, [work.key]: show });
                  }}
                />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
      <p className="sr" role="status">
        {open.map((work) => announcement(work)).join('. ')}
      </p>
    </Panel>
  );
}

/** Summary above files imported together, once one of them has finished. */
function SummaryRow({ works: group }: { works: readonly Work[] }) {
  if (!group.some((work) => work.phase === 'ended' && work.report && hasOutcome(work.report))) return null;
  return (
    <tr className="det outcome-row">
      <td colSpan={5}>
        <h3 className="strong">{plural(group.length, 'file')} together</h3>
        <GroupSummary works={group} />
      </td>
    </tr>
  );
}

/** Read out at steps of 10%. */
function announcement(work: Work): string {
  const step = Math.floor(fraction(work) * 10) * 10;
  return `${work.name}: ${work.phase === 'sending' ? 'uploading' : work.phase}, ${String(step)}%`;
}

function FileRow({
  work,
  isAlone,
  shown,
  onShow,
  onUndo,
}: {
  work: Work;
  /** Whether the file was imported alone: then its result is shown below it and not in a summary. */
  isAlone: boolean;
  shown: boolean;
  onShow: (show: boolean) => void;
  onUndo: (id: string, name: string) => void;
}) {
  const { tone, word } = workStanding(work);
  const readOnly = useReadOnly();
  const sums = work.report && sumsOf(work.report);
  const detail = work.phase === 'ended' && work.report && work.id;
  return (
    <Fragment>
      <tr aria-selected={shown && detail ? true : undefined}>
        <td className="flex file">
          <span className="row">
            <FileText className="i" />
            <span className="grow">
              <span className="mono cut block" title={work.name}>
                {work.name}
              </span>
              <span className="small muted cut block">{subject(work)}</span>
            </span>
          </span>
        </td>
        <td className="n muted size">{bytes(work.size)}</td>
        <td className="rows">
          <Rows work={work} />
        </td>
        <td className="state">
          <Status tone={tone}>{word}</Status>
        </td>
        <td className="n act">
          {isOpen(work) && (
            <Button
              size="small"
              busy={work.phase === 'stopping' && 'Stopping'}
              aria-label={`Stop ${work.name}`}
              onClick={() => {
                void works.stop(work.key);
              }}
            >
              <X className="i s" />
              Stop
            </Button>
          )}
          {work.phase === 'refused' && (
            <Button
              size="small"
              aria-label={`Try ${work.name} again`}
              onClick={() => {
                works.retry(work.key);
              }}
            >
              <RotateCcw className="i s" />
              Try again
            </Button>
          )}
          {detail && (
            <Button
              size="small"
              kind={work.report?.state === 'failed' ? 'default' : 'quiet'}
              aria-expanded={shown}
              aria-label={`${work.report?.state === 'failed' ? 'How to fix' : 'Details of'} ${work.name}`}
              onClick={() => {
                onShow(!shown);
              }}
            >
              {work.report?.state === 'failed' ? 'How to fix' : 'Details'}
              {shown ? <ChevronDown className="i s" /> : <ChevronRight className="i s" />}
            </Button>
          )}
        </td>
      </tr>
      {detail && !isAlone && sums && (
        <tr className="det outcome-row">
          <td colSpan={5}>
            <SumsLine sums={sums} />
          </td>
        </tr>
      )}
      {detail && work.report && isAlone && hasOutcome(work.report) && (
        <tr className="det outcome-row">
          <td colSpan={5}>
            <Outcome id={detail} report={work.report} />
          </td>
        </tr>
      )}
      {shown && detail && work.report && (
        <tr className="det">
          <td colSpan={5}>
            <Report id={detail} report={work.report} fileKept={work.fileKept}>
              {isUndoable(work.report.state) && (
                <Button
                  size="small"
                  reason={readOnly}
                  aria-label={`Undo ${work.name}`}
                  onClick={() => {
                    onUndo(detail, work.name);
                  }}
                >
                  <Undo2 className="i s" />
                  Undo…
                </Button>
              )}
            </Report>
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** The format of the file, once it is known. */
function subject(work: Work): string {
  if (work.phase === 'stopped') return 'Not imported';
  if (work.report)
    return work.report.format?.title ?? (work.report.error?.found ? 'Not recognised' : 'Not read completely');
  return work.id ? 'Detecting format…' : 'Not uploaded yet';
}

/** Progress of the file, then its result. */
function Rows({ work }: { work: Work }) {
  if (work.phase === 'sending' || work.phase === 'running') {
    const percent = Math.floor(fraction(work) * 100);
    return (
      <>
        <div className="prog" role="progressbar" aria-label={`Progress of ${work.name}`} aria-valuenow={percent}>
          <i style={{ width: `${String(percent)}%` }} />
        </div>
        <div className="small muted num">{work.trouble ?? rowsOf(work)}</div>
      </>
    );
  }
  const { report } = work;
  const hasRows = report && !isManifest(report) && (report.state === 'done' || report.state === 'done_with_skips');
  if (work.phase === 'ended' && hasRows) {
    return (
      <>
        <span className="num">{count(report.rows_written)}</span> <span className="muted">imported</span>
        <div className={`small num ${report.rows_skipped > 0 ? 'skips' : 'muted'}`}>
          {report.rows_skipped > 0 ? `${count(report.rows_skipped)} skipped` : 'none skipped'}
        </div>
      </>
    );
  }
  return <span className="muted small">{work.trouble ?? quiet(work)}</span>;
}

function quiet(work: Work): string {
  switch (work.phase) {
    case 'ended':
      return outcome(work.report?.state ?? 'failed', work.report);
    case 'stopped':
      return 'Nothing was imported';
    case 'waiting':
      return 'Uploaded, waiting';
    default:
      return '';
  }
}
