import type { Draft } from './draft';
import type { SettingName, Settings } from './types';

/** The source of a setting's value, with a button to use the environment's value. */
export function Source({
  name,
  settings,
  draft,
  change,
}: {
  name: SettingName;
  settings: Settings;
  draft: Draft;
  change: (changes: Draft) => void;
}) {
  const { source, overrides, environment } = settings.values[name];
  const changed = draft[name];
  const back = (words: string) => (
    <button
      type="button"
      className="bare"
      onClick={() => {
        change({ [name]: null });
      }}
    >
      {words}
    </button>
  );
  if (changed === null)
    return (
      <span className="from">
        {environment === null ? 'Empty once saved.' : 'The environment’s value applies once saved.'}
      </span>
    );
  if (changed !== undefined && source === 'environment')
    return (
      <span className="from">
        Not saved yet. It will override <code>{name}</code> in the environment.
      </span>
    );
  if (changed !== undefined) return <span className="from">Not saved yet.</span>;
  if (source === 'environment')
    return (
      <span className="from">
        Set by <code>{name}</code> in the environment. A value saved here overrides it at once.
      </span>
    );
  if (source === 'saved' && overrides === 'environment')
    return (
      <span className="from">
        Saved here; it overrides the environment{environment ? ', which has ' : '.'}
        {environment && <code>{shortened(environment)}</code>}
        {back('Use the environment’s')}
      </span>
    );
  return null;
}

/** A certificate is long; its beginning is enough to recognise it. */
function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
