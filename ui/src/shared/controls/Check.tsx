import { Check as Mark, Minus } from 'lucide-react';

/** A check box in the house's look; `some` draws the dash of a partly selected list. */
export function Check({
  label,
  checked,
  onChange,
  hideLabel = false,
}: {
  label: string;
  checked: boolean | 'some';
  onChange: (checked: boolean, shift: boolean) => void;
  hideLabel?: boolean;
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={checked === true}
        ref={(input) => {
          // Only a property can say it; React has no attribute for it.
          if (input) input.indeterminate = checked === 'some';
        }}
        onChange={(event) => {
          onChange(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey);
        }}
      />
      <span className={checked ? 'box on' : 'box'} aria-hidden="true">
        {checked === 'some' ? <Minus className="i" /> : checked && <Mark className="i" />}
      </span>
      <span className={hideLabel ? 'sr' : ''}>{label}</span>
    </label>
  );
}
