/** The logo; `onArt` is the version for the artwork next to the form. */
export function Logo({ onArt = false }: { onArt?: boolean }) {
  const [ground, figure] = onArt ? ['rgb(255 255 255 / .14)', '#fff'] : ['var(--accent)', 'var(--on-accent)'];
  const size = onArt ? 36 : 28;
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" rx="7" fill={ground} />
      <path d="M6.5 17.5a8 8 0 0 1 8-8v8z" fill={figure} />
      <path d="M17 9.5h4.5v8H17z" fill={figure} opacity=".42" />
      <path d="M6.5 20h15v2h-15z" fill={figure} />
    </svg>
  );
}
