import { useState } from 'react';
import { Button } from '../controls/Button';
import { Field } from '../controls/Field';
import { Form } from '../controls/Form';
import { Dialog } from '../controls/Dialog';
import { toast } from '../toast';

/** Asks for the name of a view; one that is taken is refused before it is sent. */
export function SaveViewDialog({
  taken,
  holds,
  example,
  onSave,
  onClose,
}: {
  taken: readonly string[];
  holds: string;
  example: string;
  onSave: (name: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const called = name.trim();
  const problem =
    called === ''
      ? `Enter a name, for example ${example}`
      : taken.includes(called)
        ? 'Another view is called that'
        : undefined;
  return (
    <Dialog
      title="Save this view"
      help={`${holds}, as they are now. Everyone in the tenant finds it under Views.`}
      open
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="save-view" busy={isBusy && 'Saving'}>
            Save view
          </Button>
        </>
      }
    >
      <Form
        id="save-view"
        className="fields"
        onSubmit={() => {
          setTried(true);
          if (problem) return;
          setBusy(true);
          onSave(called)
            .then(() => {
              toast({ tone: 'ok', text: `Saved ${called}` });
              onClose();
            })
            .catch((error: unknown) => {
              setBusy(false);
              setFailure(error instanceof Error ? error.message : String(error));
            });
        }}
      >
        <Field label="Name" error={(tried ? problem : undefined) ?? failure}>
          {(control) => (
            <input
              {...control}
              className="in"
              autoComplete="off"
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
