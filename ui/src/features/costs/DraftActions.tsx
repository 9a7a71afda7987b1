import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/shared';

/** The foot of a panel with a draft: what is stored is removed, the draft given up or saved. */
export function DraftActions({
  words,
  of: { isChanged, save, discard },
  isPending,
  onRemove,
  form,
  children,
}: {
  words: { remove: string; discard: string; save: string; saving: string };
  of: { isChanged: boolean; save: () => void; discard: () => void };
  isPending: boolean;
  /** Left out while nothing is stored. */
  onRemove?: (() => void) | undefined;
  /** The form that is sent to save; left out where it is not always there. */
  form?: string;
  /** What else can be done with what is stored. */
  children?: ReactNode;
}) {
  return (
    <>
      {onRemove && (
        <Button kind="quiet" iconOnly aria-label={words.remove} disabled={isPending} onClick={onRemove}>
          <Trash2 className="i" />
        </Button>
      )}
      {children}
      <span className="row end">
        <Button disabled={!isChanged} onClick={discard}>
          {words.discard}
        </Button>
        <Button
          kind="primary"
          {...(form === undefined ? { onClick: save } : { type: 'submit' as const, form })}
          disabled={!isChanged}
          busy={isPending && words.saving}
        >
          {words.save}
        </Button>
      </span>
    </>
  );
}
