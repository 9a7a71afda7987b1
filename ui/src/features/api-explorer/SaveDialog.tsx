import { useState } from 'react';
import { Button, Dialog, Field } from '@/shared';

/** Asks for the name under which a query is kept. */
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
  const save = () => {
    if (name.trim()) onSave(name.trim());
  };
  return (
    <Dialog
      open
      title="Save query"
      help="Query and variables are kept in this browser, under Saved."
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={save} reason={name.trim() ? undefined : 'Give it a name'}>
            Save query
          </Button>
        </>
      }
    >
      <Field label="Name">
        {(control) => (
          <input
            {...control}
            className="in"
            value={name}
            onChange={(event) => {
              setName(event.target.value);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') save();
            }}
          />
        )}
      </Field>
    </Dialog>
  );
}
