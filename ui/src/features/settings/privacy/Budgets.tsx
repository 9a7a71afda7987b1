import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useGraphQL } from '@/api';
import { Button, Content, Panel, Status, count, money, month, plural } from '@/shared';
import { LimitsDialog } from './LimitsDialog';
import { Prices } from './Prices';
import { Budgets as Query } from './queries';
import type { Account, Level, Whose } from './queries';
import { UseTable } from './UseTable';
import { shareOf, stateOf } from './wording';

interface Line {
  title: string;
  about: string;
  level: Level;
  whose: Whose;
}

/** Limits of model use, usage by person and model, and prices. */
export function Budgets({ account, readOnly }: { account: Account; readOnly: string | undefined }) {
  const budgets = useGraphQL(Query, { account: account.id });
  const [changed, setChanged] = useState<Line | null>(null);
  return (
    <Content of={budgets} what="The budgets could not be read">
      {({ ai_budget_status: status, ai_list_usage: usage, ai_list_prices: prices }) => {
        const data = status?.data;
        if (!data) return null;
        const unpriced = ((status.err ?? []) as { message: string }[]).length;
        const line = (title: string, about: string, type: Whose['type'], module: Whose['module']): Line => ({
          title,
          about,
          level: data[module][type],
          whose: { type, module, id: type === 'tenant' ? data.tenant_id : data.account_id },
        });
        const lines = [
          line('The whole tenant', 'All conversations', 'tenant', 'user_investigation'),
          line('The whole tenant', 'Started by events', 'tenant', 'investigation'),
          line(account.account_name, 'All conversations', 'account', 'user_investigation'),
          line(account.account_name, 'Started by events', 'account', 'investigation'),
        ];
        return (
          <div className="stack privacy wide">
            <Panel title="Limits" meta={month(`${data.period}-01`)}>
              <div className="tw">
                <table className="tbl model-budgets">
                  <thead>
                    <tr>
                      <th scope="col">Of</th>
                      <th scope="col">Cost of the month</th>
                      <th scope="col">Of today</th>
                      <th scope="col" className="num">
                        Conversations
                      </th>
                      <th scope="col">State</th>
                      <th scope="col">
                        <span className="sr">Change</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {lines.map((one) => (
                      <Row
                        key={`${one.title} ${one.about}`}
                        line={one}
                        readOnly={readOnly}
                        onChange={() => {
                          setChanged(one);
                        }}
                      />
                    ))}
                  </tbody>
                </table>
              </div>
              <p className="help inside">
                Questions are sent only while no limit is reached. When one is reached, the assistant shows which one
                and nothing is sent; GraphQL and HTTP return 429. Amounts are in the currency of the prices below.
              </p>
            </Panel>
            {unpriced > 0 && (
              <div className="note warn" role="status">
                <div className="grow">
                  {plural(unpriced, 'model')} used this month {unpriced === 1 ? 'has' : 'have'} no price, so{' '}
                  {unpriced === 1 ? 'its' : 'their'} cost is not counted. Set it under Prices; the limits then also
                  count earlier requests.
                </div>
              </div>
            )}
            <UseTable title="Used by" head="Person" of={usage?.data?.people ?? []} />
            <UseTable title="Used of" head="Model" of={usage?.data?.models ?? []} isModel />
            <Prices
              account={account.id}
              prices={prices?.data ?? []}
              used={usage?.data?.models ?? []}
              readOnly={readOnly}
            />
            {changed && (
              <LimitsDialog
                title={`${changed.title}, ${changed.about.toLowerCase()}`}
                level={changed.level}
                whose={changed.whose}
                onClose={() => {
                  setChanged(null);
                }}
              />
            )}
          </div>
        );
      }}
    </Content>
  );
}

function Row({ line, readOnly, onChange }: { line: Line; readOnly: string | undefined; onChange: () => void }) {
  const { level, title, about } = line;
  const state = stateOf(level);
  const sessions = (used: number, limit: number | null) =>
    `${count(used)}${limit === null ? '' : ` of ${count(limit)}`}`;
  return (
    <tr>
      <th scope="row">
        <b>{title}</b>
        <span className="small muted block">
          {about}
          {level.limit_source === 'config' && ', set here'}
        </span>
      </th>
      <td>
        <Bar
          used={level.current_usage}
          limit={level.budget_enabled ? level.budget_limit : null}
          isOff={level.budget_disabled}
        />
      </td>
      <td>
        <Bar used={level.daily_usage} limit={level.daily_limit} isOff={level.budget_disabled} />
      </td>
      <td className="num">
        {sessions(level.sessions, level.budget_disabled ? null : level.session_limit)}
        <span className="small muted block">
          today {sessions(level.daily_sessions, level.budget_disabled ? null : level.daily_session_limit)}
        </span>
      </td>
      <td>
        <Status tone={state.tone}>{state.word}</Status>
      </td>
      <td className="act">
        <Button
          size="small"
          kind="quiet"
          iconOnly
          aria-label={`Change the limits of ${title}, ${about.toLowerCase()}`}
          reason={readOnly}
          onClick={onChange}
        >
          <Pencil className="i s" />
        </Button>
      </td>
    </tr>
  );
}

function Bar({ used, limit, isOff }: { used: string | number; limit: string | number | null; isOff: boolean }) {
  const share = isOff || limit === null ? 0 : shareOf(used, limit);
  return (
    <>
      <span className="num">
        {money(used, null)}
        {!isOff && limit !== null && <span className="muted"> of {money(limit, null)}</span>}
      </span>
      {!isOff && limit !== null && (
        <span className={share >= 1 ? 'prog bad' : share >= 0.8 ? 'prog warn' : 'prog'} aria-hidden="true">
          <i style={{ width: `${String(share * 100)}%` }} />
        </span>
      )}
    </>
  );
}
