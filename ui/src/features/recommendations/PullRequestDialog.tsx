import { useState } from 'react';
import { Button, Dialog, Field, Form } from '@/shared';
import { wayName } from './way';
import type { ProviderConfig, Way } from './way';

/** Requests the location of the manifest; everything else is taken from the recommendation. */
export function PullRequestDialog({
  way,
  busy,
  error,
  onBegin,
  onClose,
}: {
  way: Way;
  busy: boolean;
  error: string | undefined;
  onBegin: (config: ProviderConfig) => void;
  onClose: () => void;
}) {
  const [fields, setFields] = useState({ repository: '', path: '', base_branch: '', base_url: '' });
  const [tried, setTried] = useState(false);
  const missing = (name: 'repository' | 'path') => tried && fields[name].trim() === '';
  const input = (name: keyof typeof fields, example: string) => ({
    className: 'in mono',
    autoComplete: 'off',
    placeholder: example,
    value: fields[name],
    onChange: (event: { target: { value: string } }) => {
      setFields({ ...fields, [name]: event.target.value });
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={wayName(way)}
      help="The service pushes a branch with one change and opens a pull request, with its own token."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="pull-request" disabled={busy}>
            Open it
          </Button>
        </>
      }
    >
      <Form
        id="pull-request"
        onSubmit={() => {
          setTried(true);
          const given = Object.entries(fields).map(([name, text]) => [name, text.trim()] as const);
          if (fields.repository.trim() === '' || fields.path.trim() === '') return;
          onBegin(Object.fromEntries(given.filter(([, text]) => text !== '')));
        }}
      >
        <Field
          label="Repository"
          help="Path of the repository, for example acme/shop."
          error={missing('repository') ? 'Enter the repository, for example acme/shop' : undefined}
        >
          {(control) => <input {...control} {...input('repository', 'acme/shop')} autoFocus />}
        </Field>
        <Field
          label="File with the manifest"
          help="{namespace}, {name}, {kind} and {container} are replaced by those of the workload."
          error={missing('path') ? 'Enter the file, for example deploy/{namespace}/{name}.yaml' : undefined}
        >
          {(control) => <input {...control} {...input('path', 'deploy/{namespace}/{name}.yaml')} />}
        </Field>
        <Field label="Merged into" help="If empty, the default branch.">
          {(control) => <input {...control} {...input('base_branch', 'main')} />}
        </Field>
        <Field label="Address of your own server" help="If empty, the public service.">
          {(control) => <input {...control} {...input('base_url', 'https://git.example.com')} />}
        </Field>
        {error && (
          <p role="alert" className="err">
            {error}
          </p>
        )}
      </Form>
    </Dialog>
  );
}
