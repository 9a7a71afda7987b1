import { Banknote, Coins, GitCompareArrows, Layers, Plus, X } from 'lucide-react';
import type { CostDays } from '@/api';
import { DateRangePicker, Filters, Segmented, Select, previous, range, toDay, useToday } from '@/shared';
import { isDimension, namesOf, plainDimensions } from './dimension';
import type { Dimension } from './dimension';
import type { Change } from './Explorer';
import { useDimensionTitle, useFilterFields, useTagKeys } from './fields';
import type { Ask, View } from './load';
import { metrics } from './metric';
import type { Metric } from './metric';
import { namedRanges } from './period';

const unitChoices = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const;

/** The parts of the query, as chips. */
export function QueryBar({
  ask,
  view,
  extent,
  change,
}: {
  ask: Ask;
  view: View | undefined;
  extent: CostDays;
  change: Change;
}) {
  const now = useToday();
  const keys = useTagKeys();
  const titleOf = useDimensionTitle();
  const currencies = view?.currencies ?? [];
  const currency = ask.currency ?? view?.currency ?? null;
  const fields = useFilterFields(ask, currency, currencies.length > 1);
  const groupings = [
    ...plainDimensions.map((by) => ({ value: by as Dimension, label: namesOf(by).title })),
    ...keys.map((key) => ({ value: `tag:${key}` as Dimension, label: titleOf(`tag:${key}`), group: 'Tags' })),
  ];
  return (
    <>
      <DateRangePicker
        value={ask.range}
        today={toDay(now)}
        named={namedRanges(extent)}
        compare={ask.before !== null}
        onChange={({ from, to }, compare) => {
          change({ from, to, compare: compare ? 'previous' : undefined });
        }}
      />
      <Compare ask={ask} change={change} />
      <Segmented
        label="Interval"
        value={ask.unit}
        options={unitChoices}
        onChange={(unit) => {
          change({ unit: unit === 'day' ? undefined : unit });
        }}
      />
      <span className="rule" />
      <Select
        label="Group by"
        icon={Layers}
        value={ask.by}
        options={groupings}
        command={{ title: 'Change grouping', keys: 'shift+g' }}
        onChange={(by) => {
          // Another grouping has other rows, so open, selected and searched rows are reset.
          change({
            by: by === 'service' ? undefined : by,
            only: undefined,
            open: undefined,
            rows: undefined,
            charge: undefined,
          });
        }}
      />
      <Select
        label="Cost"
        icon={Banknote}
        value={ask.metric}
        options={Object.entries(metrics).map(([metric, { title, meaning }]) => ({
          value: metric as Metric,
          label: title,
          hint: meaning,
        }))}
        onChange={(metric) => {
          change({ metric: metric === 'billed' ? undefined : metric });
        }}
      />
      {(currencies.length > 1 || ask.currency !== undefined) && (
        <Select
          label="Currency"
          icon={Coins}
          value={currency ?? ''}
          options={[...new Set([currency ?? '', ...currencies.map((code) => code ?? '')])]
            .sort()
            .map((code) => ({ value: code, label: code || 'none' }))}
          onChange={(code) => {
            change({ currency: code, only: undefined, open: undefined, charge: undefined });
          }}
        />
      )}
      <Filters
        fields={fields}
        value={ask.filters}
        onChange={(filters) => {
          change({ filters: filters.filter((filter) => isDimension(filter.field)) });
        }}
      />
    </>
  );
}

function Compare({ ask, change }: { ask: Ask; change: Change }) {
  if (!ask.before) {
    const before = previous(ask.range);
    return (
      <button
        type="button"
        className="chip add"
        title={`With ${range(before.from, before.to)}`}
        onClick={() => {
          change({ compare: 'previous' });
        }}
      >
        <Plus className="i" />
        Compare
      </button>
    );
  }
  return (
    <span className="chip on">
      <GitCompareArrows className="i" />
      <span className="k">Compare</span> {range(ask.before.from, ask.before.to)}
      <button
        type="button"
        className="bare"
        aria-label="Stop comparing"
        onClick={() => {
          change({ compare: undefined });
        }}
      >
        <X className="i" />
      </button>
    </span>
  );
}
