import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { previewUndo, undoImport } from '@/api';
import type { ApiError, UndoPreview } from '@/api';
import { Button, Content, Dialog, plural, toast } from '@/shared';
import type { NumberImport } from './queries';
import { words } from './words';

/** Shows the effect of undoing an import of numbers, and undoes it. */
export function UndoImportDialog({ of, onClose }: { of: NumberImport; onClose: () => void }) {
  const client = useQueryClient();
  const preview = useQuery<UndoPreview, ApiError>({
    queryKey: ['import', of.id, 'undo'],
    queryFn: ({ signal }) => previewUndo(of.id, signal),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const later = preview.data?.imports.filter(({ id }) => id !== of.id) ?? [];
  const undo = useMutation<unknown, ApiError>({
    mutationFn: () =>
      undoImport(
        of.id,
        later.map(({ id }) => id),
      ),
    onSuccess: () => {
      toast({ tone: 'ok', text: words.undone(of.file_name) });
      onClose();
      // The preview is not reloaded: nothing is left to undo.
      client.removeQueries({ queryKey: ['import', of.id, 'undo'] });
      void client.invalidateQueries({ queryKey: ['import'] });
      void client.invalidateQueries({ queryKey: ['graphql'] });
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.undoTitle(of.file_name)}
      help={words.undoHelp}
      actions={
        <>
          <Button onClick={onClose}>{words.preview.cancel}</Button>
          <Button
            kind="destructive"
            disabled={!preview.data}
            busy={undo.isPending && words.undoing}
            onClick={() => {
              undo.mutate();
            }}
          >
            {words.undo}
          </Button>
        </>
      }
    >
      <Content of={preview} what={words.undoFailed} lines={2}>
        {(found) => (
          <>
            <p>{words.undoRows(plural(found.rows, 'number is', 'numbers are'))}</p>
            {later.length > 0 && <p>{words.undoLater(later.map(({ file_name }) => file_name).join(', '))}</p>}
          </>
        )}
      </Content>
      {undo.error && (
        <div className="note bad" role="alert">
          <div className="grow">{undo.error.message}</div>
        </div>
      )}
    </Dialog>
  );
}
