import { Search } from 'lucide-react';
import { useRef } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { useCommands } from '../keyboard/commands';

/** A field that looks for something: `keys` go there, Esc empties and leaves it. `children` stand below the field. */
export function SearchField({
  label,
  keys,
  value,
  onChange,
  onKeyDown,
  className = '',
  children,
  ...rest
}: {
  label: string;
  keys?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  /** Of the frame. */
  className?: string;
  children?: ReactNode;
} & Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'className' | 'ref'>) {
  const input = useRef<HTMLInputElement>(null);
  useCommands(
    keys === undefined
      ? []
      : [
          {
            id: `search ${label}`,
            title: label,
            group: 'Do',
            keys,
            icon: Search,
            run: () => {
              input.current?.focus();
            },
          },
        ],
  );
  return (
    <span className={`inbox searchbox ${className}`}>
      <Search className="i s" />
      <input
        {...rest}
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
          onKeyDown?.(event);
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onChange('');
          event.currentTarget.blur();
        }}
      />
      {keys !== undefined && <kbd>{keys}</kbd>}
      {children}
    </span>
  );
}
