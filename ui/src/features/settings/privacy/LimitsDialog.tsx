import { useState } from 'react';
import { Button, Check, Dialog, Field, Form, Status, toast } from '@/shared';
import { useAct } from './queries';
import type { Level, NewLimits, Whose } from './queries';
import { problemOfLimit } from './limits';

type Name = Exclude<keyof NewLimits, 'disabled'>;

const fields: readonly { name: Name; label: string; isCount?: boolean }[] = [
  { name: 'monthly', label: 'Cost of a month' },
  { name: 'daily', label: 'Cost of a day' },
  { name: 'sessions', label: 'Conversations of a month', isCount: true },
  { name: 'dailySessions', label: 'Conversations of a day', isCount: true },
];

const text = (value: string | number | null) => (value === null ? null : String(value));

/** Limits of one level; an empty one limits nothing. */
export function LimitsDialog({
  title,
  level,
  whose,
  onClose,
}: {
  title: string;
  level: Level;
  whose: Whose;
  onClose: () => void;
}) {
  const [limits, setLimits] = useState<NewLimits>({
    disabled: level.budget_disabled,
    monthly: level.budget_enabled ? text(level.budget_limit) : null,
    daily: text(level.daily_limit),
    sessions: text(level.session_limit),
    dailySessions: text(level.daily_session_limit),
  });
  const [tried, setTried] = useState(false);
  const act = useAct();
  const problems = fields.map(({ name, isCount }) => problemOfLimit(limits[name], isCount ?? false));
  const done = (words: string) => {
    toast({ tone: 'ok', text: words });
    onClose();
  };
  const save = () => {
    setTried(true);
    if (!limits.disabled && problems.some(Boolean)) return;
    act.mutate(
      { act: 'limits', whose, limits },
      {
        onSuccess: () => {
          done('Saved the limits');
        },
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change limits"
      help={`${title}. An empty field means no limit.`}
      actions={
        <>
          {level.limit_source === 'config' && (
            <Button
              kind="quiet"
              disabled={act.isPending}
              onClick={() => {
                act.mutate(
                  { act: 'no limits', whose },
                  {
                    onSuccess: () => {
                      done('The limits of the service apply again');
                    },
                  },
                );
              }}
            >
              Use the limits of the service
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="limits" busy={act.isPending && 'Saving'}>
            Save
          </Button>
        </>
      }
    >
      <Form id="limits" className="stack" onSubmit={save}>
        <Check
          label="No limits are set here"
          checked={limits.disabled}
          onChange={(disabled) => {
            setLimits({ ...limits, disabled });
          }}
        />
        <div className="fields two">
          {fields.map(({ name, label }, at) => (
            <Field key={name} label={label} error={tried && !limits.disabled ? problems[at] : undefined}>
              {(control) => (
                <input
                  {...control}
                  className="in num"
                  inputMode="decimal"
                  autoComplete="off"
                  placeholder="No limit"
                  disabled={limits.disabled}
                  value={limits[name] ?? ''}
                  onChange={(event) => {
                    setLimits({
                      ...limits,
                      [name]: event.target.value.trim() === '' ? null : event.target.value.trim(),
                    });
                  }}
                />
              )}
            </Field>
          ))}
        </div>
        {act.error && (
          <div role="alert" className="refusal">
            <Status tone="bad">{act.error.message}</Status>
          </div>
        )}
      </Form>
    </Dialog>
  );
}
