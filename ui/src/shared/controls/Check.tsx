import { Check as Mark, Minus } from 'lucide-react';
import type { ReactNode } from 'react';

/**
 * A check box in the house's look; `some` draws the dash of a partly selected list.
 *
 * The box is the input itself: long tables have one in every row, and each element in it is paid for as often.
 */
export function Check({
  label,
  checked,
  onChange,
  hideLabel = false,
  mark,
}: {
  label: string;
  checked: boolean | 'some';
  onChange: (checked: boolean, shift: boolean) => void;
  hideLabel?: boolean;
  /** Shown before the label. */
  mark?: ReactNode;
}) {
  return (
    <label className={hideLabel ? 'check unnamed' : 'check'}>
      <input
        type="checkbox"
        className="box"
        aria-label={hideLabel ? label : undefined}
        checked={checked === true}
        ref={(input) => {
          // Only a DOM property can set it; React has no attribute for it.
          if (input) input.indeterminate = checked === 'some';
        }}
        onChange={(event) => {
          onChange(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey);
        }}
      />
      {checked === 'some' ? <Minus className="i" /> : checked && <Mark className="i" />}
      {mark}
      {!hideLabel && <span>{label}</span>}
    </label>
  );
}
