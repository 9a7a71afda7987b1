import { useQueryClient } from '@tanstack/react-query';
import { Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { request, useGraphQL, useSession, useWhyNot } from '@/api';
import { Button, Content, Fact, SidePanel, Toggle, count, dateTimeZone, plural, toast, useNow } from '@/shared';
import type { Row } from '../row';
import { AnomalyRules, JudgeAgain } from './queries';
import { RuleForm } from './RuleForm';
import { metricNames, ruleWords } from './rule';
import { useRuleActs } from '../useRuleActs';

/** The detection rules: fixed ones for costs, and user-defined ones for metrics. */
export function RulesPanel({
  rows,
  open,
  onOpen,
  onClose,
}: {
  rows: readonly Row[];
  /** `list`, `new` or the id of the rule that is changed. */
  open: string;
  onOpen: (open: string) => void;
  onClose: () => void;
}) {
  const query = useGraphQL(AnomalyRules, {});
  const now = useNow();
  const { act, reason } = useRuleActs();
  const rules = query.data?.anomaly_config;
  const accounts = query.data?.cloud_accounts ?? [];
  const names = new Map(accounts.map(({ id, account_name: name }) => [id, name]));
  const compared = new Map(query.data?.anomaly.map(({ config_id: id, evaluated_at: at }) => [id, at]));
  const rule = rules?.find(({ id }) => id === open);
  const back = () => {
    act.reset();
    onOpen('list');
  };
  if (rules && (rule || (open === 'new' && accounts.length > 0)))
    return (
      <RuleForm key={open} rule={rule} rules={rules} accounts={accounts} reason={reason} act={act} onClose={back} />
    );
  return (
    <SidePanel
      label="Detection rules"
      width="slim"
      head={<h2 className="ttl">Detection rules</h2>}
      onClose={onClose}
      actions={
        <Button
          size="small"
          reason={
            reason ?? (rules && accounts.length === 0 ? 'Rules need an account, and there is none yet' : undefined)
          }
          onClick={() => {
            onOpen('new');
          }}
        >
          <Plus className="i s" />
          Add metric rule
        </Button>
      }
    >
      <CostRules rows={rows} />
      <section className="sec" aria-label="Metrics">
        <h3>Metrics</h3>
        <p className="small muted">
          After every import and rule change, metrics and event counts are compared with the same hour of earlier days
          (or day with day). A rule sets the account, the direction and how far a value must be from its reference.
        </p>
        <Content of={{ ...query, data: rules }} what="Rules could not be read" lines={3}>
          {(all) =>
            all.length === 0 ? (
              <p className="muted">No rules for metrics yet.</p>
            ) : (
              <ul className="rules">
                {all.map((one) => (
                  <li key={one.id} className="split">
                    <span className="grow">
                      <button
                        type="button"
                        className="link"
                        onClick={() => {
                          onOpen(one.id);
                        }}
                      >
                        {ruleWords(one)}
                      </button>
                      <span className="small muted block">
                        {names.get(one.cloud_account_id) ?? one.cloud_account_id},{' '}
                        {foundWords(compared.get(one.id), now)}
                      </span>
                    </span>
                    <Toggle
                      label={`Rule for ${metricNames[one.anomaly_type]} of ${names.get(one.cloud_account_id) ?? ''}`}
                      on={one.enabled}
                      reason={reason}
                      onChange={() => {
                        act.mutate(
                          { kind: 'switch', rule: one },
                          {
                            onError: ({ message }) => {
                              toast({ tone: 'bad', text: `The rule was not changed: ${message}` });
                            },
                          },
                        );
                      }}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Content>
      </section>
    </SidePanel>
  );
}

function foundWords(at: string | undefined, now: Date): string {
  return at === undefined ? 'nothing found' : `found last ${dateTimeZone(at, now)}`;
}

/** Detection of cost anomalies. Its parameters are fixed; every anomaly shows the numbers behind it. */
function CostRules({ rows }: { rows: readonly Row[] }) {
  const client = useQueryClient();
  const session = useSession().data;
  const lack = useWhyNot()({ fields: ['spend_anomalies_analyse'] });
  const [busy, setBusy] = useState(false);
  const mayRun = !session || session.roles.includes('tenant_admin');
  const found = new Map<string, number>();
  for (const { reference } of rows.filter(({ kind }) => kind === 'cost'))
    found.set(reference.rule, (found.get(reference.rule) ?? 0) + 1);
  const run = async () => {
    setBusy(true);
    try {
      const { spend_anomalies_analyse: done } = await request(JudgeAgain, {});
      await client.invalidateQueries({ queryKey: ['graphql'] });
      if (done)
        toast({
          tone: 'ok',
          text: `Checked ${plural(done.series, 'series', 'series')}: ${count(done.added)} new, ${count(done.updated)} changed, ${count(done.removed)} removed`,
        });
    } catch (error) {
      toast({ tone: 'bad', text: `Costs were not checked: ${(error as Error).message}` });
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="sec" aria-label="Costs">
      <div className="split">
        <h3>Costs</h3>
        <Button
          size="small"
          busy={busy && 'Checking'}
          reason={lack ?? (mayRun ? undefined : 'Checking all costs needs the role tenant_admin')}
          onClick={() => {
            void run();
          }}
        >
          <RefreshCw className="i s" />
          Check costs again
        </Button>
      </div>
      <dl className="kv">
        <Fact name="Checked">
          each service of each account (by the hour where files have hours), each value of a virtual tag, and the total
          of a currency
        </Fact>
        <Fact name="When">after every import</Fact>
        <Fact name="Version" mono>
          {rows.find(({ kind }) => kind === 'cost')?.stored.rule_version}
        </Fact>
        {[...found].sort().map(([name, times]) => (
          <Fact key={name} name={plural(times, 'anomaly', 'anomalies')}>
            {`Rule ${name}`}
          </Fact>
        ))}
      </dl>
      <p className="small muted">
        These rules are fixed; each anomaly shows the numbers behind it. Your verdicts tune them: after a false alarm,
        the threshold of the series rises by half. Expected costs are not reported until their last day, and are checked
        again after it.
      </p>
    </section>
  );
}
