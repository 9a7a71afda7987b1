import {
  Spark,
  change,
  changeTone,
  count,
  date,
  money,
  parseTime,
  range,
  ratio,
  seriesColor,
  share,
  subtract,
} from '@/shared';
import type { Column, Numeric, Series } from '@/shared';
import { levels, namesOf } from './dimension';
import type { Charge, View } from './load';
import { filled } from './series';
import { metrics } from './metric';
import { chargeTime, sourceOf } from './node';
import type { Node } from './node';

/** The columns after the name, in their default order. `charges` is available in the column chooser. */
const wideColumns = ['trend', 'share', 'value', 'before', 'change', 'percent'];

/** On a phone a row has two lines and does not scroll sideways: other columns are shown below the amount. */
const narrowColumns = ['value'];

export function usualColumns(isNarrow: boolean): string[] {
  return isNarrow ? narrowColumns : wideColumns;
}

/** View settings that the columns depend on. */
export interface Setting {
  view: View;
  cells: View['cells'];
  colors: ReadonlyMap<string, Series['color']>;
  several: boolean;
  /** A share or a change is shown below the amount, so that no column is hidden. */
  isNarrow: boolean;
  /** Ids of the columns on screen. */
  shown: readonly string[];
  /** The present: heads leave out its year. */
  now: Date;
  /** Sums of the rows on screen. */
  total: { value: Numeric | null; before: Numeric | null; label: string };
}

/** The name of a row and every column there is, shown or not. */
export function allColumns(setting: Setting): { name: Column<Node>; others: Column<Node>[] } {
  const { view, cells, several, total } = setting;
  const { ask, currency } = view;
  const amount = (value: Numeric | null, sign = false) => money(value, currency, { several, sign });
  const whole = view.now.total;
  const part = (value: Numeric | null) => (value === null || whole === null ? null : ratio(value, whole));
  const compared = Boolean(view.before && view.before.total !== null);
  const difference = ({ value, before }: Pick<Node, 'value' | 'before'>) =>
    compared && (value !== null || before !== null) ? subtract(value ?? 0, before ?? 0) : null;
  const percent = (node: Pick<Node, 'value' | 'before'>) => {
    const by = difference(node);
    return by === null || node.before === null ? null : ratio(by, node.before);
  };
  const isGroup = (node: Node) => node.kind === 'group' || node.kind === 'rest';
  const trend = { day: 'Daily', week: 'Weekly', month: 'Monthly' }[ask.unit];

  // For a charge, its day and source use the cells that do not apply to it.
  const inCells = ['trend', 'share'].every((id) => setting.shown.includes(id));
  const wide = (text: string) => Math.max(setting.isNarrow ? 112 : 132, 46 + Math.round(text.length * 6.8));
  const [nowName, beforeName] = [ask.range, ask.before].map((days) =>
    days ? range(days.from, days.to, setting.now) : '',
  );

  const name: Column<Node> = {
    id: 'name',
    header: namesOf(ask.by).title,
    value: (node) => node.label,
    cell: (node) => <Name node={node} setting={setting} inCells={inCells} />,
    total: total.label,
  };
  const others: Column<Node>[] = [
    {
      id: 'trend',
      header: trend,
      width: 100,
      sortable: false,
      csv: null,
      value: () => null,
      cell: (node) => {
        if (node.charge && inCells)
          return <span className="num muted">{date(node.charge.date, parseTime(ask.range.to))}</span>;
        const values = node.kind === 'group' && node.path.length === 1 ? cells.get(node.path[0] ?? '') : undefined;
        return values ? <Spark values={filled(view, values)} /> : null;
      },
    },
    {
      id: 'share',
      header: 'Share',
      width: 150,
      kind: 'number',
      value: (node) => (isGroup(node) ? part(node.value) : null),
      cell: (node) => {
        if (node.charge && inCells) return <Source charge={node.charge} />;
        return isGroup(node) ? <Share of={part(node.value)} /> : null;
      },
      total: share(part(total.value)),
    },
    {
      id: 'value',
      header: nowName ?? '',
      width: wide(nowName ?? ''),
      kind: 'number',
      value: (node) => node.value,
      cell: (node) => {
        if (node.kind === 'more' || node.kind === 'failed') return '';
        if (!setting.isNarrow || !isGroup(node)) return amount(node.value);
        return (
          <>
            <span className="amount">{amount(node.value)}</span>
            <span className="small">
              {ask.before ? <Percent of={percent(node)} /> : <span className="muted">{share(part(node.value))}</span>}
            </span>
          </>
        );
      },
      total: amount(total.value),
    },
    {
      id: 'charges',
      header: 'Charges',
      width: 96,
      kind: 'number',
      value: (node) => node.count,
      cell: (node) => (isGroup(node) ? count(node.count) : ''),
    },
  ];
  if (ask.before) {
    others.splice(
      3,
      0,
      {
        id: 'before',
        header: beforeName ?? '',
        width: wide(beforeName ?? ''),
        kind: 'number',
        value: (node) => node.before,
        cell: (node) => (isGroup(node) ? <span className="muted">{amount(node.before)}</span> : ''),
        total: amount(total.before),
      },
      {
        id: 'change',
        header: 'Change',
        width: 128,
        kind: 'number',
        value: difference,
        cell: (node) => (isGroup(node) ? amount(difference(node), true) : ''),
        total: amount(difference(total), true),
      },
      {
        id: 'percent',
        header: 'Change %',
        width: 104,
        kind: 'number',
        value: percent,
        cell: (node) => (isGroup(node) ? <Percent of={percent(node)} /> : ''),
        total: change(percent(total)),
      },
    );
  }
  return { name, others };
}

function Name({ node, setting, inCells }: { node: Node; setting: Setting; inCells: boolean }) {
  if (node.charge) {
    return (
      <span className="row charge" title={node.label}>
        <span className="cut">{node.label}</span>
        {!inCells && (
          <>
            <span className="num muted">{date(node.charge.date, parseTime(setting.view.ask.range.to))}</span>
            <Source charge={node.charge} />
          </>
        )}
      </span>
    );
  }
  if (node.kind === 'more' || node.kind === 'failed') {
    return <span className={node.kind === 'failed' ? 'err' : 'muted'}>{node.label}</span>;
  }
  const color = node.path.length === 1 && node.kind === 'group' ? setting.colors.get(node.path[0] ?? '') : undefined;
  const top = node.kind === 'rest' || node.path.length === 1;
  return (
    <span className="name" title={node.exact === null ? node.label : `${node.label}\n${node.exact}`}>
      {top && <span className="swatch" style={{ background: color ? seriesColor(color) : 'var(--cx)' }} />}
      {node.label}
      {node.exact !== null && <span className="mono small faint">{middle(node.exact)}</span>}
    </span>
  );
}

/** File and line; the name of the file may be cut, the line never is. */
function Source({ charge }: { charge: Charge }) {
  const line =
    charge.import_file_name !== null && charge.source_line !== null ? `line ${String(charge.source_line)}` : '';
  return (
    <span className="row source small muted" title={`${chargeTime(charge)}, ${sourceOf(charge)}`}>
      <span className="cut">{charge.import_file_name ?? sourceOf(charge)}</span>
      <span className="num">{line}</span>
    </span>
  );
}

/** Identifiers are shortened in the middle, because both ends distinguish them. */
export function middle(text: string): string {
  return text.length <= 28 ? text : `${text.slice(0, 12)}…${text.slice(-15)}`;
}

function Share({ of }: { of: number | null }) {
  const width = `${String(Math.max(0, Math.min(100, (of ?? 0) * 100)))}%`;
  return (
    <>
      <span className="prog">
        <i style={{ width }} />
      </span>
      <span className="share muted">{share(of)}</span>
    </>
  );
}

function Percent({ of }: { of: number | null }) {
  return <span className={changeTone(of) || 'muted'}>{change(of)}</span>;
}

/** How rows open: "then by account, resource, charge". */
export function below(view: View): string {
  const next = levels(view.ask.by).slice(1);
  return `then by ${[...next.map((dimension) => namesOf(dimension).one), 'charge'].join(', ')}`;
}

export function metricLine(view: View): string {
  const { long, meaning } = metrics[view.ask.metric];
  return `${long}: ${meaning}`;
}
