import { useState } from 'react';
import { ofCloud, useGraphQL } from '@/api';
import { Button, Field, Form, SidePanel } from '@/shared';
import { RuleTemplates } from './queries';
import { draftOf, emptyDraft, metricNames, operatorNames, problemsOf } from './rule';
import type { Draft, Metric, Operator, Rule } from './rule';
import type { Act } from '../useRuleActs';

/** A new rule, or one that is changed; account and metric stay as they are then. */
export function RuleForm({
  rule,
  rules,
  accounts,
  reason,
  act,
  onClose,
}: {
  rule: Rule | undefined;
  rules: readonly Rule[];
  accounts: readonly { id: string; account_name: string; cloud_provider: string | null }[];
  reason: string | undefined;
  act: { mutate: (act: Act, then: { onSuccess: () => void }) => void; isPending: boolean; error: Error | null };
  onClose: () => void;
}) {
  const templates = useGraphQL(RuleTemplates, {}, { enabled: !rule }).data?.anomaly_template_list?.data ?? [];
  const [draft, setDraft] = useState<Draft>(
    rule ? draftOf(rule) : { ...emptyDraft, account: ofCloud(accounts)?.id ?? '' },
  );
  const [tried, setTried] = useState(false);
  const found = problemsOf(draft, rule ? [] : rules);
  const problems = tried ? found : {};
  const set = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change });
  };
  const template = templates.find((one) => one?.anomaly_type === draft.metric);
  const suggested = template && `Suggested: ${String(Math.round(Number(template.buffer_percentage) * 100))}%.`;
  const title = rule ? `Rule for ${metricNames[rule.anomaly_type]}` : 'New rule';
  const text = (field: 'buffer' | 'period' | 'unit') => (control: object) => (
    <input
      {...control}
      className="in num"
      autoComplete="off"
      value={draft[field]}
      onChange={(event) => {
        set({ [field]: event.target.value });
      }}
    />
  );
  return (
    <SidePanel
      label={title}
      isNew={rule === undefined}
      width="slim"
      head={<h2 className="ttl">{title}</h2>}
      onClose={onClose}
      actions={
        <>
          <Button kind="primary" type="submit" form="anomaly-rule" reason={reason} busy={act.isPending && 'Saving'}>
            {rule ? 'Save rule' : 'Add rule'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <Form
        id="anomaly-rule"
        className="stack"
        onSubmit={() => {
          setTried(true);
          if (Object.keys(found).length > 0) return;
          act.mutate(rule ? { kind: 'change', rule, draft } : { kind: 'add', draft }, { onSuccess: onClose });
        }}
      >
        {rule ? (
          <p className="muted">{accounts.find(({ id }) => id === draft.account)?.account_name}</p>
        ) : (
          <>
            <Field label="Account">
              {(control) => (
                <select
                  {...control}
                  className="sel"
                  value={draft.account}
                  onChange={(event) => {
                    set({ account: event.target.value });
                  }}
                >
                  {accounts.map(({ id, account_name: name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field
              label="Metric"
              help={template && `${template.description} ${suggested ?? ''}`}
              error={problems.metric}
            >
              {(control) => (
                <select
                  {...control}
                  className="sel"
                  value={draft.metric}
                  onChange={(event) => {
                    set({ metric: event.target.value as Metric });
                  }}
                >
                  {Object.entries(metricNames).map(([metric, name]) => (
                    <option key={metric} value={metric}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </>
        )}
        <Field label="Anomaly when it is">
          {(control) => (
            <select
              {...control}
              className="sel"
              value={draft.operator}
              onChange={(event) => {
                set({ operator: event.target.value as Operator });
              }}
            >
              {Object.entries(operatorNames).map(([operator, name]) => (
                <option key={operator} value={operator}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="By percent" setting="buffer_percentage" error={problems.buffer}>
          {text('buffer')}
        </Field>
        <Field
          label="Reference"
          setting="reference_unit"
          help="How to calculate it from earlier values, such as P99."
          error={problems.unit}
        >
          {text('unit')}
        </Field>
        <Field
          label="Lookback"
          setting="reference_period"
          help="Hours, days or weeks: 12h, 7d, 1w."
          error={problems.period}
        >
          {text('period')}
        </Field>
        {act.error && (
          <p className="err" role="alert">
            {act.error.message}
          </p>
        )}
      </Form>
    </SidePanel>
  );
}
