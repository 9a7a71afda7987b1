import { Search } from 'lucide-react';
import { useRef } from 'react';
import { useCommands } from '../keyboard/commands';

/** Filters the rows of this page while it is typed; `/` goes there, Esc empties it. */
export function SearchBox({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useCommands([
    {
      id: `search ${label}`,
      title: label,
      group: 'Do',
      keys: '/',
      icon: Search,
      run: () => {
        input.current?.focus();
      },
    },
  ]);
  return (
    <span className="inbox searchbox">
      <Search className="i s" />
      <input
        ref={input}
        className="in"
        type="search"
        placeholder={label}
        aria-label={label}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onChange('');
          event.currentTarget.blur();
        }}
      />
      <kbd>/</kbd>
    </span>
  );
}
