import { Circle, CircleCheck, CircleSlash, CircleUser, LoaderCircle } from 'lucide-react';
import { statusName } from './row';
import type { Row } from './row';

const marks = {
  Assigned: { tone: 'info', Icon: CircleUser },
  InProgress: { tone: 'info', Icon: LoaderCircle },
  Closed: { tone: 'ok', Icon: CircleCheck },
  Dismissed: { tone: 'off', Icon: CircleSlash },
} as const;

/** The state as icon and word. */
export function State({ row }: { row: Row }) {
  const { tone, Icon } = marks[row.status as keyof typeof marks] ?? { tone: 'off', Icon: Circle };
  return (
    <span className={`st ${tone}`}>
      <Icon className="i" />
      {statusName(row.status)}
    </span>
  );
}
