import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleHelp } from 'lucide-react';
import { useId, useState } from 'react';
import { decideImport, expectEndAgain, readImport, readSameQuestion } from '@/api';
import type { ApiError, Choice, ChoiceName, Decision, ImportStatus, SameQuestion } from '@/api';
import { Button, Check, Status, dateTime, money, subtract, useNow } from '@/shared';
import { periodName } from './sums';
import { choiceHelp, choiceName, isAboutFile, reasonTitle } from './decisions';
import { ChoiceList, isList } from './ChoiceList';
import { MapColumns } from './mapping/MapColumns';
import { useReadOnly } from './readOnly';
import { works } from './works';

/** Asks how a file affects stored costs if that is ambiguous: both totals side by side, with one button each. */
export function DecisionCard({ id, name, decision: heard }: { id: string; name: string; decision: Decision }) {
  const title = useId();
  const reason = useReadOnly();
  const client = useQueryClient();
  const [forAll, setForAll] = useState(false);
  const same = useQuery<SameQuestion, ApiError>({
    queryKey: ['import', id, 'same question'],
    queryFn: ({ signal }) => readSameQuestion(id, signal),
    enabled: reason === undefined && !heard.decided && isAboutFile(heard.reason),
    retry: false,
  });
  const others = same.data?.file_names ?? [];
  // Other imports may change stored costs meanwhile: the service recalculates the totals.
  const current = useQuery<ImportStatus, ApiError>({
    queryKey: ['import', id, 'question'],
    queryFn: ({ signal }) => readImport(id, signal),
    enabled: !heard.decided,
    refetchInterval: 10_000,
    retry: false,
  });
  const read = current.data?.state === 'needs_decision' ? current.data.report?.decision : null;
  // Totals loaded before the decision are outdated.
  const decision = heard.decided ? heard : (read ?? heard);
  const decide = useMutation<unknown, ApiError, ChoiceName>({
    mutationFn: (choice) => decideImport(id, choice, forAll),
    onSuccess: async () => {
      expectEndAgain(id);
      const status = await readImport(id);
      works.takeUp([{ id, name: status.file_name, size: status.size_bytes }]);
      works.renew(status);
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['import'] });
      void client.invalidateQueries({ queryKey: ['graphql'] });
    },
  });
  if (decision.decided) return <Decided decision={decision} />;
  const several = new Set(decision.choices.flatMap((one) => one.totals.map(({ currency }) => currency))).size > 1;
  return (
    <section className="decision" aria-labelledby={title}>
      <div className="row start">
        <CircleHelp className="i" />
        <div className="grow">
          <h3 className="strong" id={title}>
            {reasonTitle(decision.reason)}
          </h3>
          <p>{decision.question}</p>
          <p className="small mono cut">{name}</p>
          <p className="small muted">Nothing changes until someone chooses.</p>
        </div>
      </div>
      {decision.reason === 'mapping' && <MapColumns id={id} name={name} />}
      {others.length > 0 && (
        <Check
          label={
            others.length === 1
              ? `Use the same answer for ${others[0] ?? ''}, which also waits for it`
              : `Use the same answer for the ${String(others.length)} other waiting files of this import`
          }
          checked={forAll}
          onChange={setForAll}
        />
      )}
      {isList(decision.choices) ? (
        <ChoiceList
          of={decision.reason}
          choices={decision.choices}
          reason={reason}
          isBusy={decide.isPending}
          onChoose={(choice) => {
            decide.mutate(choice);
          }}
        />
      ) : (
        <div className="choices">
          {decision.choices.map((choice) => (
            <ChoicePanel
              key={choice.choice}
              name={name}
              choice={choice}
              several={several}
              reason={reason}
              disabled={decide.isPending && decide.variables !== choice.choice}
              isBusy={decide.isPending && decide.variables === choice.choice}
              onChoose={() => {
                decide.mutate(choice.choice);
              }}
            />
          ))}
        </div>
      )}
      {decide.error && (
        <p role="alert">
          <Status tone="bad">{decide.error.message}</Status>
        </p>
      )}
    </section>
  );
}

function ChoicePanel({
  name,
  choice,
  several,
  reason,
  disabled,
  isBusy,
  onChoose,
}: {
  name: string;
  choice: Choice;
  several: boolean;
  reason: string | undefined;
  disabled: boolean;
  isBusy: boolean;
  onChoose: () => void;
}) {
  const title = choiceName(choice.choice, choice.label);
  return (
    <section className="choice" aria-label={title}>
      <h4 className="strong">{title}</h4>
      <p className="small muted">{choiceHelp(choice.choice)}</p>
      {choice.totals.length > 0 && (
        <table className="tbl compact">
          <thead>
            <tr>
              <th scope="col">Period</th>
              <th scope="col" className="n">
                Now
              </th>
              <th scope="col" className="n">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {choice.totals.map((total) => (
              <tr key={`${total.period} ${total.currency}`}>
                <td>{periodName(total.period)}</td>
                <td className="n muted" title={`${total.before} ${total.currency}`}>
                  {money(total.before, total.currency, { several })}
                </td>
                <td className="n" title={`${total.after} ${total.currency}`}>
                  <b>{money(total.after, total.currency, { several })}</b>
                  <span className="micro muted block">
                    {money(subtract(total.after, total.before), total.currency, { several, sign: true })}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button
        reason={reason}
        disabled={disabled}
        busy={isBusy && 'Saving'}
        aria-label={`${title}: ${name}`}
        onClick={onChoose}
      >
        {title}
      </Button>
    </section>
  );
}

/** The answer to a question, with user and time. */
export function Decided({ decision: { choices, decided, reason } }: { decision: Decision }) {
  const now = useNow();
  if (!decided) return null;
  const label = choices.find((one) => one.choice === decided.choice)?.label ?? decided.choice;
  return (
    <p className="small muted" title={reasonTitle(reason)}>
      {decided.by ?? 'The command line'} chose “{choiceName(decided.choice, label)}”, {dateTime(decided.at, now)}.
    </p>
  );
}
