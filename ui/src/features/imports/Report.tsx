import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { skippedRows } from '@/api';
import type { ImportReport } from '@/api';
import { count, estimate, money, plural } from '@/shared';
import { Formats } from './Formats';
import { Receipt } from './Receipt';
import { Refusal } from './Refusal';
import { Skips } from './Skips';
import { sumsOf } from './sums';
import { daysOf, periodOf, placesOf, replacedOf, writtenOf } from './wording';

/**
 * All there is to say about a file besides the sums it moved: counts, period, accounts, totals, how it was read, what was left out and why, and the
 * file itself where its bytes are kept.
 */
export function Report({
  id,
  report,
  fileKept,
  children,
}: {
  id: string;
  report: ImportReport;
  fileKept: boolean;
  /** Other actions, next to links to the imported rows. */
  children?: ReactNode;
}) {
  const [line, setLine] = useState<number | null>(null);
  if (report.error) return <Refusal report={report} />;
  return (
    <div className="panel report">
      <div className="row wrap sums">
        <Counts report={report} />
        <Links id={id} report={report}>
          {children}
        </Links>
      </div>
      <div className="body stack">
        <div className="facts">
          {report.totals.length > 0 && <Totals totals={report.totals} />}
          <div className="stack tight">
            {report.savings.length > 0 && <Savings savings={report.savings} />}
            <Facts report={report} />
          </div>
        </div>
        {report.notes.length > 0 && (
          <section>
            <h3 className="strong">Import notes</h3>
            <ul className="notes muted">
              {report.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </section>
        )}
        <Formats formats={report.column_formats ?? []} dropped={report.dropped_columns ?? []} />
      </div>
      {report.reasons.length > 0 && <Skips report={report} {...(fileKept ? { onLine: setLine } : {})} />}
      <div className="body">
        {fileKept ? (
          <Receipt id={id} name={report.file_name} line={line} onLine={setLine} />
        ) : (
          <p className="small muted">The file itself is no longer stored here.</p>
        )}
      </div>
    </div>
  );
}

function Counts({ report }: { report: ImportReport }) {
  if (report.state === 'undone') return <span className="muted">It had imported:</span>;
  if (report.state === 'unchanged') return <span>Nothing changed. These are the figures of the earlier import.</span>;
  return (
    <>
      <span className="num">
        <b>{count(report.rows_read)}</b> <span className="muted">rows read</span>
      </span>
      <span className="num">
        <b>{count(report.rows_written)}</b> <span className="muted">imported</span>
      </span>
      <span className="num">
        <b>{count(report.rows_skipped)}</b> <span className="muted">skipped</span>
      </span>
    </>
  );
}

/** Links to the pages that show the imported rows, and to the skipped rows. */
function Links({ id, report, children }: { id: string; report: ImportReport; children: ReactNode }) {
  const isStored = report.state === 'done' || report.state === 'done_with_skips' || report.state === 'unchanged';
  const days = isStored && report.period && daysOf(report.period);
  return (
    <span className="row wrap report-links">
      {report.rows_skipped > 0 && (
        <a className="btn sm" href={skippedRows(id)} download={`${report.file_name} skipped.csv`}>
          <Download className="i s" />
          Skipped rows
        </a>
      )}
      {days && report.totals.length > 0 && (
        <>
          <Link className="btn sm" to="/overview" search={{ month: days.to.slice(0, 7) }}>
            Show in Overview
          </Link>
          <Link className="btn sm" to="/costs/explorer" search={days}>
            Show in Explorer
          </Link>
        </>
      )}
      {isStored && report.savings.length > 0 && (
        <Link className="btn sm" to="/recommendations">
          Show recommendations
        </Link>
      )}
      {isStored &&
        placesOf(report.written ?? {}).map(({ to, label }) => (
          <Link key={to} className="btn sm" to={to}>
            {label}
          </Link>
        ))}
      {children}
    </span>
  );
}

const accountsShown = 6;

function Facts({ report }: { report: ImportReport }) {
  const more = report.accounts.length - accountsShown;
  return (
    <dl className="kv">
      {report.format && (
        <>
          <dt>Read as</dt>
          <dd>{report.format.title}</dd>
        </>
      )}
      {report.written && Object.keys(report.written).length > 0 && (
        <>
          <dt>Imported</dt>
          <dd>{writtenOf(report.written)}</dd>
        </>
      )}
      {report.period && (
        <>
          <dt>Period</dt>
          <dd>{periodOf(report.period)}</dd>
        </>
      )}
      {report.delivery?.manifest && (
        <>
          <dt>Manifest</dt>
          <dd>
            <span className="mono">{report.delivery.manifest.file_name}</span>
            {report.delivery.parts.length > 0 && `, ${plural(report.delivery.parts.length, 'part')}`}
          </dd>
        </>
      )}
      {!sumsOf(report) && report.replaced && report.replaced.rows > 0 && (
        <>
          <dt>Replaced</dt>
          <dd>{replacedOf(report.replaced)}, imported before</dd>
        </>
      )}
      {report.accounts.length > 0 && (
        <>
          <dt>{report.accounts.length === 1 ? 'Account' : `${count(report.accounts.length)} accounts`}</dt>
          <dd>
            <ul>
              {report.accounts.slice(0, accountsShown).map((account) => (
                <li key={`${account.provider} ${account.number}`}>
                  <AccountName {...account} />
                </li>
              ))}
              {more > 0 && <li className="muted">and {count(more)} more</li>}
            </ul>
          </dd>
        </>
      )}
    </dl>
  );
}

/** The friendly name first, followed by the exact number unless the name contains it. */
function AccountName({ number, name, provider }: ImportReport['accounts'][number]) {
  const own = name.replace(`(${number})`, '').trim();
  return (
    <>
      {own !== number && own !== '' && `${own} `}
      <span className="mono">{number}</span>
      <span className="muted">, {provider}</span>
    </>
  );
}

const costs = [
  ['billed_cost', 'Billed'],
  ['effective_cost', 'Effective'],
  ['list_cost', 'List'],
  ['contracted_cost', 'Contracted'],
] as const;

/** The four costs in each currency, rounded and exact; currencies are never added to each other. */
function Totals({ totals }: { totals: ImportReport['totals'] }) {
  const several = totals.length > 1;
  return (
    <div className="tw" tabIndex={0} role="group" aria-label="Totals of the rows imported">
      <table className="tbl costs-table">
        <thead>
          <tr>
            <th scope="col">Cost</th>
            {totals.map(({ currency }) => (
              <th key={currency} scope="col" className="n">
                {currency}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {costs.map(([name, title]) => (
            <tr key={name}>
              <th scope="row">{title}</th>
              {totals.map((total) => (
                <td key={total.currency} className="n">
                  <span className="num">{money(total[name], total.currency, { several })}</span>
                  {total[name] !== null && <span className="micro faint mono block">{total[name]}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Savings({ savings }: { savings: ImportReport['savings'] }) {
  const several = savings.length > 1;
  return (
    <dl className="kv">
      <dt>{plural(savings.length, 'Saving')} found</dt>
      <dd>
        {savings.map(({ currency, estimated_monthly_savings: amount }) => (
          <div key={currency}>
            <span className="num">{estimate(amount, currency, { several })} per month</span>{' '}
            <span className="micro faint mono">
              {amount} {currency}
            </span>
          </div>
        ))}
      </dd>
    </dl>
  );
}
