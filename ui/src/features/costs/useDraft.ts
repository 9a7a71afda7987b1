import { Save } from 'lucide-react';
import { useState } from 'react';
import { useCommands } from '@/shared';

/** The edited state of a stored row until it is saved. */
export interface DraftState<Draft, Problems> {
  draft: Draft;
  set: (to: Partial<Draft>) => void;
  isChanged: boolean;
  problems: Problems;
  /** The problems once the person has tried to save. */
  shown: Partial<Problems>;
  save: () => void;
  discard: () => void;
}

/** Holds a draft of `stored`; ⌘S and `save` pass it to `onSave` if it is valid. */
export function useDraft<Draft extends object, Problems extends object>({
  stored,
  problemsOf,
  isFixed,
  isPending,
  command,
  onSave,
}: {
  stored: Draft;
  problemsOf: (draft: Draft) => Problems;
  /** Whether the row cannot be edited. */
  isFixed: boolean;
  isPending: boolean;
  command: { id: string; title: string };
  onSave: (draft: Draft) => void;
}): DraftState<Draft, Problems> {
  const [draft, setDraft] = useState(stored);
  const [tried, setTried] = useState(false);
  const problems = problemsOf(draft);
  const save = () => {
    setTried(true);
    if (isFixed || isPending || Object.keys(problems).length > 0) return;
    onSave(draft);
  };
  useCommands(isFixed ? [] : [{ ...command, group: 'Do', keys: 'mod+s', icon: Save, run: save }]);
  return {
    draft,
    set: (to) => {
      setDraft({ ...draft, ...to });
    },
    isChanged: JSON.stringify(draft) !== JSON.stringify(stored),
    problems,
    shown: tried ? problems : {},
    save,
    discard: () => {
      setDraft(stored);
      setTried(false);
    },
  };
}
