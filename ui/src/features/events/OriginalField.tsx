import { useGraphQL } from '@/api';
import { Field, dateTime, useNow } from '@/shared';
import { EventsNear, candidates, isNoDuplicate } from './duplicates';
import { startOf } from './row';
import type { Row } from './row';

/** Chooses the original of the duplicates: one of the selected events, or one that started around the same time. */
export function OriginalField({
  rows,
  value,
  onChange,
  error,
}: {
  rows: readonly Row[];
  value: string;
  onChange: (id: string) => void;
  error: string | undefined;
}) {
  const now = useNow();
  const [first] = rows.toSorted((a, b) => startOf(a.stored).localeCompare(startOf(b.stored)));
  const near = useGraphQL(EventsNear, { at: first ? startOf(first.stored) : '' });
  const found = near.data && candidates(near.data, rows);
  const option = (event: { id: string; title: string; starts_at: string | null; created_at: string }) => (
    <option key={event.id} value={event.id}>
      {`${dateTime(startOf(event), now)}  ${event.title}`}
    </option>
  );
  const groups = [
    { label: 'Selected', events: rows.length > 1 ? rows.map(({ stored }) => stored).filter(isNoDuplicate) : [] },
    { label: 'Same subject', events: found?.same ?? [] },
    { label: 'Started around the same time', events: found?.others ?? [] },
  ].filter(({ events }) => events.length > 0);
  const many = groups.some(({ label }) => label === 'Selected');
  return (
    <Field
      label="Duplicate of"
      help={near.error?.message ?? (many ? 'This event stays; the other selected events become its duplicates.' : '')}
      error={error}
    >
      {(control) => (
        <select
          {...control}
          className="sel"
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        >
          <option value="">{near.isPending ? 'Reading events…' : 'Choose an event'}</option>
          {groups.map(({ label, events }) => (
            <optgroup key={label} label={label}>
              {events.map(option)}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}
