import { Plus } from 'lucide-react';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { useGraphQL } from '@/api';
import { Button, Check, Field, Form, SidePanel, Status, money, plural } from '@/shared';
import { DraftActions } from '../DraftActions';
import { useScopeFields } from '../scopeFields';
import { useDraft } from '../useDraft';
import { draftOf, keyOf, newRule, newTag, problemsOf, rowOf } from './draft';
import type { RuleDraft, TagDraft } from './draft';
import { TagPreview as Asked } from './queries';
import type { PreviewRow, VirtualTag } from './queries';
import { RuleFields } from './RuleFields';
import { ofRule } from './sums';
import { TagPreview } from './TagPreview';
import { useTagActs } from './useTagActs';
import { words } from './words';

const panel = words.panel;

/** One virtual tag: its rules, and a preview for the month before saving. */
export function TagPanel({
  tag,
  keys,
  position,
  range,
  last,
  monthName,
  several,
  onClose,
  onDone,
}: {
  /** Undefined for one that is being added. */
  tag: VirtualTag | undefined;
  /** Spellings of a key for a new tag. */
  keys: readonly string[];
  /** The position of a new tag. */
  position: number;
  range: { from: string; to: string };
  /** The last day with costs. */
  last: string;
  monthName: string;
  several: boolean;
  onClose: () => void;
  onDone: (id: string | null) => void;
}) {
  const form = useId();
  const stored = useMemo(() => (tag ? draftOf(tag) : newTag(keys)), [tag, keys]);
  const [hasOwnKey, setHasOwnKey] = useState(tag !== undefined || keys.length > 0);
  const { act, reason } = useTagActs();
  const isFixed = reason !== undefined;
  // Rules look at tags of files, not at virtual ones.
  const fields = useScopeFields(last).fields.filter(({ id }) => !id.startsWith('tag:virtual:'));
  const drafted = useDraft({
    stored,
    problemsOf,
    isFixed,
    isPending: act.isPending,
    command: { id: 'virtual-tag-save', title: panel.save },
    onSave: (draft) => {
      act.mutate(tag ? { kind: 'change', tag, draft } : { kind: 'add', draft, position }, { onSuccess: onDone });
    },
  });
  const { draft, set, shown, problems, save, isChanged } = drafted;
  const settled = useDeferredValue(draft);
  const { rules, other_value } = rowOf(settled);
  const canBeAsked = problemsOf(settled).rules === undefined;
  const found = useGraphQL(Asked, { request: { ...range, rules, other_value } }, { enabled: canBeAsked });
  const preview = canBeAsked ? (found.data?.virtual_tag_preview ?? undefined) : undefined;
  const setRules = (to: RuleDraft[]) => {
    set({ rules: to });
  };
  return (
    <SidePanel
      label={panel.label}
      isNew={tag === undefined}
      onClose={onClose}
      head={<h2 className="ttl">{tag?.name ?? panel.newTitle}</h2>}
      actions={
        !isFixed && (
          <DraftActions
            words={panel}
            // A tag started from spellings of a key can be saved unchanged.
            of={{ ...drafted, isChanged: isChanged || (!tag && keys.length > 0) }}
            isPending={act.isPending}
            onRemove={
              tag &&
              (() => {
                act.mutate({ kind: 'remove', tag }, { onSuccess: onDone });
              })
            }
            form={form}
          />
        )
      }
    >
      <Form id={form} className="stack" onSubmit={save}>
        <Field label={panel.name} error={shown.name}>
          {(control) => (
            <input
              {...control}
              className="in"
              value={draft.name}
              disabled={isFixed}
              onChange={({ target: { value } }) => {
                set({ name: value, ...(hasOwnKey ? {} : { key: keyOf(value) }) });
              }}
            />
          )}
        </Field>
        <Field label={panel.key} help={panel.keyHelp(draft.key)} error={shown.key}>
          {(control) => (
            <input
              {...control}
              className="in mono"
              value={draft.key}
              disabled={isFixed}
              onChange={({ target: { value } }) => {
                setHasOwnKey(true);
                set({ key: value });
              }}
            />
          )}
        </Field>
        {tag && !isFixed && (
          <div className="field">
            <Check
              label={panel.active}
              checked={draft.isActive}
              onChange={(isActive) => {
                set({ isActive });
              }}
            />
            <span className="help">{panel.activeHelp}</span>
          </div>
        )}
        <p className="small muted">{panel.rulesHelp}</p>
        {draft.rules.map((rule, index) => (
          <RuleFields
            // Rules have no id: they are identified by position.
            key={index}
            place={index + 1}
            rule={rule}
            problems={shown.rules?.[index] ?? {}}
            isFixed={isFixed}
            isLast={index === draft.rules.length - 1}
            fields={fields}
            taken={preview && takenBy(preview.rows, index + 1, several)}
            set={(to) => {
              setRules(draft.rules.map((one, place) => (place === index ? { ...one, ...to } : one)));
            }}
            move={(by) => {
              setRules(moved(draft, index, by));
            }}
            remove={() => {
              setRules(draft.rules.filter((_, place) => place !== index));
            }}
          />
        ))}
        {!isFixed && (
          <div>
            <Button
              size="small"
              onClick={() => {
                setRules([...draft.rules, newRule()]);
              }}
            >
              <Plus className="i s" />
              {panel.addRule}
            </Button>
          </div>
        )}
        <Field label={panel.other} help={panel.otherHelp}>
          {(control) => (
            <input
              {...control}
              className="in"
              value={draft.other}
              disabled={isFixed}
              onChange={({ target: { value } }) => {
                set({ other: value });
              }}
            />
          )}
        </Field>
      </Form>
      {problems.rules === undefined && (
        <TagPreview answer={preview} error={found.error?.message} monthName={monthName} several={several} />
      )}
      {act.error && (
        <div role="alert">
          <Status tone="bad">{act.error.message}</Status>
        </div>
      )}
    </SidePanel>
  );
}

function moved({ rules }: TagDraft, from: number, by: 1 | -1): RuleDraft[] {
  const rest = rules.filter((_, place) => place !== from);
  const rule = rules[from];
  return rule ? [...rest.slice(0, from + by), rule, ...rest.slice(from + by)] : rules;
}

function takenBy(rows: readonly PreviewRow[], place: number, several: boolean): string {
  const { charges, amounts } = ofRule(rows, place);
  if (charges === 0) return panel.takesNone;
  const sums = amounts.map(({ amount, currency }) => money(amount, currency, { several }));
  return panel.takes(plural(charges, 'charge'), sums.join(', '));
}
