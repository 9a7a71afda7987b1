import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTenants } from '@/api';
import type { ApiError, TenantChoice } from '@/api';
import { Button, Dialog, Field, Status, plural } from '@/shared';
import { filesToPlace, importInto, targets } from './whereTo';
import type { FilesToPlace } from './whereTo';

/** Asks where to import files that were dropped while sample data is shown; the user's own tenant is preselected. */
export function WhereToDialog({ what, sample, home }: { what: FilesToPlace; sample: string | null; home: string }) {
  const options = targets(useTenants(), sample, home);
  const [chosen, setChosen] = useState<string | null>(null);
  const target = options.find(({ id }) => id === chosen) ?? options[0];
  const go = useMutation<void, ApiError, TenantChoice>({ mutationFn: (tenant) => importInto(tenant, what) });
  const close = () => {
    filesToPlace.set(null);
  };
  const it = what.files.length === 1 ? 'the file' : `the ${plural(what.files.length, 'file')}`;
  return (
    <Dialog
      open
      onClose={close}
      title={`Where do you want to import ${it}?`}
      help="You’re viewing sample data. It is removed with its whole tenant, so your files cannot go there."
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          {target && (
            <Button
              kind="primary"
              busy={go.isPending && 'Opening'}
              onClick={() => {
                go.mutate(target);
              }}
            >
              Import into {target.name}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        <ul className="mono" aria-label="Files">
          {what.files.slice(0, 5).map((file, at) => (
            // Folders may contain two files with the same name.
            <li key={`${String(at)} ${file.name}`} className="cut">
              {file.name}
            </li>
          ))}
          {what.files.length > 5 && <li className="muted">and {String(what.files.length - 5)} more</li>}
        </ul>
        {options.length > 1 && target && (
          <Field label="Tenant">
            {(control) => (
              <select
                {...control}
                className="sel"
                value={target.id}
                onChange={(event) => {
                  setChosen(event.target.value);
                }}
              >
                {options.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {options.length === 0 && (
          <p>
            You are not an administrator of another tenant, so you cannot import files. An administrator of a tenant can
            give you the role tenant_admin there.
          </p>
        )}
        {go.error && (
          <p role="alert">
            <Status tone="bad">{go.error.message}</Status>
          </p>
        )}
      </div>
    </Dialog>
  );
}
