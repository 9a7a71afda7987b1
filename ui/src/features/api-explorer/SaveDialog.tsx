import { useState } from 'react';
import { Button, Dialog, Field, Form } from '@/shared';

/** Requests the name of a saved query. */
export function SaveDialog({
  suggestion,
  onSave,
  onClose,
}: {
  suggestion: string;
  onSave: (name: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(suggestion);
  const [tried, setTried] = useState(false);
  const save = () => {
    setTried(true);
    if (name.trim()) onSave(name.trim());
  };
  return (
    <Dialog
      open
      title="Save query"
      help="Query and variables are saved in this browser, under Saved."
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="save-query">
            Save query
          </Button>
        </>
      }
    >
      <Form id="save-query" onSubmit={save}>
        <Field label="Name" error={tried && !name.trim() ? 'Give it a name' : undefined}>
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
      </Form>
    </Dialog>
  );
}
