const closed = <path d="m9 18 6-6-6-6" />;
const open = <path d="m6 9 6 6 6-6" />;

/** Opens and closes a row. Its mark is Lucide's chevron, drawn without that library: every row has one, and it is the larger part of what a row takes. */
export function Twist({
  isOpen,
  indent,
  onTurn,
}: {
  isOpen: boolean;
  /** In px, for rows below others. */
  indent: number;
  onTurn: () => void;
}) {
  return (
    <button
      type="button"
      className="twist"
      aria-expanded={isOpen}
      aria-label={isOpen ? 'Collapse' : 'Expand'}
      style={indent > 0 ? { marginLeft: indent } : undefined}
      onClick={onTurn}
    >
      <svg className="i" viewBox="0 0 24 24" aria-hidden="true">
        {isOpen ? open : closed}
      </svg>
    </button>
  );
}
