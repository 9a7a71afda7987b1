import { initials } from './format/names';

/** Who has something: two letters of the name, which is read out and shown on hover; a dashed ring when nobody is. */
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
