/** A switch without a visible label, where the surrounding text explains it. */
export function Toggle({
  label,
  on,
  onChange,
  reason,
  help,
}: {
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
  /** Why it cannot be used. */
  reason?: string | undefined;
  /** The id of the element that explains it. */
  help?: string;
}) {
  return (
    <button
      type="button"
      className={on ? 'sw on' : 'sw'}
      role="switch"
      aria-checked={on}
      aria-label={label}
      aria-describedby={help}
      disabled={reason !== undefined}
      title={reason}
      onClick={() => {
        onChange(!on);
      }}
    />
  );
}
