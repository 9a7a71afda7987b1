import { useId, useState } from 'react';
import { useGraphQL } from '@/api';
import { SearchField } from '@/shared';
import { Mark } from './Mark';
import { FindThings } from './queries';
import { kindName } from './words';

const most = 12;

/** Finds a thing of the graph by a part of its name; `keys` lead to it. */
export function FindThing({
  label,
  keys,
  accounts,
  onChoose,
}: {
  label: string;
  keys?: string;
  /** Names of accounts by id. */
  accounts: ReadonlyMap<string, string>;
  onChoose: (id: string) => void;
}) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const sought = text.trim();
  const query = useGraphQL(
    FindThings,
    { request: { name_pattern: sought, limit: most } },
    { enabled: sought.length > 0 },
  );
  const answer = sought.length > 0 ? query.data?.kg_list_nodes : undefined;
  const found = (answer?.nodes ?? []).flatMap((one) => one ?? []);
  const isShown = isOpen && sought.length > 0;
  const choose = (id: string | undefined) => {
    if (id === undefined) return;
    setText('');
    setOpen(false);
    // Moves the focus from the field to the page, so that shortcuts work and Tab continues there.
    document.getElementById('main')?.focus({ preventScroll: true });
    onChoose(id);
  };
  return (
    <SearchField
      className="kg-find"
      label={label}
      keys={keys}
      role="combobox"
      aria-expanded={isShown}
      aria-controls={listId}
      aria-autocomplete="list"
      {...(isShown && found[at] ? { 'aria-activedescendant': `${listId}-${String(at)}` } : {})}
      value={text}
      onChange={(typed) => {
        setText(typed);
        setAt(0);
        setOpen(true);
      }}
      onBlur={() => {
        setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') choose(found[at]?.id);
        else if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1));
        else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
        else return;
        event.preventDefault();
      }}
    >
      <ul className="kg-found float" id={listId} role="listbox" aria-label={label} hidden={!isShown}>
        {found.map((one, place) => (
          <li
            key={one.id}
            id={`${listId}-${String(place)}`}
            role="option"
            aria-selected={place === at}
            onPointerDown={(event) => {
              // The field keeps the focus until a node is chosen.
              event.preventDefault();
              choose(one.id);
            }}
          >
            <Mark kind={one.node_type} />
            <span className="grow">
              <span className="cut block">{one.name}</span>
              <span className="cut block small muted">
                {[kindName(one.node_type), one.namespace, accounts.get(one.cloud_account_id ?? '')]
                  .filter(Boolean)
                  .join(', ')}
              </span>
            </span>
          </li>
        ))}
        {found.length === 0 && (
          <li className="muted" role="option" aria-selected="false" aria-disabled="true">
            {query.isPending || query.isPlaceholderData ? 'Searching…' : `No node has “${sought}” in its name`}
          </li>
        )}
        {(answer?.total_count ?? 0) > found.length && (
          <li className="small muted" role="option" aria-selected="false" aria-disabled="true">
            {`${String(answer?.total_count ?? 0)} in all; type more of the name`}
          </li>
        )}
      </ul>
    </SearchField>
  );
}
