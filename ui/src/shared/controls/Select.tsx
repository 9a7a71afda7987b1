import { ChevronDown } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import { useCommands } from '../keyboard/commands';
import { useLater } from '../useLater';

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
  /** `hint` explains an entry in the open list. */
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
                // Opening needs a preceding key press or click; the palette only moves the focus.
              }
            },
          },
        ]
      : [],
  );
  // The list may be long and is hidden at first, so it contains only the selected entry until then. A focus loads it at once.
  const isLater = useLater();
  const [isAsked, setAsked] = useState(false);
  const listed = isLater || isAsked ? options : options.filter((option) => option.value === value);
  const groups = [...new Set(listed.map((option) => option.group ?? ''))];
  const entry = (option: { value: Value; label: string; hint?: string }) => (
    <option key={option.value} value={option.value}>
      {option.hint ? `${option.label}: ${option.hint}` : option.label}
    </option>
  );
  const shown = options.find((option) => option.value === value)?.label ?? value;
  return (
    <label className="chip pick" title={shown}>
      {Icon && <Icon className="i" />}
      <span className={hideLabel ? 'sr' : 'k'}>{label}</span>
      <span className="cut" aria-hidden="true">
        {shown}
      </span>
      <ChevronDown className="i" />
      <select
        ref={select}
        aria-label={label}
        value={value}
        onFocus={() => {
          setAsked(true);
        }}
        onChange={(event) => {
          onChange(event.target.value as Value);
        }}
      >
        {groups.map((group) => {
          const entries = listed.filter((option) => (option.group ?? '') === group).map(entry);
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
