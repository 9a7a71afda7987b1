import { Plus, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { isChanged } from './library';
import type { Library, Tab } from './library';
import { titleOf } from './operation';

export function nameOf(library: Library, tab: Tab): string {
  return library.saved.find(({ id }) => id === tab.savedId)?.name ?? titleOf(tab.query) ?? 'New query';
}

/** The open queries; arrow keys move along, Delete closes. */
export function QueryTabs({
  library,
  onChoose,
  onClose,
  onNew,
}: {
  library: Library;
  onChoose: (id: string) => void;
  onClose: (id: string) => void;
  onNew: () => void;
}) {
  const { tabs, activeId } = library;
  const at = tabs.findIndex(({ id }) => id === activeId);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Delete') {
      event.preventDefault();
      onClose(activeId);
      return;
    }
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step && tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[tabs.indexOf(next)]?.focus();
  };
  return (
    <div className="tabs query-tabs">
      <div className="list" role="tablist" aria-label="Open queries" onKeyDown={onKeyDown}>
        {tabs.map((tab) => {
          const name = nameOf(library, tab);
          const active = tab.id === activeId;
          return (
            <span key={tab.id} role="presentation" className={active ? 'tab on' : 'tab'}>
              <button
                type="button"
                role="tab"
                className="cut"
                title={isChanged(library, tab) ? `${name}, changed since it was saved` : name}
                aria-selected={active}
                tabIndex={active ? 0 : -1}
                onClick={() => {
                  onChoose(tab.id);
                }}
              >
                {name}
                {isChanged(library, tab) && <span className="faint"> •</span>}
              </button>
              {active && tabs.length > 1 && (
                <button
                  type="button"
                  className="close"
                  aria-label={`Close ${name}`}
                  tabIndex={-1}
                  onClick={() => {
                    onClose(tab.id);
                  }}
                >
                  <X className="i s" />
                </button>
              )}
            </span>
          );
        })}
      </div>
      <button type="button" className="new" aria-label="New query" title="New query" onClick={onNew}>
        <Plus className="i s" />
      </button>
    </div>
  );
}
