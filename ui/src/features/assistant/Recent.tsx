import { SquarePen } from 'lucide-react';
import type { ResultOf } from '@/api';
import { Button, Keys, dateOf, useNow } from '@/shared';
import type { Conversations } from './queries';

type ConversationList = NonNullable<NonNullable<ResultOf<typeof Conversations>['ai_list_conversations']>['data']>;

const states: Record<string, string> = {
  IN_PROGRESS: 'Answering',
  FAILED: 'Not answered',
  KILLED: 'Stopped',
  TERMINATED: 'Interrupted',
};

/** The person's own conversations in an account. */
export function Recent({
  all,
  current,
  onOpen,
}: {
  all: ConversationList;
  current: string | undefined;
  /** Undefined starts a new conversation. */
  onOpen: (id: string | undefined) => void;
}) {
  const now = useNow();
  return (
    <nav className="side hide-n" aria-label="Conversations">
      <Button
        className="wide"
        onClick={() => {
          onOpen(undefined);
        }}
      >
        <SquarePen className="i s" />
        New conversation <Keys keys="mod+n" />
      </Button>
      {all.length > 0 && <div className="grp">Recent</div>}
      {all.map((one) => (
        <button
          key={one.id}
          type="button"
          className="it bare"
          {...(one.id === current ? { 'aria-current': 'page' as const } : {})}
          onClick={() => {
            onOpen(one.id);
          }}
        >
          <span className="grow">
            <b className="cut">{one.title ?? 'Untitled'}</b>
            <span className="small muted">
              {[dateOf(one.updated_at, now), states[one.status]].filter(Boolean).join(', ')}
            </span>
          </span>
        </button>
      ))}
      <p className="small muted">Stored until you remove them, visible to you only.</p>
    </nav>
  );
}
