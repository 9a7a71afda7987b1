import { ChevronDown } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';

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
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; group?: string }[];
  onChange: (value: Value) => void;
  icon?: LucideIcon;
  hideLabel?: boolean;
}) {
  const groups = [...new Set(options.map((option) => option.group ?? ''))];
  const entry = (option: { value: Value; label: string }) => (
    <option key={option.value} value={option.value}>
      {option.label}
    </option>
  );
  return (
    <label className="chip pick">
      {Icon && <Icon className="i" />}
      <span className={hideLabel ? 'sr' : 'k'}>{label}</span>
      <span aria-hidden="true">{options.find((option) => option.value === value)?.label ?? value}</span>
      <ChevronDown className="i" />
      <select
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
