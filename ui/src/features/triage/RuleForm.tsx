import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { request, useGraphQL } from '@/api';
import { Button, Check, Content, Field, Form, SidePanel, count, plural, toast } from '@/shared';
import { CreateRule, PreviewRule, RemoveRule, UndoRule } from './queries';
import { criterionNames, emptyDraft, given, problemsOf } from './rule';
import type { Draft } from './rule';
import { actions, criteria, severities } from './words';
import type { Action } from './words';

/** A new rule; it shows which events it would change before it is saved. */
export function RuleForm({
  accounts,
  onClose,
}: {
  accounts: readonly { id: string; account_name: string }[];
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>({ ...emptyDraft, account: accounts[0]?.id ?? '' });
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const problems = tried ? problemsOf(draft) : {};
  const set = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change });
  };
  const { type, help } = actions[draft.action];
  const asked = { account: draft.account, type, action: draft.action, ...given(draft) };
  const preview = useGraphQL(PreviewRule, asked, { enabled: Object.keys(given(draft)).length > 0 });
  const found = preview.data?.event_preview_triage_rule;
  const takeBack = async (rule: string, job: string | undefined) => {
    try {
      let kept = 0;
      if (job === undefined) await request(RemoveRule, { account: draft.account, rule, hard: true });
      else {
        const undone = await request(UndoRule, { account: draft.account, rule, job });
        kept = undone.event_undo_bulk_operation?.events_kept ?? 0;
      }
      await client.invalidateQueries({ queryKey: ['graphql'] });
      if (kept > 0)
        toast({ tone: 'ok', text: `Removed the rule; ${plural(kept, 'event')} changed since then do not change` });
    } catch (error) {
      toast({ tone: 'bad', text: `The rule was not removed: ${(error as Error).message}` });
    }
  };
  const save = async () => {
    setTried(true);
    if (Object.keys(problemsOf(draft)).length > 0) return;
    setBusy(true);
    try {
      const { event_create_triage_rule: answer } = await request(CreateRule, {
        ...asked,
        name: draft.name.trim(),
        apply: draft.apply,
        ...(draft.action === 'adjust_score' ? { value: draft.value.trim().replace(/^\+/, '') } : {}),
        ...(draft.until ? { until: `${draft.until}T00:00:00Z` } : {}),
      });
      const rule = answer?.rule?.id;
      if (!answer?.success || rule === undefined) throw new Error(answer?.error ?? 'the rule was not created');
      await client.invalidateQueries({ queryKey: ['graphql'] });
      onClose();
      toast({
        tone: 'ok',
        text: `Created the rule “${draft.name.trim()}”`,
        action: {
          label: 'Undo',
          run: () => {
            void takeBack(rule, answer.bulk_operation?.job_id);
          },
        },
      });
    } catch (error) {
      toast({ tone: 'bad', text: `The rule was not saved: ${(error as Error).message}` });
    } finally {
      setBusy(false);
    }
  };
  return (
    <SidePanel
      label="New rule"
      isNew
      head={<h2 className="ttl">New rule</h2>}
      onClose={onClose}
      actions={
        <>
          <Button kind="primary" type="submit" form="rule" busy={busy && 'Saving'}>
            Create rule
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          {found && !preview.isPlaceholderData && (
            <span className="small muted" role="status">
              Matches {plural(found.recent_matching_events_count, 'event')} of the last {count(found.recent_days)} days
            </span>
          )}
        </>
      }
    >
      <Form
        id="rule"
        className="stack"
        onSubmit={() => {
          void save();
        }}
      >
        <Field label="Name" error={problems.name}>
          {(control) => (
            <input
              {...control}
              className="in"
              autoComplete="off"
              maxLength={200}
              value={draft.name}
              onChange={(event) => {
                set({ name: event.target.value });
              }}
            />
          )}
        </Field>
        <Field label="Account" help="A rule applies to one account.">
          {(control) => (
            <select
              {...control}
              className="sel"
              value={draft.account}
              onChange={(event) => {
                set({ account: event.target.value });
              }}
            >
              {accounts.map(({ id, account_name: name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Action" help={help}>
          {(control) => (
            <select
              {...control}
              className="sel"
              value={draft.action}
              onChange={(event) => {
                set({ action: event.target.value as Action });
              }}
            >
              {Object.entries(actions).map(([value, { name }]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        {draft.action === 'adjust_score' && (
          <Field label="Points" error={problems.value}>
            {(control) => (
              <input
                {...control}
                className="in"
                autoComplete="off"
                value={draft.value}
                onChange={(event) => {
                  set({ value: event.target.value });
                }}
              />
            )}
          </Field>
        )}
        <h3>An event matches when it has all of</h3>
        {criterionNames.map((name) => (
          <Field
            key={name}
            label={criteria[name].label}
            help={`For example ${criteria[name].example}. Empty: any.`}
            error={name === 'alert' ? problems.match : undefined}
          >
            {(control) =>
              name === 'priority' ? (
                <select
                  {...control}
                  className="sel"
                  value={draft.priority}
                  onChange={(event) => {
                    set({ priority: event.target.value });
                  }}
                >
                  <option value="">Any</option>
                  {severities.map((one) => (
                    <option key={one}>{one}</option>
                  ))}
                </select>
              ) : (
                <input
                  {...control}
                  className="in"
                  autoComplete="off"
                  maxLength={200}
                  value={draft[name]}
                  onChange={(event) => {
                    set({ [name]: event.target.value });
                  }}
                />
              )
            }
          </Field>
        ))}
        <Field label="Until" help="If empty, always. With a day, it is a maintenance window.">
          {(control) => (
            <input
              {...control}
              type="date"
              className="in"
              value={draft.until}
              onChange={(event) => {
                set({ until: event.target.value });
              }}
            />
          )}
        </Field>
        <Check
          label="Also change existing events"
          checked={draft.apply}
          onChange={(apply) => {
            set({ apply });
          }}
        />
      </Form>
      <section className="sec" aria-label="Preview">
        <h3>Preview</h3>
        {Object.keys(given(draft)).length === 0 ? (
          <p className="muted">Fill in a criterion to see which stored events match.</p>
        ) : (
          <Content of={preview} what="The preview could not be read" lines={3}>
            {() => (
              <>
                <p>
                  In the last {count(found?.recent_days ?? 30)} days,{' '}
                  <b className="num">{count(found?.recent_matching_events_count ?? 0)}</b> of{' '}
                  {plural(found?.recent_events_count ?? 0, 'event')} would have{' '}
                  {draft.action === 'adjust_score'
                    ? 'got another score'
                    : `become ${(found?.new_status ?? '').toLowerCase()}`}
                  .
                </p>
                {draft.apply && (
                  <p>
                    <b className="num">{count(found?.matching_events_count ?? 0)}</b> stored events change now, of any
                    age. Undo puts them back.
                  </p>
                )}
                <ul>
                  {found?.sample_events.map(
                    (one) =>
                      one && (
                        <li key={one.id}>
                          <Link to="/events" search={{ id: one.id }}>
                            {one.title}
                          </Link>{' '}
                          <span className="small muted">{[one.namespace, one.service].filter(Boolean).join(', ')}</span>
                        </li>
                      ),
                  )}
                </ul>
              </>
            )}
          </Content>
        )}
      </section>
    </SidePanel>
  );
}
