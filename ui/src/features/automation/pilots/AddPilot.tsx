import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ofCloud, request, useGraphQL } from '@/api';
import type { ApiError } from '@/api';
import { Button, Check, Dialog, Field, Form, plural, toast } from '@/shared';
import { AutomationAccounts } from '../queries';
import { newPilot, problemsOf } from './draft';
import type { PilotDraft } from './draft';
import { AddAutoPilot } from './queries';
import type { PilotsSearch } from './search';
import { categories } from './words';

/** Adds an auto-pilot: its scope and schedule. It starts as a dry run unless the user changes that. */
export function AddPilot({
  start,
  onAdded,
  onClose,
}: {
  /** Initial values. */
  start: PilotsSearch;
  onAdded: (id: string) => void;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const accounts = useGraphQL(AutomationAccounts, {}).data?.cloud_accounts ?? [];
  const [draft, setDraft] = useState<PilotDraft>(() => newPilot(start));
  const [tried, setTried] = useState(false);
  const account = draft.account === '' ? (ofCloud(accounts)?.id ?? '') : draft.account;
  const problems = tried ? problemsOf({ ...draft, account }) : {};
  const add = useMutation<string | undefined, ApiError>({
    mutationFn: async () => {
      const { category, namespace, type, name, line, isDry } = draft;
      const added = await request(AddAutoPilot, {
        request: {
          account_id: account,
          category,
          dryrun: isDry,
          notification: {},
          resource_filter: [{ namespace: namespace.trim(), type: type.trim(), name: name.trim() }],
          schedule: line.trim() === '' ? {} : { frequency: line.trim() },
        },
      });
      return added.auto_optimize_insert_one?.id;
    },
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: ['graphql'] });
      toast({ tone: 'ok', text: draft.isDry ? 'Added an auto-pilot as a dry run' : 'Added an auto-pilot' });
      onClose();
      if (id !== undefined) onAdded(id);
    },
  });
  const set = (to: Partial<PilotDraft>) => {
    setDraft({ ...draft, ...to });
  };
  const text = (name: 'namespace' | 'type' | 'name' | 'line') => (control: { id: string }) => (
    <input
      {...control}
      className={name === 'line' ? 'in mono' : 'in'}
      autoComplete="off"
      value={draft[name]}
      onChange={(event) => {
        set({ [name]: event.target.value });
      }}
    />
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add auto-pilot"
      help="It applies open right-sizing recommendations for the resources below, on its schedule."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="add-pilot" busy={add.isPending && 'Adding'}>
            Add auto-pilot
          </Button>
        </>
      }
    >
      <Form
        id="add-pilot"
        className="stack"
        onSubmit={() => {
          setTried(true);
          if (Object.keys(problemsOf({ ...draft, account })).length === 0) add.mutate();
        }}
      >
        {start.of !== undefined && (
          <p className="small muted">
            Prefilled from {plural(start.of, 'recommendation')}. It applies all that match these fields in the account,
            including later ones.
          </p>
        )}
        <Field label="Account" error={problems.account}>
          {(control) => (
            <select
              {...control}
              className="sel"
              value={account}
              onChange={(event) => {
                set({ account: event.target.value });
              }}
            >
              {accounts.map(({ id, account_name }) => (
                <option key={id} value={id}>
                  {account_name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Changes">
          {(control) => (
            <select
              {...control}
              className="sel"
              value={draft.category}
              onChange={(event) => {
                set({ category: event.target.value });
              }}
            >
              {Object.entries(categories).map(([name, title]) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Namespace" help="Leave empty for all.">
          {text('namespace')}
        </Field>
        <Field label="Kind" help="For example Deployment. Leave empty for all.">
          {text('type')}
        </Field>
        <Field label="Name" help="Leave empty for all.">
          {text('name')}
        </Field>
        <Field
          label="Schedule"
          help="A cron line in UTC, or with a time zone in front: CRON_TZ=Europe/Berlin 0 5 * * *"
          error={problems.line}
        >
          {text('line')}
        </Field>
        <Check
          label="Dry run: report what it would do, without doing it"
          checked={draft.isDry}
          onChange={(isDry) => {
            set({ isDry });
          }}
        />
        {add.error && (
          <div className="note bad" role="alert">
            <div className="grow">
              <div className="t">It was not added</div>
              <div className="muted">{add.error.message}</div>
            </div>
          </div>
        )}
      </Form>
    </Dialog>
  );
}
