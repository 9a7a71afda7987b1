import { keyLabels } from './keys';

/** The keys of a command, for buttons, menus and the sheet. */
export function Keys({ keys }: { keys: string }) {
  return keyLabels(keys).map((label, index) => (
    <span key={index} className="row keys">
      {index > 0 && <span className="faint">then</span>}
      <kbd>{label}</kbd>
    </span>
  ));
}
