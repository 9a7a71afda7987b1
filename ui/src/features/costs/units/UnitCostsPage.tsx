import { getRouteApi } from '@tanstack/react-router';
import { Divide, FileUp } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useExtent, useGraphQL, useSession, useWhyNot } from '@/api';
import {
  Content,
  DateRangePicker,
  Empty,
  FileButton,
  Filters,
  Page,
  Panel,
  Segmented,
  Select,
  addMonths,
  startOfMonth,
  toDay,
  useToday,
} from '@/shared';
import type { DayRange, Filter } from '@/shared';
import { useFilterFields } from '../fields';
import type { Ask } from '../load';
import { filtersIn, isInScope, scopeOf } from '../scope';
import { Costs } from './Costs';
import { ImportDialog } from './ImportDialog';
import { ImportList } from './ImportList';
import { Numbers, UnitCosts } from './queries';
import { unitCostsSearch } from './search';
import { words } from './words';
import './units.css';

const route = getRouteApi('/costs/unit-costs');

/** The cost per unit of a business number: per order, user or other number. */
export function UnitCostsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const today = toDay(useToday());
  const extent = useExtent();
  const known = useGraphQL(Numbers, {});
  const [file, setFile] = useState<File | null>(null);
  const reason = useReadOnly();
  const put = (to: Record<string, unknown>) => {
    void navigate({ search: (before) => unitCostsSearch({ ...before, ...to }), replace: true });
  };
  const rows = known.data?.business_number ?? [];
  const names = [...new Set(rows.map(({ name }) => name))];
  const name = names.find((one) => one === search.name) ?? names[0];
  const groups = rows.filter((row) => row.name === name && row.group !== '').map(({ group }) => group);
  const days = extent.data?.days;
  const year = days && { from: startOfMonth(addMonths(days.to, -11)), to: days.to };
  const shown = search.from && search.to ? { from: search.from, to: search.to } : year;
  const every = search.every ?? 'month';
  const filters = filtersIn(search.filters);
  const importButton = (kind: 'primary' | 'default') => (
    <FileButton
      label={words.file}
      accept=".csv,.txt,text/csv"
      kind={kind}
      reason={reason}
      onFiles={([chosen]) => {
        if (chosen) setFile(chosen);
      }}
    >
      <FileUp className="i" />
      {words.import}
    </FileButton>
  );
  return (
    <Page
      title={words.title}
      crumb={words.crumb}
      actions={importButton('primary')}
      filters={
        name !== undefined &&
        shown && (
          <>
            <Select
              label={words.number}
              value={name}
              options={names.map((one) => ({ value: one, label: one }))}
              onChange={(next) => {
                put({ name: next, group: undefined });
              }}
            />
            {groups.length > 0 && (
              <Select
                label={words.group}
                value={search.group ?? ''}
                options={[
                  { value: '', label: words.everyone },
                  ...groups.map((group) => ({ value: group, label: group })),
                ]}
                onChange={(group) => {
                  put({ group });
                }}
              />
            )}
            <Segmented
              label={words.everyLabel}
              value={every}
              options={(['month', 'day'] as const).map((one) => ({ value: one, label: words.every[one] }))}
              onChange={(one) => {
                put({ every: one });
              }}
            />
            <DateRangePicker
              value={shown}
              today={today}
              {...(days ? { extent: days } : {})}
              onChange={(to) => {
                put({ from: to.from, to: to.to });
              }}
            />
            <CostFilters
              name={name}
              range={shown}
              value={filters}
              onChange={(filters) => {
                put({ filters });
              }}
            />
          </>
        )
      }
    >
      <div className="stack">
        {name === undefined || !shown ? (
          <Panel label={words.title}>
            <Content of={known} what={words.failed}>
              {() => (
                <Empty icon={Divide} title={words.none} action={importButton('default')}>
                  {words.noneHelp}
                  <code className="mono unit-example">{words.example}</code>
                </Empty>
              )}
            </Content>
          </Panel>
        ) : (
          <Shown name={name} group={search.group} range={shown} every={every} filters={filters} />
        )}
        <ImportList reason={reason} />
      </div>
      {file && (
        <ImportDialog
          file={file}
          onClose={() => {
            setFile(null);
          }}
        />
      )}
    </Page>
  );
}

function Shown({
  name,
  group,
  range,
  every,
  filters,
}: {
  name: string;
  group: string | undefined;
  range: DayRange;
  every: 'month' | 'day';
  filters: readonly Filter[];
}) {
  const found = useGraphQL(UnitCosts, {
    name,
    group: group ?? null,
    from: range.from,
    to: range.to,
    every,
    scope: scopeOf(filters),
  });
  return (
    <Content of={found} what={words.failed} lines={8}>
      {({ unit_costs: answer }) => <Costs rows={answer?.rows ?? []} name={name} range={range} every={every} />}
    </Content>
  );
}

/** Which charges count, chosen as for budgets. */
function CostFilters({
  name,
  range,
  value,
  onChange,
}: {
  name: string;
  range: DayRange;
  value: readonly Filter[];
  onChange: (filters: unknown) => void;
}) {
  const ask = useMemo<Ask>(
    () => ({
      range,
      before: null,
      unit: 'month',
      by: 'service',
      metric: 'billed',
      currency: undefined,
      filters: value,
    }),
    [range, value],
  );
  // Filter values are shown with their cost in the first currency of the page.
  const all = useGraphQL(UnitCosts, { name, group: null, from: range.from, to: range.to, every: 'month', scope: null });
  const currency = all.data?.unit_costs?.rows[0]?.currency ?? null;
  const fields = useFilterFields(ask, currency, false).filter(({ id }) => isInScope(id));
  return (
    <Filters
      fields={fields}
      value={value}
      onChange={(filters) => {
        // Unit costs support only inclusive filters.
        onChange(filters.map(({ field, values }) => ({ field, values })));
      }}
    />
  );
}

/** Why this person cannot import numbers; undefined when they can. */
function useReadOnly(): string | undefined {
  const session = useSession().data;
  const whyNot = useWhyNot()();
  if (whyNot !== undefined) return whyNot;
  return !session || session.roles.includes('tenant_admin') ? undefined : words.readOnly;
}
