import { plural } from '../format';
import { likelihoods } from './causes';
import type { Causes } from './causes';

/** The likely causes with evidence for and against each; without causes, the reason why none was found. */
export function Hypotheses({ of: { summary, investigation } }: { of: Causes }) {
  const title = (id: string) => investigation.evidence.find((known) => known.id === id)?.title;
  if (investigation.hypotheses.length === 0) return <p className="inside muted">{summary}</p>;
  return investigation.hypotheses.map((one) => (
    <div className={one.rank === 1 ? 'hyp lead' : 'hyp'} key={one.rank}>
      <span className="rk">{one.rank}</span>
      <div>
        <b>{one.claim}</b>
        <div className="muted small">{one.reason}</div>
        <div className="row wrapping small">
          {one.evidence.map((id) => (
            <span className="ev" key={id} title={title(id)}>
              <b>{id}</b>
              {title(id)}
            </span>
          ))}
          {one.against.map((id) => (
            <span className="ev no" key={id}>
              <b>{id}</b>
              {title(id)} against
            </span>
          ))}
        </div>
        <div className="small">{one.next}</div>
      </div>
      <div className="likely small">
        <b className="num">{one.score} of 100</b>
        <div className="scorebar">
          <span style={{ width: `${String(one.score)}%` }} />
        </div>
        <span className="muted">{likelihoods[one.likelihood]}</span>
      </div>
    </div>
  ));
}

/** Which rows were looked at for causes: “Looked at 3 rows of events.” */
export function lookedAt({ investigation }: Causes): string {
  const rows = Object.entries(investigation.looked_at).filter(([, many]) => many > 0);
  return rows.length === 0
    ? 'No related rows found.'
    : `Checked ${rows.map(([what, many]) => `${plural(many, 'row')} of ${what}`).join(', ')}.`;
}
