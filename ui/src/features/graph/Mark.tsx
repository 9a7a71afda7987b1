import { lookOf, outline } from './looks';

/** The symbol of a kind, next to its name. */
export function Mark({ kind, size = 6 }: { kind: string; size?: number }) {
  return (
    <svg className="kg-mark" width={14} height={14} viewBox="-7 -7 14 14" aria-hidden="true">
      <Shape kind={kind} size={size} />
    </svg>
  );
}

/** The shape of a kind around the middle. */
export function Shape({ kind, size }: { kind: string; size: number }) {
  const { shape, color } = lookOf(kind);
  return shape === 'circle' ? (
    <circle r={size} style={{ fill: color }} />
  ) : (
    <polygon points={outline(shape, size)} style={{ fill: color }} />
  );
}
