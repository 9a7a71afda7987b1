import { initials } from './format/names';

/** The owner of something: two initials, with the full name for screen readers and on hover. A dashed ring means no owner. */
export function Avatar({ name }: { name: string | null }) {
  return name === null ? (
    <span className="ava none" title="Nobody">
      <span aria-hidden="true">–</span>
      <span className="sr">Nobody</span>
    </span>
  ) : (
    <span className="ava" title={name}>
      <span aria-hidden="true">{initials(name)}</span>
      <span className="sr">{name}</span>
    </span>
  );
}
