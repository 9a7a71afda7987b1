import { cloneElement, useId, useState } from 'react';
import type { ComponentProps, KeyboardEvent, MouseEvent, PointerEvent, ReactElement } from 'react';
import { createPortal } from 'react-dom';
import { MenuList } from './MenuList';
import type { MenuEntry } from './MenuList';

export type { MenuEntry } from './MenuList';

/**
 * A button that opens a list of actions; choosing acts at once. `trigger` is one button element.
 *
 * Written here, as every page has one: a library for it, with what places things beside others, was a tenth of what a browser loads before the first page.
 */
export function Menu({
  trigger,
  entries,
  label,
}: {
  trigger: ReactElement<ComponentProps<'button'>>;
  entries: readonly MenuEntry[];
  label: string;
}) {
  const [opened, setOpened] = useState<'keys' | 'pointer' | null>(null);
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const list = useId();
  const isOpen = opened !== null;
  const toggle = (by: 'keys' | 'pointer') => {
    // A busy button keeps its focus and ignores clicks.
    if (button?.getAttribute('aria-disabled') !== 'true') setOpened(isOpen ? null : by);
  };
  return (
    <>
      {cloneElement(trigger, {
        ref: setButton,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        'aria-controls': isOpen ? list : undefined,
        onPointerDown: (event: PointerEvent) => {
          if (event.button !== 0 || event.ctrlKey) return;
          // The list gets the focus; the click would move it to the button.
          if (!isOpen) event.preventDefault();
          toggle('pointer');
        },
        onKeyDown: (event: KeyboardEvent) => {
          if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return;
          event.preventDefault();
          toggle('keys');
        },
        // The press of the key has opened it already; letting go would be a click.
        onKeyUp: (event: KeyboardEvent) => {
          if (event.key === ' ') event.preventDefault();
        },
        // Pressed without a pointer and a key, as programs that read the page aloud do.
        onClick: (event: MouseEvent) => {
          if (event.detail === 0) toggle('keys');
        },
      })}
      {isOpen &&
        button &&
        createPortal(
          <MenuList
            id={list}
            button={button}
            entries={entries}
            label={label}
            isByKeys={opened === 'keys'}
            onClose={(isBack) => {
              if (isBack) button.focus();
              setOpened(null);
            }}
          />,
          document.body,
        )}
    </>
  );
}
