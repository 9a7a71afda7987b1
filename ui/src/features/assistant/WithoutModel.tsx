import { Link, useSearch } from '@tanstack/react-router';
import { MessageSquare } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Content, dateOf, useNow } from '@/shared';
import { NoModel } from './NoModel';
import { Thread } from './Thread';
import { useConversation, useConversations } from './useConversation';

/** Shown while no model is set up: how to set one up, and earlier conversations, read-only. */
export function WithoutModel({ account }: { account: string }) {
  const { c: conversation } = useSearch({ from: '/assistant/conversations' });
  return (
    <>
      {conversation !== undefined && <Earlier account={account} conversation={conversation} />}
      <NoModel />
      <EarlierList account={account} current={conversation} />
    </>
  );
}

function Earlier({ account, conversation }: { account: string; conversation: string }) {
  const { known, kept } = useConversation(account, conversation);
  const top = useRef<HTMLElement>(null);
  const isThere = kept.length > 0;
  // It is chosen from the list at the end of the page.
  useEffect(() => {
    if (isThere) top.current?.scrollIntoView({ block: 'start' });
  }, [conversation, isThere]);
  return (
    <section ref={top} className="panel earlier" aria-label="Conversation">
      <Content of={known} what="The conversation could not be read">
        {() => <Thread exchanges={kept} onRetry={undefined} />}
      </Content>
      <p className="thread-in muted">You can read it. To continue it, set up a model.</p>
    </section>
  );
}

function EarlierList({ account, current }: { account: string; current: string | undefined }) {
  const now = useNow();
  const all = useConversations(account).filter(({ id }) => id !== current);
  if (all.length === 0) return null;
  return (
    <section className="no-model sec">
      <h2 className="h2">Earlier conversations</h2>
      <div className="works">
        {all.map((one) => (
          <Link key={one.id} to="/assistant/conversations" search={{ account, c: one.id }} className="panel work">
            <MessageSquare className="i" />
            <span className="grow cut" title={one.title ?? undefined}>
              {one.title ?? 'Untitled'}
            </span>
            <span className="small muted">{dateOf(one.updated_at, now)}</span>
          </Link>
        ))}
      </div>
    </section>
  );
}
