import { useState } from 'react';
import { Button } from '../controls/Button';
import { Field } from '../controls/Field';
import { Form } from '../controls/Form';
import { Dialog } from '../controls/Dialog';
import { Segmented } from '../controls/Segmented';
import { toast } from '../toast';
import type { SavedViews } from './ViewsMenu';

/** Requests the name and visibility of a view; a name that is already used is rejected before it is sent. */
export function SaveViewDialog({
  taken,
  holds,
  example,
  saved: { mayNotShare, mayNotKeep },
  onSave,
  onClose,
}: {
  saved: Pick<SavedViews, 'mayNotShare' | 'mayNotKeep'>;
  taken: readonly string[];
  holds: string;
  example: string;
  onSave: (view: { name: string; isPrivate: boolean }) => Promise<unknown>;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [isPrivate, setPrivate] = useState(mayNotShare !== undefined);
  const [tried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const called = name.trim();
  const problem =
    called === ''
      ? `Enter a name, for example ${example}`
      : taken.includes(called)
        ? 'Another view has this name'
        : undefined;
  return (
    <Dialog
      title="Save this view"
      help={`${holds}, as they are now. ${isPrivate ? 'Only you see it under Views.' : 'Everyone in the tenant sees it under Views.'}`}
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
          onSave({ name: called, isPrivate })
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
        {mayNotShare === undefined && mayNotKeep === undefined ? (
          <Segmented
            label="Who sees it"
            value={isPrivate ? 'me' : 'all'}
            options={[
              { value: 'all', label: 'Everyone in the tenant' },
              { value: 'me', label: 'Only me' },
            ]}
            onChange={(who) => {
              setPrivate(who === 'me');
            }}
          />
        ) : (
          <p className="help">{mayNotShare ?? mayNotKeep}</p>
        )}
      </Form>
    </Dialog>
  );
}
