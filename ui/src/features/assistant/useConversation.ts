import { useState } from 'react';
import { useGraphQL } from '@/api';
import { exchangesOf } from './answer';
import { Conversation, Conversations } from './queries';

/** A stored conversation; nothing while none is open. */
export function useConversation(account: string, conversation: string | undefined) {
  const known = useGraphQL(
    Conversation,
    {
      account,
      accountText: account,
      conversation: conversation ?? '',
      conversationText: conversation ?? '',
    },
    { enabled: conversation !== undefined },
  );
  const shown = conversation === undefined || known.isPlaceholderData ? undefined : known.data;
  const kept = exchangesOf(
    shown?.ai_get_conversation_v3?.messages ?? [],
    (shown?.ai_list_references?.data ?? []).filter((one) => one !== null),
    shown?.ai_get_conversation_v3?.tool_calls ?? [],
  );
  return { known, shown, kept };
}

/** The user's conversations in an account; reloaded while one is being answered. */
export function useConversations(account: string) {
  const [waits, setWaits] = useState(false);
  const found = useGraphQL(Conversations, { account }, { refetchInterval: waits ? 2_000 : false });
  const all = found.data?.ai_list_conversations?.data ?? [];
  const isAnswering = all.some(({ status }) => status === 'IN_PROGRESS');
  if (isAnswering !== waits) setWaits(isAnswering);
  return all;
}
