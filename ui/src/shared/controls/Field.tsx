import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { problemSentence } from '../format/problem';

export interface FieldProps {
  label: string;
  help?: ReactNode;
  error?: string | undefined;
  /** The name of the setting, at the right in mono. */
  setting?: string;
  /** When it is needed, at the right. */
  hint?: string;
  /** Renders the control. Spread the attributes on it, so that label, help and error refer to it. */
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

/** Label above, help below, error in place of nothing: the control keeps its position. */
export function Field({ label, help, error, setting, hint, children }: FieldProps) {
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {setting && <span className="env">{setting}</span>}
        {hint && <span className="field-hint">{hint}</span>}
      </label>
      {children({
        id,
        ...(described ? { 'aria-describedby': described } : {}),
        ...(error ? { 'aria-invalid': true as const } : {}),
      })}
      {error && (
        <span className="err" id={`${id}-error`}>
          <CircleAlert className="i" />
          {problemSentence(error)}
        </span>
      )}
      {help && (
        <span className="help" id={`${id}-help`}>
          {help}
        </span>
      )}
    </div>
  );
}
