import { count } from '../format/number';
import { useCurrentInView } from '../useCurrentInView';

/** Different content under one title; arrow keys move between tabs. Give the content `role="tabpanel"`. */
export function Tabs<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; count?: number | undefined }[];
  onChange: (value: Value) => void;
}) {
  const row = useCurrentInView<HTMLDivElement>(value);
  const move = (step: number, row: HTMLElement | null) => {
    const at = options.findIndex((option) => option.value === value);
    const next = (at + step + options.length) % options.length;
    const option = options[next];
    if (!option) return;
    onChange(option.value);
    row?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div
      className="tabs"
      ref={row}
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') move(1, event.currentTarget);
        if (event.key === 'ArrowLeft') move(-1, event.currentTarget);
      }}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="tab"
          aria-selected={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => {
            onChange(option.value);
          }}
        >
          {option.label}
          {option.count !== undefined && <span className="n"> {count(option.count)}</span>}
        </button>
      ))}
    </div>
  );
}
