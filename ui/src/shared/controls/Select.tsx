import { ChevronDown } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useRef } from 'react';
import { useCommands } from '../keyboard/commands';

/**
 * A choice from a list, looking like a chip: "Group by **Service**". A real `select`, so its role is combobox and its name is `label`.
 */
export function Select<Value extends string>({
  label,
  value,
  options,
  onChange,
  icon: Icon,
  hideLabel = false,
  command,
}: {
  label: string;
  value: Value;
  /** `hint` says in the open list what an entry means. */
  options: readonly { value: Value; label: string; group?: string; hint?: string }[];
  onChange: (value: Value) => void;
  icon?: LucideIcon;
  hideLabel?: boolean;
  /** A command that opens the list: "Change grouping" under `shift+g`. */
  command?: { title: string; keys: string };
}) {
  const select = useRef<HTMLSelectElement>(null);
  useCommands(
    command
      ? [
          {
            id: `select ${label}`,
            group: 'Do',
            ...command,
            run: () => {
              select.current?.focus();
              try {
                select.current?.showPicker();
              } catch {
                // Opening needs a key press or a click right before; the palette gives the focus only.
              }
            },
          },
        ]
      : [],
  );
  const groups = [...new Set(options.map((option) => option.group ?? ''))];
  const entry = (option: { value: Value; label: string; hint?: string }) => (
    <option key={option.value} value={option.value}>
      {option.hint ? `${option.label}: ${option.hint}` : option.label}
    </option>
  );
  return (
    <label className="chip pick">
      {Icon && <Icon className="i" />}
      <span className={hideLabel ? 'sr' : 'k'}>{label}</span>
      <span aria-hidden="true">{options.find((option) => option.value === value)?.label ?? value}</span>
      <ChevronDown className="i" />
      <select
        ref={select}
        aria-label={label}
        value={value}
        onChange={(event) => {
          onChange(event.target.value as Value);
        }}
      >
        {groups.map((group) => {
          const entries = options.filter((option) => (option.group ?? '') === group).map(entry);
          return group ? (
            <optgroup key={group} label={group}>
              {entries}
            </optgroup>
          ) : (
            entries
          );
        })}
      </select>
    </label>
  );
}
