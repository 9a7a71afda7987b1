import type { Json } from '@/api';
import { Panel } from '@/shared';
import { factors as words } from './words';

/** The score: each factor, its points, and the sum. */
export function Score({ score, priority, factors }: { score: number | null; priority: string | null; factors: Json }) {
  if (score === null)
    return (
      <Panel title="Score">
        <p className="inside muted">This event has no score: it was not triaged.</p>
      </Panel>
    );
  const parts =
    typeof factors === 'object' && factors !== null && !Array.isArray(factors) ? Object.entries(factors) : [];
  return (
    <Panel title="Score" meta={`${String(score)} of 100${priority ? `, ${priority}` : ''}`}>
      <table className="tbl factors">
        <thead>
          <tr>
            <th scope="col">Factor</th>
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(([name, value]) => (
            <tr key={name}>
              <td>
                {words[name]?.name ?? name.replaceAll('_', ' ')}
                {words[name] && <div className="small muted">{words[name].why}</div>}
              </td>
              <td className="num">{points(value)}</td>
            </tr>
          ))}
          <tr>
            <td>
              <b>Score, 0 to 100</b>
            </td>
            <td className="num">
              <b>{score}</b>
            </td>
          </tr>
        </tbody>
      </table>
    </Panel>
  );
}

/** "+25", "−15", "0". */
export function points(value: Json): string {
  const number = Number(value);
  if (Number.isNaN(number)) return JSON.stringify(value);
  if (number === 0) return '0';
  return number > 0 ? `+${String(number)}` : `−${String(-number)}`;
}
