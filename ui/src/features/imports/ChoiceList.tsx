import { useState } from 'react';
import type { Choice, ChoiceName, DecisionReason } from '@/api';
import { Button, Field } from '@/shared';
import { choiceName, listOf } from './decisions';

/** From this number of choices on, a list is used instead of columns. */
const many = 4;

/** Whether choices are better shown as a list, such as currencies. */
export function isList(choices: readonly Choice[]): boolean {
  return choices.length > many && choices.every(({ totals }) => totals.length === 0);
}

/** One of many choices with a button; disabled until one is chosen. */
export function ChoiceList({
  of,
  choices,
  reason,
  isBusy,
  onChoose,
}: {
  of: DecisionReason;
  choices: readonly Choice[];
  reason: string | undefined;
  isBusy: boolean;
  onChoose: (choice: ChoiceName) => void;
}) {
  const [name, setName] = useState<string>('');
  const chosen = choices.find(({ choice }) => choice === name);
  const { label, button } = listOf(of);
  const wanted = chosen ? undefined : `Choose the ${label.toLowerCase()} first`;
  return (
    <div className="row end wrap currency">
      <Field label={label}>
        {(control) => (
          <select
            {...control}
            className="sel"
            value={name}
            onChange={(event) => {
              setName(event.target.value);
            }}
          >
            <option value="">Choose one</option>
            {choices.map(({ choice, label }) => (
              <option key={choice} value={choice}>
                {choiceName(choice, label)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button
        kind="primary"
        reason={reason ?? wanted}
        busy={isBusy && 'Saving'}
        onClick={() => {
          if (chosen) onChoose(chosen.choice);
        }}
      >
        {chosen ? button(choiceName(chosen.choice, chosen.label)) : 'Import'}
      </Button>
      {wanted && !reason && <span className="small muted">{wanted}</span>}
    </div>
  );
}
