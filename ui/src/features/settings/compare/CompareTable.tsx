import { CircleDashed, Equal, EqualNot, MoveLeft, MoveRight } from 'lucide-react';
import { Monitor } from 'lucide-react';
import type { Cell, Line, Mark } from './line';
import type { Side } from './side';

const icons = { same: Equal, differs: EqualNot, only_a: MoveLeft, only_b: MoveRight, unknown: CircleDashed };

function words(mark: Mark, difference: string, a: Side, b: Side): string {
  if (mark === 'differs') return difference === '' ? 'Different' : difference;
  return { same: 'Same', only_a: `Only ${a.name}`, only_b: `Only ${b.name}`, unknown: 'Not comparable' }[mark];
}

/** Name and mark of a side. */
export function SideName({ side }: { side: Side }) {
  return (
    <>
      {side.colour === null ? <Monitor className="i s" /> : <span className={`dot inst-${side.colour}`} />}
      <span>{side.name}</span>
    </>
  );
}

/** Lines of a section: what both have, and what the second has more. Roles are written out, since in a narrow window its rows are no table rows. */
export function CompareTable({ label, lines, a, b }: { label: string; lines: readonly Line[]; a: Side; b: Side }) {
  return (
    <table className="tbl compare-table" aria-label={label} role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">
            <span className="sr">Figure</span>
          </th>
          {[a, b].map((side) => (
            <th key={side.id} scope="col" role="columnheader" className="n">
              <span className="row compare-name">
                <SideName side={side} />
              </span>
            </th>
          ))}
          <th scope="col" role="columnheader" title={`${b.name} minus ${a.name}`}>
            Difference
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {lines.map((line) => {
          const Icon = icons[line.mark];
          return (
            <tr key={line.key} role="row">
              <th scope="row" role="rowheader">
                {line.label}
              </th>
              <Told cell={line.a} />
              <Told cell={line.b} />
              <td role="cell" className={`compare-mark ${line.mark}`}>
                <Icon className="i s" />
                <span className="num">{words(line.mark, line.difference, a, b)}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Told({ cell }: { cell: Cell }) {
  return (
    <td role="cell" className={cell.isMissing ? 'n muted' : 'n num'} title={cell.title}>
      {cell.text}
    </td>
  );
}
