import { useDeferredValue, useId, useState } from 'react';
import { useGraphQL } from '@/api';
import { DataTable, Field, Filters, Form, SidePanel, Status, Tabs, money, share } from '@/shared';
import type { Column, FilterField } from '@/shared';
import { DraftActions } from '../DraftActions';
import { useDraft } from '../useDraft';
import { draftOf, methods, newDraft, problemsOf, rowOf } from './draft';
import type { Draft, Method } from './draft';
import { Preview } from './queries';
import type { Rule, Share } from './queries';
import { useRuleActs } from './useRuleActs';
import { words } from './words';

const panel = words.panel;

/** One rule: the charges it splits, a preview before saving, and its receipt. */
export function RulePanel({
  rule,
  position,
  range,
  monthName,
  shares,
  fields,
  several,
  onClose,
  onDone,
}: {
  /** Undefined for one that is being added. */
  rule: Rule | undefined;
  /** The position of a new rule. */
  position: number;
  range: { from: string; to: string };
  monthName: string;
  /** The splits of the stored rule in the month. */
  shares: readonly Share[];
  fields: readonly FilterField[];
  several: boolean;
  onClose: () => void;
  onDone: (id: string | null) => void;
}) {
  const form = useId();
  const stored = rule ? draftOf(rule) : newDraft(position);
  const [tab, setTab] = useState<'rule' | 'receipt'>('rule');
  const { act, reason } = useRuleActs();
  const isFixed = reason !== undefined;
  const drafted = useDraft({
    stored,
    problemsOf,
    isFixed,
    isPending: act.isPending,
    command: { id: 'rule-save', title: panel.save },
    onSave: (draft) => {
      act.mutate(rule ? { kind: 'change', rule, draft } : { kind: 'add', draft }, { onSuccess: onDone });
    },
  });
  const { draft, set, shown, problems, save } = drafted;
  return (
    <SidePanel
      label={panel.label}
      isNew={rule === undefined}
      onClose={onClose}
      head={<h2 className="ttl">{rule?.name ?? panel.newTitle}</h2>}
      tabs={
        rule && (
          <Tabs
            label={panel.label}
            value={tab}
            options={[
              { value: 'rule', label: panel.label },
              { value: 'receipt', label: panel.receipt },
            ]}
            onChange={setTab}
          />
        )
      }
      actions={
        !isFixed && (
          <DraftActions
            words={panel}
            of={drafted}
            isPending={act.isPending}
            onRemove={
              rule &&
              (() => {
                act.mutate({ kind: 'remove', rule }, { onSuccess: onDone });
              })
            }
            form={form}
          />
        )
      }
    >
      {tab === 'receipt' ? (
        <Receipt shares={shares} several={several} />
      ) : (
        <>
          <RuleForm id={form} draft={draft} set={set} shown={shown} isFixed={isFixed} fields={fields} onSubmit={save} />
          {Object.keys(problems).length === 0 && (
            <PreviewOf draft={draft} rule={rule} range={range} monthName={monthName} several={several} />
          )}
          {act.error && (
            <div role="alert">
              <Status tone="bad">{act.error.message}</Status>
            </div>
          )}
        </>
      )}
    </SidePanel>
  );
}

function RuleForm({
  id,
  draft,
  set,
  shown,
  isFixed,
  fields,
  onSubmit,
}: {
  id: string;
  draft: Draft;
  set: (to: Partial<Draft>) => void;
  shown: ReturnType<typeof problemsOf>;
  isFixed: boolean;
  fields: readonly FilterField[];
  onSubmit: () => void;
}) {
  const text = (
    name: 'name' | 'position' | 'untagged' | 'target' | 'number',
    label: string,
    help?: string,
    error?: string,
  ) => (
    <Field label={label} {...(help ? { help } : {})} error={error}>
      {(control) => (
        <input
          {...control}
          className="in"
          value={draft[name]}
          disabled={isFixed}
          onChange={(event) => {
            set({ [name]: event.target.value });
          }}
        />
      )}
    </Field>
  );
  const isNamed = draft.method === 'even' || draft.method === 'fixed';
  return (
    <Form id={id} className="stack" onSubmit={onSubmit}>
      {text('name', panel.name, undefined, shown.name)}
      <section className="sec">
        <h3>{panel.scope}</h3>
        <div className="row wrap">
          <Filters
            fields={fields}
            value={draft.scope}
            onChange={(scope) => {
              if (!isFixed) set({ scope: scope.map(({ field, values }) => ({ field, values })) });
            }}
          />
        </div>
        {text('untagged', panel.untagged, panel.untaggedHelp, shown.scope)}
      </section>
      <Field label={panel.method} help={words.methodHelp[draft.method]}>
        {(control) => (
          <select
            {...control}
            className="sel"
            value={draft.method}
            disabled={isFixed}
            onChange={(event) => {
              set({ method: event.target.value as Method });
            }}
          >
            {methods.map((method) => (
              <option key={method} value={method}>
                {words.methods[method]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {isNamed ? (
        <Field
          label={panel.shares}
          help={draft.method === 'fixed' ? panel.sharesHelp : panel.namesHelp}
          error={shown.shares}
        >
          {(control) => (
            <textarea
              {...control}
              className="in mono"
              rows={4}
              value={draft.shares}
              disabled={isFixed}
              onChange={(event) => {
                set({ shares: event.target.value });
              }}
            />
          )}
        </Field>
      ) : draft.method === 'usage' ? (
        text('number', panel.number, undefined, shown.number)
      ) : (
        text('target', panel.target, panel.targetHelp)
      )}
      {text('position', panel.position, panel.positionHelp)}
    </Form>
  );
}

/** The effect of the rule on the month. */
function PreviewOf({
  draft,
  rule,
  range,
  monthName,
  several,
}: {
  draft: Draft;
  rule: Rule | undefined;
  range: { from: string; to: string };
  monthName: string;
  several: boolean;
}) {
  const settled = useDeferredValue(draft);
  const { name, position, scope, method, target, shares, number_name } = rowOf(settled);
  const asked = { ...range, name, position, scope, method, target, shares, number_name };
  const found = useGraphQL(Preview, { request: { ...asked, ...(rule ? { id: rule.id } : {}) } });
  const preview = found.data?.allocation_preview;
  return (
    <section className="sec" aria-live="polite">
      <h3>{panel.preview}</h3>
      <p className="small muted">{panel.previewHelp(monthName)}</p>
      {found.error && <Status tone="bad">{found.error.message}</Status>}
      {preview?.messages.map((message) => (
        <p key={message} className="small muted">
          {message}
        </p>
      ))}
      {preview && preview.rows.length === 0 && <p className="small muted">{panel.nothing}</p>}
      <ul>
        {preview?.rows.map((line) => (
          <li key={`${line.currency ?? ''} ${line.target}`} className="li">
            <span className="grow cut">{line.target === '' ? words.unallocated : line.target}</span>
            <span className="num muted">{line.share === null ? '' : share(Number(line.share))}</span>
            <span className="num">{money(line.amount, line.currency, { several })}</span>
          </li>
        ))}
        {preview?.sources.map((source) => (
          <li key={source.currency ?? ''} className="li">
            <b className="grow">Total</b>
            <b className="num">{money(source.amount, source.currency, { several })}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The daily splits with their weights, so that each amount can be recomputed by hand. */
function Receipt({ shares, several }: { shares: readonly Share[]; several: boolean }) {
  const columns: Column<Share>[] = [
    {
      id: 'date',
      header: 'Day',
      value: (row) => row.date,
      width: 92,
      cell: (row) => <span className="num">{row.date}</span>,
    },
    {
      id: 'target',
      header: 'To',
      value: (row) => row.target,
      cell: (row) => <span className="cut">{row.target === '' ? words.unallocated : row.target}</span>,
    },
    {
      id: 'source',
      header: 'Source',
      kind: 'number',
      value: (row) => row.source_amount,
      width: 104,
      cell: (row) => money(row.source_amount, row.currency, { several }),
    },
    {
      id: 'weight',
      header: 'Weight',
      kind: 'number',
      value: (row) => row.weight,
      width: 130,
      cell: (row) => <span className="num">{`${String(row.weight)} of ${String(row.weight_total)}`}</span>,
    },
    {
      id: 'amount',
      header: 'Amount',
      kind: 'number',
      value: (row) => row.amount,
      width: 130,
      cell: (row) => <span className="num mono">{String(row.amount)}</span>,
    },
  ];
  return (
    <section className="sec">
      <p className="small muted">{panel.receiptHelp}</p>
      <DataTable
        label={panel.receipt}
        columns={columns}
        rows={[...shares]}
        rowId={(row) => `${row.date} ${row.currency} ${row.target}`}
        defaultSort={[{ id: 'date', desc: false }]}
        empty={<p className="small muted">{panel.nothing}</p>}
      />
    </section>
  );
}
