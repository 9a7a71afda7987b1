import { CircleCheck, OctagonX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/shared';
import { CopyButton } from '../parts';
import { Ladder } from './Ladder';
import { reportText } from './reportText';
import { RolesOutcome } from './RolesOutcome';
import type { Report, SettingName } from './types';

/** The result of a dry run: verdict, checks, attributes with their sources, and the reason for each role. */
export function ReportView({
  report,
  reference,
  onTake,
}: {
  report: Report;
  reference?: string;
  onTake?: (setting: SettingName, value: string) => void;
}) {
  const [xml, setXml] = useState(false);
  const good = report.verdict === 'signed_in';
  const { attributes, roles } = report;
  return (
    <div className="stack sso-report">
      <div className={good ? 'note ok' : 'note bad'} role="status">
        {good ? <CircleCheck className="i" /> : <OctagonX className="i" />}
        <div className="grow">
          <div className="t">{report.headline}</div>
          <div className="muted">{report.explanation}</div>
          {!good && report.remedy && <div className="muted">{report.remedy}</div>}
        </div>
      </div>
      <Ladder checks={report.checks} onTake={onTake} />
      {attributes && (
        <section>
          <h3>Attributes read</h3>
          <table className="tbl wrap compact attrs">
            <tbody>
              <Attribute
                label="E-mail"
                value={attributes.email?.value}
                from={attributes.email ? [attributes.email.from] : []}
                note={attributes.email?.note}
              />
              <Attribute
                label="Name"
                value={attributes.name?.value}
                from={attributes.name ? [attributes.name.from] : []}
                note={attributes.name?.note}
              />
              <Attribute
                label="Groups"
                value={attributes.groups?.values.join(', ')}
                from={attributes.groups?.from ?? []}
                note={attributes.groups?.note}
              />
            </tbody>
          </table>
          {attributes.received.length > 0 && (
            <details className="small muted">
              <summary>Everything received ({attributes.received.length})</summary>
              <dl className="kv">
                {attributes.received.map((one) => (
                  <div key={one.name} className="pair">
                    <dt className="mono">{one.name}</dt>
                    <dd className="mono">{one.values.join(', ')}</dd>
                  </div>
                ))}
              </dl>
            </details>
          )}
        </section>
      )}
      {report.person?.note && <p className="small muted">{report.person.note}</p>}
      {roles && (
        <section>
          <h3>Roles granted, and why</h3>
          <RolesOutcome roles={roles} />
        </section>
      )}
      <div className="row wrap">
        <CopyButton text={reportText(report, reference)} label="report" words="Copy report" />
        {report.xml && (
          <Button
            size="small"
            kind="quiet"
            aria-expanded={xml}
            onClick={() => {
              setXml(!xml);
            }}
          >
            {xml ? 'Hide assertion' : 'Show assertion'}
          </Button>
        )}
      </div>
      {xml && (
        <pre className="xml" tabIndex={0} aria-label="The response as received">
          {report.xml}
        </pre>
      )}
      <p className="help">
        Nothing was changed and nobody was signed in.
        {reference && (
          <>
            {' '}
            Reference <span className="mono">{reference}</span>.
          </>
        )}
      </p>
    </div>
  );
}

function Attribute({
  label,
  value,
  from,
  note,
}: {
  label: string;
  value: string | undefined;
  from: readonly string[];
  note: string | null | undefined;
}) {
  return (
    <tr>
      <td className="muted nowrap">{label}</td>
      <td>
        <div className="mono">{value ? value : <span className="faint">none received</span>}</div>
        <div className="small faint">
          {from.length > 0 && (
            <>
              from{' '}
              {from.map((name, at) => (
                <span key={name}>
                  {at > 0 && ' and '}
                  <code title={name}>{shortened(name)}</code>
                </span>
              ))}
            </>
          )}
          {note && `${from.length > 0 ? '; ' : ''}${note}`}
        </div>
      </td>
    </tr>
  );
}

/** Claim names are URLs; their last parts distinguish them. */
function shortened(name: string): string {
  if (name.length <= 36) return name;
  const end = name.slice(-34);
  const cut = end.indexOf('/');
  return `…${cut < 0 ? end : end.slice(cut)}`;
}
