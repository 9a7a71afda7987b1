import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/shared';

/** The footer of a panel with a draft: remove, discard, save. */
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
  /** Undefined if nothing is stored yet. */
  onRemove?: (() => void) | undefined;
  /** The id of the form to submit on save; undefined if the form is not always rendered. */
  form?: string;
  /** Other actions on the stored row. */
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
