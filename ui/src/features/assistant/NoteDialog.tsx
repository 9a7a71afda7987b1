import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '@/api';
import { Button, Dialog, Field, Form } from '@/shared';
import { AddContext, ChangeContext } from './queries';

/** Adds or edits a note for the assistant. The service validates its name. */
export function NoteDialog({
  account,
  note,
  onClose,
}: {
  account: string;
  note: { id: string; name: string; data: string } | undefined;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [name, setName] = useState(note?.name ?? '');
  const [text, setText] = useState(note?.data ?? '');
  const [state, setState] = useState<{ busy?: boolean; error?: string }>({});
  const [tried, setTried] = useState(false);
  const keep = () => {
    setTried(true);
    if (!name.trim() || !text.trim()) return;
    setState({ busy: true });
    const written = { name: name.trim(), data: text, format: 'text', file_name: 'note.txt' };
    const kept: Promise<unknown> = note
      ? request(ChangeContext, { account, context: { id: note.id, ...written } })
      : request(AddContext, { account, context: written });
    kept
      .then(async () => {
        await client.invalidateQueries({ queryKey: ['graphql'] });
        onClose();
      })
      .catch((error: unknown) => {
        setState({ error: (error as Error).message });
      });
  };
  return (
    <Dialog
      open
      title={note ? 'Change note' : 'Add note'}
      help="Included in every question about this account, up to 20,000 characters across all notes."
      onClose={onClose}
      actions={
        <Button kind="primary" type="submit" form="note" busy={state.busy && 'Saving'}>
          Save
        </Button>
      }
    >
      <Form id="note" className="stack" onSubmit={keep}>
        <Field label="Name" error={tried && !name.trim() ? 'Give it a name' : state.error}>
          {(control) => (
            <input
              {...control}
              className="in"
              value={name}
              onChange={(event) => {
                setName(event.target.value);
              }}
            />
          )}
        </Field>
        <Field label="Text" error={tried && !text.trim() ? 'Enter the text of the note' : undefined}>
          {(control) => (
            <textarea
              {...control}
              className="in note-text"
              rows={8}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
              }}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
