import { Download } from 'lucide-react';
import { useState } from 'react';
import { useGraphQL } from '@/api';
import { Button, Content, dateTime, money, share, toast, useNow } from '@/shared';
import { contentOf } from './content';
import type { Section, Table } from './content';
import { saveFiles } from './files';
import type { ReportRequest } from './files';
import { ReportContent } from './queries';
import { ReportChart } from './ReportChart';
import { words } from './words';

const panel = words.panel;
type Ending = '.pdf' | '.xlsx' | '.csv';
/** Maximum number of table rows in the preview; the documents have all rows. */
const most = 30;

/** The content of a report, now or when it was sent, with its documents. */
export function Preview({ request, sentAt }: { request: ReportRequest; sentAt: string | null }) {
  const found = useGraphQL(ReportContent, { request });
  const [busy, setBusy] = useState<Ending | null>(null);
  const now = useNow();
  const save = (ending: Ending) => () => {
    setBusy(ending);
    saveFiles(request, ending)
      .catch((error: unknown) => {
        toast({ tone: 'bad', text: (error as Error).message });
      })
      .finally(() => {
        setBusy(null);
      });
  };
  return (
    <div className="stack">
      <p className="small muted">{sentAt === null ? panel.previewHelp : panel.runHelp(dateTime(sentAt, now))}</p>
      <span className="row">
        <Button size="small" busy={busy === '.pdf' && panel.pdf} onClick={save('.pdf')}>
          <Download className="i s" />
          {panel.pdf}
        </Button>
        <Button size="small" busy={busy === '.xlsx' && panel.xlsx} onClick={save('.xlsx')}>
          <Download className="i s" />
          {panel.xlsx}
        </Button>
        <Button size="small" busy={busy === '.csv' && panel.csv} onClick={save('.csv')}>
          <Download className="i s" />
          {panel.csv}
        </Button>
      </span>
      <Content of={found} what={words.failed} lines={6}>
        {(answer) => {
          const content = contentOf(answer.report_document.content);
          return (
            <div className="stack">
              {content.subtitle && <p>{content.subtitle}</p>}
              {content.sections.length === 0 && <p className="muted">{panel.nothing}</p>}
              {content.sections.map((section, place) => (
                <Part key={`${section.title ?? ''} ${String(place)}`} section={section} />
              ))}
              {content.notes?.map((note) => (
                <p key={note} className="small muted">
                  {note}
                </p>
              ))}
            </div>
          );
        }}
      </Content>
    </div>
  );
}

function Part({ section }: { section: Section }) {
  return (
    <section className="sec">
      <h3>{section.title}</h3>
      {section.chart && <ReportChart bars={section.chart} />}
      <Rows table={section.table} />
    </section>
  );
}

function Rows({ table }: { table: Table }) {
  const shown = (cell: string, kind: Table['columns'][number]['kind']) =>
    cell === ''
      ? ''
      : kind === 'amount'
        ? money(cell, null, { whole: false })
        : kind === 'share'
          ? share(Number(cell))
          : cell;
  const line = (row: readonly string[]) =>
    table.columns.map(({ name, kind }, place) => (
      <td key={name} className={kind === 'amount' || kind === 'share' ? 'num right' : undefined}>
        {shown(row[place] ?? '', kind)}
      </td>
    ));
  return (
    <div className="report-table" tabIndex={0} role="region" aria-label={words.panel.label}>
      <table>
        <thead>
          <tr>
            {table.columns.map(({ name, kind }) => (
              <th key={name} scope="col" className={kind === 'amount' || kind === 'share' ? 'right' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, most).map((row, place) => (
            <tr key={`${row[0] ?? ''} ${String(place)}`}>{line(row)}</tr>
          ))}
        </tbody>
        {table.total && (
          <tfoot>
            <tr>{line(table.total)}</tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
