import { Fact, Panel, Spark, dateTimeZone, plural, useNow } from '@/shared';
import type { Json } from '@/api';
import { findingsOf, kinds } from './evidence';
import type { Finding, LogLine } from './evidence';

/** The evidence of an event, by kind. */
export function Evidence({ evidences, failure }: { evidences: Json; failure: string | null }) {
  const findings = findingsOf(evidences);
  return (
    <Panel title="Evidence" meta={findings.length > 0 ? plural(findings.length, 'fact') : ''}>
      {failure !== null && <p className="inside">Gathering failed: {failure}</p>}
      {findings.length === 0 && failure === null && (
        <p className="inside muted">
          Its source sent no evidence. See related events below, and log lines around it under Logs.
        </p>
      )}
      {(Object.keys(kinds) as (keyof typeof kinds)[]).map((kind) => {
        const found = findings.filter((one) => one.kind === kind);
        return (
          found.length > 0 && (
            <ul className="evidence" key={kind} aria-label={kinds[kind]}>
              {found.map((one, at) => (
                <li key={at}>
                  <span className="ev">
                    <b>E{findings.indexOf(one) + 1}</b>
                  </span>
                  <div className="stack">
                    <b className="wrap">{one.title}</b>
                    <Body of={one} />
                  </div>
                </li>
              ))}
            </ul>
          )
        );
      })}
    </Panel>
  );
}

function Body({ of }: { of: Finding }) {
  const now = useNow();
  switch (of.kind) {
    case 'logs':
      return <LogLines lines={of.lines} />;
    case 'metric':
      return of.series.map(({ name, points }) => {
        const values = points.map(([, value]) => value);
        return (
          <div className="row wrapping" key={name}>
            <Spark values={values} width={160} height={32} />
            <span className="small muted num">
              {name} from {values[0]} to {values.at(-1)}, at most {Math.max(...values)}
            </span>
          </div>
        );
      });
    case 'change':
    case 'object':
      return (
        <dl className="kv">
          {of.kind === 'change' && of.at && <Fact name="time">{dateTimeZone(of.at, now)}</Fact>}
          {of.facts.map(({ name, value }) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </dl>
      );
  }
}

const tones: Record<string, string> = {
  WARN: 'warn',
  WARNI: 'warn',
  ERROR: 'bad',
  FATAL: 'bad',
  PANIC: 'bad',
  CRITI: 'bad',
};

/** Lines of a log: time, level, text. */
export function LogLines({ lines }: { lines: readonly LogLine[] }) {
  return (
    // It scrolls: the keyboard gets to it.
    <div className="loglines" role="region" aria-label="Log lines" tabIndex={0}>
      {lines.map(({ time, level, text }, at) => (
        <div className="line" key={at}>
          <span className="faint">{time.slice(11, 23).replace('Z', '') || time}</span>
          <span className={tones[level] ?? 'muted'}>{level}</span>
          <span>{text}</span>
        </div>
      ))}
    </div>
  );
}
