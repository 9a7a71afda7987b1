import { Divide } from 'lucide-react';
import {
  Chart,
  DataTable,
  Empty,
  Panel,
  change,
  changeTone,
  count,
  endOfMonth,
  longDay,
  money,
  month,
  moneyTick,
  ratio,
  subtract,
  units,
  useToday,
} from '@/shared';
import type { Column, DayRange, Numeric, Series } from '@/shared';
import type { UnitCost } from './queries';
import { indexed, perUnit } from './value';
import { words } from './words';

/** Each currency: the cost of a unit, cost against number, and both with their figures. */
export function Costs({
  rows,
  name,
  range,
  every,
}: {
  rows: readonly UnitCost[];
  name: string;
  range: DayRange;
  every: 'month' | 'day';
}) {
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  if (currencies.length === 0) {
    return (
      <Panel label={words.title}>
        <Empty icon={Divide} title={words.noRows}>
          {words.noRowsHelp}
        </Empty>
      </Panel>
    );
  }
  return currencies.map((currency) => (
    <OfCurrency
      key={currency ?? ''}
      rows={rows.filter((row) => row.currency === currency)}
      currency={currency}
      name={name}
      range={range}
      every={every}
      several={currencies.length > 1}
    />
  ));
}

interface Line {
  date: string;
  cost: Numeric;
  value: Numeric;
  unit: Numeric | null;
  /** Days that count. */
  days: number;
  /** Against the line before. */
  change: number | null;
}

/** How many days a month has, by its first one. */
const daysOf = (day: string) => Number(endOfMonth(day).slice(8));

function linesOf(rows: readonly UnitCost[]): Line[] {
  const sorted = [...rows].sort((one, other) => (one.date < other.date ? -1 : 1));
  return sorted.map(({ date, cost, value, unit_cost: unit, days }, place) => {
    const before = sorted[place - 1]?.unit_cost ?? null;
    const moved = unit !== null && before !== null ? ratio(subtract(unit, before), before) : null;
    return { date, cost, value, unit, days, change: moved };
  });
}

function OfCurrency({
  rows,
  currency,
  name,
  range,
  every,
  several,
}: {
  rows: readonly UnitCost[];
  currency: string | null;
  name: string;
  range: DayRange;
  every: 'month' | 'day';
  several: boolean;
}) {
  const now = useToday();
  const lines = linesOf(rows);
  const days = units(every, range);
  const along = (of: (line: Line) => Numeric | null) =>
    days.map((day) => {
      const line = lines.find(({ date }) => date === day);
      return line ? of(line) : null;
    });
  const perUnitTitle = words.perUnit(name);
  const unit: Series[] = [
    { id: 'unit', label: perUnitTitle, color: 1, area: true, values: along((line) => line.unit) },
  ];
  const both: Series[] = [
    { id: 'cost', label: words.cost, color: 1, values: indexed(along((line) => line.cost)) },
    { id: 'value', label: name, color: 3, values: indexed(along((line) => line.value)) },
  ];
  const period = (day: string) => (every === 'month' ? month(day, now) : longDay(day, now));
  const columns: Column<Line>[] = [
    {
      id: 'date',
      header: words.columns.date,
      value: (line) => line.date,
      cell: (line) => (
        <>
          {period(line.date)}
          {every === 'month' && line.days < daysOf(line.date) && (
            <span className="small muted"> {words.someDays(count(line.days), count(daysOf(line.date)))}</span>
          )}
        </>
      ),
    },
    {
      id: 'cost',
      header: words.columns.cost,
      kind: 'number',
      width: 150,
      value: (line) => line.cost,
      cell: (line) => money(line.cost, currency, { several }),
    },
    {
      id: 'value',
      header: name,
      kind: 'number',
      width: 150,
      value: (line) => line.value,
      cell: (line) => count(line.value),
    },
    {
      id: 'unit',
      header: words.columns.unit,
      kind: 'number',
      width: 150,
      value: (line) => line.unit,
      cell: (line) => perUnit(line.unit, currency),
    },
    {
      id: 'change',
      header: words.columns.change,
      kind: 'number',
      width: 110,
      value: (line) => line.change,
      cell: (line) => <span className={changeTone(line.change)}>{change(line.change)}</span>,
    },
  ];
  const help = every === 'month' ? words.monthHelp : words.dayHelp;
  return (
    <>
      <div className="unit-charts">
        <Panel title={perUnitTitle} meta={several ? (currency ?? '') : undefined} padded>
          <Chart
            label={perUnitTitle}
            days={days}
            unit={every}
            kind="lines"
            series={unit}
            format={(value) => perUnit(value, currency)}
            formatTick={(value) => moneyTick(value, currency)}
          />
        </Panel>
        <Panel title={words.against(name)} meta={words.indexHelp} padded>
          <Chart
            label={words.against(name)}
            days={days}
            unit={every}
            kind="lines"
            series={both}
            format={(value) => (value === null ? '–' : `${count(value)}%`)}
            formatTick={(value) => `${count(value)}%`}
          />
        </Panel>
      </div>
      <Panel title={perUnitTitle} label={words.table(name)} meta={several ? (currency ?? '') : undefined}>
        <p className="small muted padded">{help}</p>
        <DataTable
          label={perUnitTitle}
          columns={columns}
          rows={lines}
          rowId={(line) => line.date}
          defaultSort={[{ id: 'date', desc: true }]}
          empty={null}
          primary
        />
      </Panel>
    </>
  );
}
