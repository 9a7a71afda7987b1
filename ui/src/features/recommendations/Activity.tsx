import { dateTime, useNow } from '@/shared';
import { statusName } from './row';
import type { Row } from './row';

/** What is known to have happened to it, oldest first. */
export function Activity({ row: { stored, status } }: { row: Row }) {
  const now = useNow();
  const changed = stored.updated_at !== stored.created_at;
  return (
    <ul>
      <Entry at={dateTime(stored.created_at, now)} text="Found" />
      {changed && (
        <Entry
          at={dateTime(stored.updated_at, now)}
          text={`Last changed; it is ${statusName(status).toLowerCase()} now`}
        />
      )}
      {stored.dismissed_reason && <Entry at="Dismissed" text={stored.dismissed_reason} />}
      {stored.note && <Entry at="Note" text={stored.note} />}
    </ul>
  );
}

function Entry({ at, text }: { at: string; text: string }) {
  return (
    <li className="row">
      <time className="muted small nowrap">{at}</time>
      <span>{text}</span>
    </li>
  );
}
