/** The mark, in the accent of the theme. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" rx="7" fill="var(--accent)" />
      <path d="M6.5 17.5a8 8 0 0 1 8-8v8z" fill="var(--on-accent)" />
      <path d="M17 9.5h4.5v8H17z" fill="var(--on-accent)" opacity=".42" />
      <path d="M6.5 20h15v2h-15z" fill="var(--on-accent)" />
    </svg>
  );
}
