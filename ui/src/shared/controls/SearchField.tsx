import { Search } from 'lucide-react';
import { useRef } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { useCommands } from '../keyboard/commands';
import { isGone } from './heldFocus';

/**
 * A field that looks for something: `keys` go there, Enter leaves it for what was found, Esc empties and leaves it. Whoever leaves is where they were
 * before. `children` stand below the field.
 */
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
  const before = useRef<Element | null>(null);
  const leave = () => {
    const { current: back } = before;
    before.current = null;
    input.current?.blur();
    if (keys === undefined) return;
    if (back instanceof HTMLElement && back !== document.body && !isGone(back)) back.focus();
    else document.querySelector<HTMLElement>('#main')?.focus();
  };
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
              before.current = document.activeElement;
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
          const isEscape = event.key === 'Escape';
          const isEnter = event.key === 'Enter' && keys !== undefined && !event.nativeEvent.isComposing;
          if (event.defaultPrevented ? !isEscape : !isEscape && !isEnter) return;
          event.preventDefault();
          if (isEscape) onChange('');
          leave();
        }}
      />
      {keys !== undefined && <kbd>{keys}</kbd>}
      {children}
    </span>
  );
}
