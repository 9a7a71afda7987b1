import { useState } from 'react';
import { Button, Dialog, Field, Form } from '@/shared';
import { useRemove } from './useChanges';
import type { Target } from './useChanges';

/** Removal deletes the runs as well, so it is confirmed by typing the name. */
export function RemoveDialog({
  workflow,
  onRemoved,
  onClose,
}: {
  workflow: Target;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const remove = useRemove(onRemoved);
  const [typed, setTyped] = useState('');
  const isSure = typed.trim() === workflow.name;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${workflow.name}?`}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button
            kind="destructive"
            type="submit"
            form="remove-workflow"
            disabled={!isSure}
            busy={remove.isPending && 'Removing'}
          >
            Remove workflow
          </Button>
        </>
      }
    >
      <Form
        id="remove-workflow"
        className="stack"
        onSubmit={() => {
          if (isSure) remove.mutate(workflow);
        }}
      >
        <p>Its definition and the history of its runs are removed. This cannot be undone: pause it to keep both.</p>
        <Field label={`Type ${workflow.name} to confirm`} error={remove.error?.message}>
          {(control) => (
            <input
              {...control}
              className="in"
              autoFocus
              autoComplete="off"
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
              }}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
