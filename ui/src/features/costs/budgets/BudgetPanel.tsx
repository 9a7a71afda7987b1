import { Info } from 'lucide-react';
import { useId } from 'react';
import { Field, Filters, Form, SidePanel, Status, addDays, compare, date, money, ratio, share, useNow } from '@/shared';
import type { FilterField } from '@/shared';
import { DraftActions } from '../DraftActions';
import { useDraft } from '../useDraft';
import { AccountShares } from './AccountShares';
import { BurnDown } from './BurnDown';
import { Earlier } from './Earlier';
import { draftOf, newDraft, problemsOf } from './draft';
import type { Threshold } from './draft';
import { forHowLong, forecastOf, hasEnded, isFunding, standOf } from './stand';
import type { Budget } from './queries';
import { reachedWith } from './spread';
import { Thresholds } from './Thresholds';
import { useBudgetActs } from './useBudgetActs';
import { ForecastDerivation } from './ForecastDerivation';
import { words } from './words';

const periods = ['month', 'quarter', 'year'] as const;
const panel = words.panel;

/** One budget: its use over time, and the form to edit it. */
export function BudgetPanel({
  budget,
  currency,
  several,
  fields,
  onClose,
  onDone,
}: {
  /** Undefined for one that is being added. */
  budget: Budget | undefined;
  /** The currency of a new budget. */
  currency: string;
  several: boolean;
  fields: readonly FilterField[];
  onClose: () => void;
  onDone: (id: string | null) => void;
}) {
  const form = useId();
  const now = useNow();
  const stored = budget ? draftOf(budget) : newDraft(currency);
  const { act, reason } = useBudgetActs();
  const given = budget !== undefined && isFunding(budget);
  const isElsewhere = given || (budget !== undefined && budget.account_id !== null);
  const isFixed = reason !== undefined || isElsewhere;
  const drafted = useDraft({
    stored,
    problemsOf,
    isFixed,
    isPending: act.isPending,
    command: { id: 'budget-save', title: panel.save },
    onSave: (draft) => {
      act.mutate(budget ? { kind: 'change', budget, draft } : { kind: 'add', draft }, { onSuccess: onDone });
    },
  });
  const { draft, set, shown, problems, save } = drafted;
  const isChanged =
    draft.amount !== stored.amount || JSON.stringify(draft.thresholds) !== JSON.stringify(stored.thresholds);
  const known = budget?.days.findLast((day) => !day.is_forecast)?.date ?? null;
  return (
    <SidePanel
      label={panel.label}
      isNew={budget === undefined}
      width="slim"
      onClose={onClose}
      head={
        <>
          {budget && (
            <div className="row">
              {budget.crossed_on === null ? (
                <Stand budget={budget} several={several} />
              ) : (
                <span className="badge bad">{panel.since(date(budget.crossed_on, now))}</span>
              )}
              <span className="small muted">{endWords(budget, now)}</span>
            </div>
          )}
          <h2 className="ttl">{budget?.name ?? panel.newTitle}</h2>
        </>
      }
      actions={
        !isFixed && (
          <DraftActions
            words={panel}
            of={drafted}
            isPending={act.isPending}
            onRemove={
              budget &&
              (() => {
                act.mutate({ kind: 'remove', budget }, { onSuccess: onDone });
              })
            }
            form={form}
          />
        )
      }
    >
      {budget && budget.days.length > 0 && <BurnDown budget={budget} several={several} />}
      {budget && budget.accounts.length > 0 && <AccountShares budget={budget} several={several} />}
      {budget && <Earlier budget={budget} several={several} />}
      {budget && <ForecastDerivation budget={budget} several={several} />}
      {budget && <Basis budget={budget} several={several} />}
      <Form id={form} className="stack" onSubmit={save}>
        {!isElsewhere && (
          <Field label={panel.name} help={panel.nameHelp} error={shown.name}>
            {(control) => (
              <input
                {...control}
                className="in"
                value={draft.name}
                disabled={isFixed}
                onChange={(event) => {
                  set({ name: event.target.value });
                }}
              />
            )}
          </Field>
        )}
        <Field
          label={panel.amount(given ? forHowLong(budget, now) : words.per[draft.period])}
          help={budget && draft.amount !== stored.amount ? panel.was(money(budget.amount, budget.currency)) : undefined}
          error={shown.amount ?? shown.currency}
        >
          {(control) => (
            <span className="join">
              <input
                className="in currency-code"
                aria-label={panel.currency}
                value={draft.currency}
                disabled={isFixed}
                maxLength={3}
                onChange={(event) => {
                  set({ currency: event.target.value.toUpperCase() });
                }}
              />
              <input
                {...control}
                className="in grow num"
                inputMode="decimal"
                autoComplete="off"
                value={draft.amount}
                disabled={isFixed}
                onChange={(event) => {
                  set({ amount: event.target.value });
                }}
              />
            </span>
          )}
        </Field>
        {!isElsewhere && (
          <>
            <Field label={panel.period}>
              {(control) => (
                <select
                  {...control}
                  className="sel"
                  value={draft.period}
                  disabled={isFixed}
                  onChange={(event) => {
                    set({ period: periods.find((one) => one === event.target.value) ?? 'month' });
                  }}
                >
                  {periods.map((period) => (
                    <option key={period} value={period}>
                      {words.periods[period]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <section className="sec">
              <h3>{panel.scope}</h3>
              <div className="row wrap">
                <Filters
                  fields={fields}
                  value={draft.scope}
                  onChange={(scope) => {
                    // Budgets store only inclusive filters; "is none of" is not supported.
                    if (!isFixed) set({ scope: scope.map(({ field, values }) => ({ field, values })) });
                  }}
                />
              </div>
              <p className="small muted">{panel.scopeHelp}</p>
            </section>
          </>
        )}
        <Thresholds
          value={draft.thresholds}
          told={budget?.thresholds ?? []}
          known={known}
          problem={shown.thresholds}
          disabled={isFixed}
          onChange={(thresholds) => {
            set({ thresholds });
          }}
        />
      </Form>
      {budget && isElsewhere && <p className="small muted">{panel[whose(budget)]}</p>}
      {budget && isChanged && !problems.amount && !problems.thresholds && (
        <WithChange budget={budget} amount={draft.amount.trim()} thresholds={draft.thresholds} />
      )}
      {act.error && (
        <div role="alert">
          <Status tone="bad">{act.error.message}</Status>
        </div>
      )}
    </SidePanel>
  );
}

function Stand({ budget, several }: { budget: Budget; several: boolean }) {
  const { tone, text } = standOf(budget, several);
  return <Status tone={tone}>{text}</Status>;
}

/** When its period ends, or ended. */
function endWords(budget: Budget, now: Date): string {
  if (hasEnded(budget)) return panel.ended(date(budget.until, now));
  return isFunding(budget) ? panel.ends(date(budget.until, now)) : panel.resets(date(addDays(budget.until, 1), now));
}

/** The origin of a budget that cannot be edited here. */
function whose({ business_unit_id: unit, project_id: project }: Budget): 'ofAccount' | 'ofProject' | 'ofUnit' {
  if (unit !== null) return 'ofUnit';
  return project === null ? 'ofAccount' : 'ofProject';
}

/** The basis of the forecast, and the amounts that do not count. */
function Basis({ budget, several }: { budget: Budget; several: boolean }) {
  const { accuracy, low, high, currency, message, other_currencies: others } = budget;
  const method = accuracy?.method ? panel.method[accuracy.method] : undefined;
  const amount = (value: typeof low) => money(value, currency, { several, whole: true });
  const isBand = low !== null && high !== null && compare(low, high) < 0;
  return (
    <div className="small muted stack tight">
      {message !== null && <p>{message}</p>}
      {method !== undefined && accuracy?.mape != null && <p>{panel.basis(method, share(Number(accuracy.mape)))}</p>}
      {isBand && <p>{panel.band(amount(low), amount(high))}</p>}
      {others.length > 0 && (
        <p>
          {panel.others} {others.map((other) => money(other.amount, other.currency, { several: true })).join(', ')}
        </p>
      )}
    </div>
  );
}

/** The effect of another amount or other thresholds on the shares and on the days so far. */
function WithChange({
  budget,
  amount,
  thresholds,
}: {
  budget: Budget;
  amount: string;
  thresholds: readonly Threshold[];
}) {
  const now = useNow();
  if (budget.spent === null) return null;
  const reached = reachedWith(budget, amount, thresholds).map(
    ({ percent, date: day }) => `${percent}% on ${date(day, now)}`,
  );
  const expected = forecastOf(budget);
  const forecast = expected === null ? null : share(ratio(expected, amount));
  const { wouldReach, wouldReachNone, wouldHaveReached, wouldHaveReachedNone } = panel;
  const [some, none] = hasEnded(budget) ? [wouldHaveReached, wouldHaveReachedNone] : [wouldReach, wouldReachNone];
  return (
    <div className="note" role="status">
      <Info className="i" />
      <div className="grow">
        <div className="t">{panel.withChange}</div>
        <div className="muted">
          {panel.wouldBe(share(ratio(budget.spent, amount)), forecast)}{' '}
          {reached.length > 0 ? some(reached.join(', ')) : none}
        </div>
      </div>
    </div>
  );
}
