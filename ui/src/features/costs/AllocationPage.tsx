import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useExtent, useGraphQL } from '@/api';
import {
  Button,
  Content,
  Page,
  Panel,
  Select,
  endOfMonth,
  money,
  month as monthOf,
  startOfMonth,
  units,
  useCommands,
} from '@/shared';
import type { DayRange } from '@/shared';
import { NoCosts } from './NoCosts';
import { useScopeFields } from './scopeFields';
import { CoveragePanel } from './tags/CoveragePanel';
import { Allocation } from './allocation/queries';
import type { AllocationSearch } from './allocation/search';
import { RulePanel } from './allocation/RulePanel';
import { RuleTable } from './allocation/RuleTable';
import { targetsOf } from './allocation/sums';
import { OpenTag } from './tags/OpenTag';
import { VirtualTagsPanel } from './tags/VirtualTagsPanel';
import { useRuleActs } from './allocation/useRuleActs';
import { words } from './allocation/words';

const route = getRouteApi('/costs/allocation');
/** Only one panel is open at a time. */
const nothingOpen = { id: undefined, tag: undefined, keys: undefined };

/** Allocation of shared cost, and tag coverage. */
export function AllocationPage() {
  const extent = useExtent();
  if (extent.data?.days) return <Months extent={extent.data.days} />;
  return (
    <Page title={words.title} crumb={words.crumb}>
      <Panel label={words.rules}>
        <Content of={extent} what={words.failed}>
          {() => <NoCosts />}
        </Content>
      </Panel>
    </Page>
  );
}

function Months({ extent }: { extent: DayRange }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const first = startOfMonth(search.month ? `${search.month}-01` : extent.to);
  const range = useMemo(() => ({ from: first, to: endOfMonth(first) }), [first]);
  const months = units('month', extent).reverse().slice(0, 14);
  // Splits are recalculated a few seconds after a rule change.
  const found = useGraphQL(Allocation, range, { refetchInterval: 5000 });
  const { reason } = useRuleActs();
  const put = (to: { [Key in keyof AllocationSearch]?: AllocationSearch[Key] | undefined }, replace = true) => {
    const tidy = (all: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== ''));
    void navigate({ search: (before) => tidy({ ...before, ...to }), replace });
  };
  const add = () => {
    put({ ...nothingOpen, id: 'new' }, false);
  };
  const openTag = (tag: string, keys?: readonly string[]) => {
    put({ ...nothingOpen, tag, keys: keys?.join(',') }, false);
  };
  useCommands(
    reason === undefined
      ? [{ id: 'rule-add', title: words.add, group: 'Do', keys: 'shift+n', icon: Plus, run: add }]
      : [],
  );
  const rules = found.data?.allocation_rule ?? [];
  const shares = found.data?.allocated_cost ?? [];
  const several = new Set(shares.map((share) => share.currency)).size > 1;
  const open = rules.find(({ id }) => id === search.id);
  const isNew = search.id === 'new' && reason === undefined;
  const addButton = (kind: 'primary' | 'default') => (
    <Button kind={kind} reason={reason} onClick={add}>
      <Plus className="i" />
      {words.add}
    </Button>
  );
  return (
    <Page
      title={words.title}
      crumb={words.crumb}
      actions={addButton('primary')}
      filters={
        <Select
          label={words.month}
          value={first}
          options={months.map((day) => ({ value: day, label: monthOf(day) }))}
          onChange={(day) => {
            put({ month: day.slice(0, 7) });
          }}
        />
      }
      side={
        search.tag !== undefined ? (
          <OpenTag
            id={search.tag}
            keys={search.keys?.split(',') ?? []}
            range={range}
            last={extent.to}
            monthName={monthOf(first)}
            several={several}
            onClose={() => {
              put(nothingOpen);
            }}
            onDone={(id) => {
              put({ ...nothingOpen, tag: id ?? undefined });
            }}
          />
        ) : (open ?? isNew) ? (
          <WithFields
            key={open?.id ?? 'new'}
            rule={open}
            position={Math.max(0, ...rules.map((rule) => rule.position)) + 1}
            last={extent.to}
            range={range}
            monthName={monthOf(first)}
            shares={shares.filter((share) => share.rule_id === open?.id)}
            several={several}
            onClose={() => {
              put({ id: undefined });
            }}
            onDone={(id) => {
              put({ id: id ?? undefined });
            }}
          />
        ) : undefined
      }
    >
      <Content of={found} what={words.failed} lines={6}>
        {() => (
          <div className="stack">
            <Panel title={words.rules}>
              <p className="small muted padded">{words.rulesHelp}</p>
              <RuleTable
                rules={rules}
                shares={shares}
                several={several}
                openId={open?.id ?? null}
                isBeside={search.tag !== undefined || open !== undefined || isNew}
                onOpen={(rule) => {
                  put({ ...nothingOpen, id: rule.id }, false);
                }}
                action={addButton('default')}
              />
            </Panel>
            {shares.length > 0 && (
              <Panel title={words.totals} meta={monthOf(first)}>
                <ul>
                  {targetsOf(shares).map((line) => (
                    <li key={`${line.currency} ${line.target}`} className="li">
                      <span className="grow cut">{line.target === '' ? words.unallocated : line.target}</span>
                      <span className="num">{money(line.amount, line.currency, { several })}</span>
                    </li>
                  ))}
                </ul>
              </Panel>
            )}
            <VirtualTagsPanel
              range={range}
              openId={search.tag ?? null}
              onOpen={({ id }) => {
                openTag(id);
              }}
              onAdd={() => {
                openTag('new');
              }}
            />
            <CoveragePanel
              range={range}
              onMakeOne={(keys) => {
                openTag('new', keys);
              }}
            />
          </div>
        )}
      </Content>
    </Page>
  );
}

/** The panel with the values available for its scope. */
function WithFields({ last, ...props }: Omit<Parameters<typeof RulePanel>[0], 'fields'> & { last: string }) {
  return <RulePanel {...props} fields={useScopeFields(last).fields} />;
}
