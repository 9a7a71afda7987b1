import { useState } from 'react';
import { Button, Field, Form, Panel, dateOf, toast, useNow, utcTimeHere } from '@/shared';
import { Encryption } from './Encryption';
import { minutesOf, timeOf } from './contents';
import { useSaveSchedule } from './queries';
import type { Backups, Schedule } from './queries';

/** When automatic backups are taken, how long they are kept, and whether they are encrypted. */
export function ScheduleForm({ data }: { data: Backups }) {
  const now = useNow();
  const save = useSaveSchedule();
  const [every, setEvery] = useState(data.schedule.every);
  const [at, setAt] = useState(timeOf(data.schedule.at));
  const [days, setDays] = useState(String(data.schedule.keep_days));
  const [copies, setCopies] = useState(String(data.schedule.keep_copies));
  const minutes = minutesOf(at);
  const whole = (text: string) => (/^[1-9]\d{0,3}$/.test(text.trim()) ? Number(text) : null);
  const [keepDays, keepCopies] = [whole(days), whole(copies)];
  const wanted: Schedule | null =
    minutes === null || keepDays === null || keepCopies === null
      ? null
      : { every, at: minutes, keep_days: keepDays, keep_copies: keepCopies };
  const parts = ['every', 'at', 'keep_days', 'keep_copies'] as const;
  // With an invalid value, Save focuses it.
  const isSame = wanted !== null && parts.every((part) => wanted[part] === data.schedule[part]);
  return (
    <Panel
      title="Schedule"
      meta={data.saved_at ? `saved by ${data.saved_by ?? 'somebody'}, ${dateOf(data.saved_at, now)}` : 'never saved'}
      padded
    >
      <Form
        className="stack"
        onSubmit={() => {
          if (!wanted) return;
          save.mutate(wanted, {
            onSuccess: () => {
              toast({ tone: 'ok', text: 'Schedule saved' });
            },
          });
        }}
      >
        <div className="fields backupfields">
          <Field label="Every">
            {(control) => (
              <select
                {...control}
                className="sel"
                value={every}
                onChange={(event) => {
                  setEvery(event.target.value as Schedule['every']);
                }}
              >
                <option value="never">Never</option>
                <option value="day">Day</option>
                <option value="week">Week, on Sunday</option>
              </select>
            )}
          </Field>
          <Field
            label="At, UTC"
            help={utcTimeHere(at, now)}
            error={minutes === null ? 'Hours and minutes, such as 02:00' : undefined}
          >
            {(control) => (
              <input
                {...control}
                className="in"
                value={at}
                onChange={(event) => {
                  setAt(event.target.value);
                }}
              />
            )}
          </Field>
          <Field label="Keep, days" error={keepDays === null ? 'A number from 1' : undefined}>
            {(control) => (
              <input
                {...control}
                className="in"
                inputMode="numeric"
                value={days}
                onChange={(event) => {
                  setDays(event.target.value);
                }}
              />
            )}
          </Field>
          <Field label="Keep, copies at most" error={keepCopies === null ? 'A number from 1' : undefined}>
            {(control) => (
              <input
                {...control}
                className="in"
                inputMode="numeric"
                value={copies}
                onChange={(event) => {
                  setCopies(event.target.value);
                }}
              />
            )}
          </Field>
        </div>
        <p className="help">
          The newest verified backup is always kept. Backups are in <span className="mono">{data.folder}</span>; a
          folder on another disk (backup_dir) survives the loss of this one.
        </p>
        {save.error && (
          <p className="err" role="alert">
            {save.error.message}
          </p>
        )}
        <div className="row">
          <Button type="submit" disabled={isSame} busy={save.isPending && 'Saving'}>
            Save schedule
          </Button>
        </div>
      </Form>
      <Encryption data={data} />
    </Panel>
  );
}
