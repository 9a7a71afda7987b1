import { ChevronDown, ChevronRight, FileText, RotateCcw, X } from 'lucide-react';
import { Fragment, useState } from 'react';
import { Button, Panel, Status, bytes, count, plural } from '@/shared';
import { fraction, isOpen, rowsOf } from './progress';
import { Report } from './Report';
import type { Work } from './work';
import { works } from './works';
import { outcome, workStanding } from './wording';

/** The files of this window: what runs with its progress, what ended with its report. */
export function Batch({ all }: { all: readonly Work[] }) {
  const size = all.reduce((sum, work) => sum + work.size, 0);
  // One file alone shows its report by itself; of several the person chooses.
  const [chosen, setChosen] = useState<Record<string, boolean>>({});
  const open = all.filter(isOpen);
  return (
    <Panel
      className="batch"
      title="This batch"
      meta={`${plural(all.length, 'file')}, ${bytes(size)}`}
      actions={
        <Button
          size="small"
          kind="quiet"
          reason={open.length === all.length ? 'Nothing has ended yet' : undefined}
          onClick={() => {
            works.clear();
          }}
        >
          Clear what has ended
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
          {all.map((work) => {
            const shown = chosen[work.key] ?? (all.length === 1 && work.phase === 'ended');
            return (
              <FileRow
                key={work.key}
                work={work}
                shown={shown}
                onShow={(show) => {
                  setChosen({ ...chosen, [work.key]: show });
                }}
              />
            );
          })}
        </tbody>
      </table>
      <p className="sr" role="status">
        {open.map((work) => announcement(work)).join('. ')}
      </p>
    </Panel>
  );
}

/** Read out at steps of 10%. */
function announcement(work: Work): string {
  const step = Math.floor(fraction(work) * 10) * 10;
  return `${work.name}: ${work.phase === 'sending' ? 'uploading' : work.phase}, ${String(step)}%`;
}

function FileRow({ work, shown, onShow }: { work: Work; shown: boolean; onShow: (show: boolean) => void }) {
  const { tone, word } = workStanding(work);
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
      {shown && detail && work.report && (
        <tr className="det">
          <td colSpan={5}>
            <Report id={detail} report={work.report} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** What the file is, once that is known. */
function subject(work: Work): string {
  if (work.phase === 'stopped') return 'Nothing of it was kept';
  if (work.report)
    return work.report.format_title ?? (work.report.error?.found ? 'Not recognised' : 'Not read to its end');
  return work.id ? 'Being recognised by its content' : 'Not uploaded yet';
}

/** Progress while the file is on its way, then what came of it. */
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
  if (work.phase === 'ended' && report && (report.state === 'done' || report.state === 'done_with_skips')) {
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
      return 'Uploaded, waits for its turn';
    default:
      return '';
  }
}
