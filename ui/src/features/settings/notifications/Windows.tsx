import { useState } from 'react';
import { useWhyNot } from '@/api';
import { Button, Check, Field, Form, Panel, plural, toast, useNow, utcTimeHere } from '@/shared';
import { useAdminOnly } from '../adminOnly';
import { useDeleteWindow, usePutWindow } from './queries';
import type { Window } from './queries';
import { daysOf, windowText } from './window';
import { weekdays, words } from './words';

/** Weekly maintenance windows without notices. */
export function Windows({ rows }: { rows: readonly Window[] | undefined }) {
  const [isAdding, setAdding] = useState(false);
  const put = usePutWindow();
  const remove = useDeleteWindow();
  const now = useNow();
  const whyNot = useWhyNot()({ fields: ['insert_notice_window_one', 'delete_notice_window_by_pk'] });
  const reason = useAdminOnly() ?? whyNot;
  const failed = (problem: Error) => {
    toast({ tone: 'bad', text: problem.message });
  };
  const takeAway = (window: Window) => {
    const putBack = () => {
      put.mutate({ ...window, days: daysOf(window) }, { onError: failed });
    };
    remove.mutate(window.id, {
      onSuccess: () => {
        toast({ tone: 'ok', text: `Removed ${window.name}`, action: { label: 'Undo', run: putBack } });
      },
      onError: failed,
    });
  };
  return (
    <Panel
      title={words.windows}
      meta={rows && plural(rows.length, 'window')}
      actions={
        <Button
          size="small"
          reason={reason}
          onClick={() => {
            setAdding(!isAdding);
          }}
        >
          {isAdding ? 'Close' : 'Add window…'}
        </Button>
      }
    >
      <p className="small muted padded">{words.windowsHelp}</p>
      {isAdding && (
        <WindowForm
          onDone={() => {
            setAdding(false);
          }}
        />
      )}
      {rows?.length === 0 && !isAdding && <p className="small faint padded">{words.noWindow}</p>}
      <ul>
        {rows?.map((window) => (
          <li key={window.id} className="li">
            <div className="grow">
              <div className="t">{window.name}</div>
              <div className="small muted">{windowText(window, now)}</div>
            </div>
            <Button
              size="small"
              kind="quiet"
              aria-label={`Remove ${window.name}`}
              reason={reason}
              onClick={() => {
                takeAway(window);
              }}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function WindowForm({ onDone }: { onDone: () => void }) {
  const [draft, setDraft] = useState({ name: '', days: [6], startsAt: '22:00', hours: '4' });
  const put = usePutWindow();
  const now = useNow();
  const hours = Number(draft.hours.replace(',', '.'));
  const isFine = draft.name.trim() !== '' && draft.days.length > 0 && hours > 0;
  return (
    <Form
      className="fields padded"
      onSubmit={() => {
        if (!isFine) return;
        const { name, days, startsAt } = draft;
        put.mutate(
          { name: name.trim(), days, starts_at: startsAt, minutes: Math.round(hours * 60) },
          { onSuccess: onDone },
        );
      }}
    >
      <Field label="Name">
        {(control) => (
          <input
            {...control}
            className="in"
            placeholder="For example Weekend releases"
            value={draft.name}
            onChange={(event) => {
              setDraft({ ...draft, name: event.target.value });
            }}
          />
        )}
      </Field>
      <fieldset className="field">
        <legend>Begins on</legend>
        <div className="row wrap">
          {weekdays.map((name, place) => (
            <Check
              key={name}
              label={name.slice(0, 3)}
              checked={draft.days.includes(place + 1)}
              onChange={(checked) => {
                const others = draft.days.filter((day) => day !== place + 1);
                setDraft({ ...draft, days: checked ? [...others, place + 1].sort() : others });
              }}
            />
          ))}
        </div>
      </fieldset>
      <div className="two-fields">
        <Field label="At, UTC" help={utcTimeHere(draft.startsAt, now)}>
          {(control) => (
            <input
              {...control}
              className="in mono"
              value={draft.startsAt}
              onChange={(event) => {
                setDraft({ ...draft, startsAt: event.target.value });
              }}
            />
          )}
        </Field>
        <Field label="Hours" help="168 at most">
          {(control) => (
            <input
              {...control}
              className="in mono"
              inputMode="decimal"
              value={draft.hours}
              onChange={(event) => {
                setDraft({ ...draft, hours: event.target.value });
              }}
            />
          )}
        </Field>
      </div>
      <div role="status">{put.error && <span className="st plain wrap bad">{put.error.message}</span>}</div>
      <div className="row">
        <Button
          kind="primary"
          type="submit"
          busy={put.isPending && 'Saving'}
          reason={isFine ? undefined : 'Give it a name, a day and a length.'}
        >
          Add window
        </Button>
      </div>
    </Form>
  );
}
