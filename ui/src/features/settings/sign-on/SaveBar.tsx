import { Save } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button, Keys, Status, plural, toast, useCommands } from '@/shared';
import { setDraft } from './draft';
import type { Draft } from './draft';
import { LockOutDialog, reasonsOf } from './LockOutDialog';
import type { Problem } from './problems';
import { useSave } from './queries';
import type { SettingName } from './types';

/** Appears with the first change: problems, number of changes, Discard and Save. Asks for confirmation only if someone would be locked out. */
export function SaveBar({
  draft,
  dirty,
  problems,
  failedTest,
  onServed,
  onDiscard,
  onGo,
}: {
  draft: Draft;
  dirty: boolean;
  problems: readonly Problem[];
  /** The last test was of these values, and failed. */
  failedTest: boolean;
  /** Validation problems reported by the service on save. */
  onServed: (problems: Partial<Record<SettingName, string>>) => void;
  onDiscard: () => void;
  onGo: (anchor: string) => void;
}) {
  const save = useSave();
  const summary = useRef<HTMLSpanElement>(null);
  const reasons = save.error && reasonsOf(save.error);
  const submit = (confirm = false) => {
    onServed({});
    if (problems.length > 0) {
      summary.current?.focus();
      if (problems[0]) onGo(problems[0].anchor);
      return;
    }
    save.mutate(
      { values: draft, ...(confirm ? { confirm } : {}) },
      {
        onSuccess: () => {
          setDraft({});
          toast({ tone: 'ok', text: 'Saved the settings of single sign-on. They apply at once.' });
        },
        onError: (error) => {
          const found = error.details['problems'];
          if (Array.isArray(found))
            onServed(
              Object.fromEntries(
                (found as { setting: SettingName; message: string }[]).map((one) => [one.setting, one.message]),
              ),
            );
        },
      },
    );
  };
  const { reset } = save;
  useEffect(() => {
    reset();
  }, [draft, reset]);
  useCommands(
    dirty
      ? [
          {
            id: 'save sign-on',
            title: 'Save the settings',
            group: 'Do',
            keys: 'mod+s',
            icon: Save,
            run: () => {
              submit();
            },
          },
        ]
      : [],
  );
  if (!dirty && problems.length === 0) return null;
  const first = problems[0];
  return (
    <div className="savebar" role="region" aria-label="Unsaved changes">
      <span ref={summary} tabIndex={-1} role="status" className="row wrap">
        {problems.length > 0 && <Status tone="bad">{plural(problems.length, 'problem')}</Status>}
        {first && (
          <button
            type="button"
            className="bare textlink"
            onClick={() => {
              onGo(first.anchor);
            }}
          >
            {first.title}
          </button>
        )}
        {problems.length === 0 && failedTest && <Status tone="bad">Test failed</Status>}
        {save.error && !reasons && <Status tone="bad">{save.error.message}</Status>}
      </span>
      <span className="end row">
        <span className="muted small hide-n">{plural(Object.keys(draft).length, 'unsaved change')}</span>
        <Button
          onClick={() => {
            setDraft({});
            onServed({});
            onDiscard();
          }}
        >
          Discard
        </Button>
        <Button
          kind={failedTest ? 'default' : 'primary'}
          busy={save.isPending && 'Saving'}
          onClick={() => {
            submit();
          }}
        >
          {failedTest ? 'Save anyway' : 'Save'} <Keys keys="mod+s" />
        </Button>
      </span>
      {reasons && (
        <LockOutDialog
          title="Save these settings?"
          reasons={reasons}
          confirm="Save anyway"
          busy={save.isPending}
          onConfirm={() => {
            submit(true);
          }}
          onClose={() => {
            save.reset();
          }}
        />
      )}
    </div>
  );
}
