import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { Button, Field, Filters } from '@/shared';
import type { FilterField } from '@/shared';
import type { RuleDraft, RuleProblems } from './draft';
import { words } from './words';

const panel = words.panel;
const kinds = ['value', 'tags'] as const;

/** One rule of a virtual tag: its charges and the value it sets. */
export function RuleFields({
  place,
  rule,
  problems,
  isFixed,
  isLast,
  fields,
  taken,
  set,
  move,
  remove,
}: {
  /** Counted from 1. */
  place: number;
  rule: RuleDraft;
  problems: RuleProblems;
  isFixed: boolean;
  isLast: boolean;
  fields: readonly FilterField[];
  /** The preview of the rule; undefined while it is unknown. */
  taken: string | undefined;
  set: (to: Partial<RuleDraft>) => void;
  move: (by: 1 | -1) => void;
  remove: () => void;
}) {
  const text = (name: 'untagged' | 'resource' | 'value' | 'tags', label: string, help?: string, error?: string) => (
    <Field label={label} {...(help ? { help } : {})} error={error}>
      {(control) => (
        <input
          {...control}
          className={name === 'tags' || name === 'untagged' ? 'in mono' : 'in'}
          value={rule[name]}
          disabled={isFixed}
          onChange={(event) => {
            set({ [name]: event.target.value });
          }}
        />
      )}
    </Field>
  );
  const button = (label: string, icon: typeof Trash2, isOff: boolean, run: () => void) => {
    const Icon = icon;
    return (
      <Button
        kind="quiet"
        size="small"
        iconOnly
        aria-label={`${label}: ${panel.rule(place)}`}
        disabled={isOff}
        onClick={run}
      >
        <Icon className="i s" />
      </Button>
    );
  };
  return (
    <section className="sec" aria-label={panel.rule(place)}>
      <div className="row">
        <h3 className="grow">{panel.rule(place)}</h3>
        {!isFixed && (
          <>
            {button(panel.up, ArrowUp, place === 1, () => {
              move(-1);
            })}
            {button(panel.down, ArrowDown, isLast, () => {
              move(1);
            })}
            {button(panel.removeRule, Trash2, false, remove)}
          </>
        )}
      </div>
      <div className="row wrap">
        <Filters
          fields={fields}
          value={rule.scope}
          onChange={(scope) => {
            if (!isFixed) set({ scope: scope.map(({ field, values }) => ({ field, values })) });
          }}
        />
      </div>
      {text('untagged', panel.untagged)}
      {text('resource', panel.resource)}
      <Field label={panel.gives}>
        {(control) => (
          <select
            {...control}
            className="sel"
            value={rule.gives}
            disabled={isFixed}
            onChange={(event) => {
              set({ gives: event.target.value as RuleDraft['gives'] });
            }}
          >
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {panel.kinds[kind]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {rule.gives === 'value'
        ? text('value', panel.value, undefined, problems.value)
        : text('tags', panel.tags, panel.tagsHelp, problems.tags)}
      {taken !== undefined && <p className="small muted">{taken}</p>}
    </section>
  );
}
