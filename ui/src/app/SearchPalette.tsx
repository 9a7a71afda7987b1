import { useNavigate } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useLack } from '@/api';
import { count } from '@/shared';
import { useCounts } from './counts';
import { useSearchResults } from './searchResults';
import { Palette } from './Palette';
import type { Entry } from './Palette';
import { bufferedKeys } from './KeyBuffer';

/** The palette with search results of the service for the typed text. */
export function SearchPalette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState(bufferedKeys);
  const { found, trouble, isBusy } = useSearchResults(text);
  const navigate = useNavigate();
  const lack = useLack();
  const notes = new Map(
    Object.entries(useCounts()).flatMap(([address, { of, what }]) => (of ? [[address, `${count(of)} ${what}`]] : [])),
  );
  const question = text.trim();
  const ask: Entry | undefined =
    question === ''
      ? undefined
      : {
          id: 'ask',
          group: 'Ask',
          icon: Sparkles,
          title: `Ask the assistant about “${question}”`,
          keys: 'tab',
          disabled: lack({ area: 'assistant' }),
          run: () => {
            void navigate({ to: '/assistant/conversations', search: { q: question.slice(0, 200) } });
          },
        };
  return (
    <Palette
      onClose={onClose}
      onText={setText}
      rows={found}
      trouble={trouble}
      isBusy={isBusy}
      ask={ask}
      notes={notes}
    />
  );
}
