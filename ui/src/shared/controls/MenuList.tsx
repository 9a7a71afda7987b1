import type { LucideIcon } from 'lucide-react';
import { Fragment, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { Keys } from '../keyboard/Keys';
import { placeOf } from './menuPlace';
import { matchOf } from './menuSearch';

export interface MenuEntry {
  label: string;
  /** What exactly the entry does: "47 rows, current filters, 7 columns". A function is called when the list opens. */
  detail?: string | (() => string);
  icon?: LucideIcon;
  keys?: string;
  /** Why it cannot be chosen. */
  disabled?: string | undefined;
  /** Draws a line above. */
  apart?: boolean;
  run: () => void;
}

/** Time after which type-ahead starts over, in ms. */
const patience = 1_000;

/** The entries that can be chosen, in their order. */
const itemsIn = (list: HTMLElement) => [
  ...list.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])'),
];

/** The list of a menu: there only while it is open. It has the focus, or one of its entries has. */
export function MenuList({
  id,
  button,
  entries,
  label,
  isByKeys,
  onClose,
}: {
  id: string;
  button: HTMLElement;
  entries: readonly MenuEntry[];
  label: string;
  /** It was opened by a key: its first entry has the focus then. */
  isByKeys: boolean;
  /** Called with whether the focus returns to the button. */
  onClose: (isBack: boolean) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  useStanding(list, button, onClose);
  const begin = useEffectEvent(() => {
    const first = isByKeys && list.current ? itemsIn(list.current)[0] : undefined;
    (first ?? list.current)?.focus({ preventScroll: true });
  });
  useLayoutEffect(() => {
    begin();
  }, []);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, timeStamp } = event;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const items = itemsIn(event.currentTarget);
    const at = items.findIndex((item) => item === target);
    const { text, at: since } = typed.current;
    const before = timeStamp - since < patience ? text : '';
    const next = placeAfter(key, at, items.length - 1);
    if (key === 'Enter' || (key === ' ' && before === '')) items[at]?.click();
    else if (next !== undefined) items[next]?.focus();
    else if (key.length === 1) {
      typed.current = { text: before + key, at: timeStamp };
      const words = items.map((item) => item.textContent.trim());
      items[matchOf(words, before + key, at)]?.focus();
    } else if (key !== 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      id={id}
      ref={list}
      className="pop menu float"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {entries.map((entry) => (
        <Fragment key={entry.label}>
          {entry.apart && <hr />}
          <Item
            {...entry}
            onChoose={() => {
              // Called first: a dialog that opens returns the focus to the element that has it at that time.
              onClose(true);
              entry.run();
            }}
            onRest={() => {
              list.current?.focus({ preventScroll: true });
            }}
          />
        </Fragment>
      ))}
    </div>
  );
}

function Item({
  icon: Icon,
  label,
  detail,
  keys,
  disabled,
  onChoose,
  onRest,
}: MenuEntry & {
  onChoose: () => void;
  /** Focuses the list. */
  onRest: () => void;
}) {
  /** Releasing a pointer that was pressed elsewhere also chooses the entry. */
  const isHeld = useRef(false);
  const isOff = disabled !== undefined;
  const below = disabled ?? (typeof detail === 'function' ? detail() : detail);
  const move = ({ currentTarget, pointerType }: PointerEvent<HTMLElement>) => {
    if (pointerType !== 'mouse') return;
    if (isOff) onRest();
    else currentTarget.focus({ preventScroll: true });
  };
  return (
    <div
      className="it"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={isOff || undefined}
      onClick={() => {
        if (!isOff) onChoose();
      }}
      onPointerDown={() => {
        isHeld.current = true;
      }}
      onPointerUp={(event) => {
        if (!isHeld.current) event.currentTarget.click();
      }}
      onPointerMove={move}
      onPointerLeave={({ pointerType }) => {
        if (pointerType === 'mouse') onRest();
      }}
    >
      {Icon && <Icon className="i" />}
      <span>
        {label}
        {below && <span className="small muted block">{below}</span>}
      </span>
      {keys && (
        <span className="end">
          <Keys keys={keys} />
        </span>
      )}
    </div>
  );
}

/** The index a key moves to from `at` (-1: none); undefined for other keys. */
function placeAfter(key: string, at: number, last: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, last);
    case 'ArrowUp':
      return at < 0 ? last : Math.max(at - 1, 0);
    case 'Home':
    case 'PageUp':
      return 0;
    case 'End':
    case 'PageDown':
      return last;
    default:
      return undefined;
  }
}

/** Positions a list next to its button, and closes it on a click elsewhere or on Escape. */
function useStanding(
  list: { current: HTMLElement | null },
  button: HTMLElement,
  onClose: (isBack: boolean) => void,
): void {
  const place = useEffectEvent(() => {
    if (list.current) stand(list.current, button);
  });
  // On every render: entries may load later and make the list taller.
  useLayoutEffect(() => {
    place();
  });
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const isIn = (target: EventTarget | null, part: Element | null) => target instanceof Node && part?.contains(target);
    const leave = ({ target }: Event) => {
      // A press of the button closes it there.
      if (!isIn(target, list.current) && !isIn(target, button)) close(false);
    };
    const escape = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Stops the event: a panel around the button would close as well.
      event.preventDefault();
      event.stopPropagation();
      close(true);
    };
    const follow = ({ target }: Event) => {
      if (!isIn(target, list.current)) place();
    };
    const leaveWindow = () => {
      close(true);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    document.addEventListener('keydown', escape, true);
    window.addEventListener('scroll', follow, true);
    window.addEventListener('resize', follow);
    window.addEventListener('blur', leaveWindow);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
      document.removeEventListener('keydown', escape, true);
      window.removeEventListener('scroll', follow, true);
      window.removeEventListener('resize', follow);
      window.removeEventListener('blur', leaveWindow);
    };
  }, [list, button]);
}

/** Positions a list next to its button, clipped to the available height of the window. */
function stand(list: HTMLElement, button: HTMLElement): void {
  const { style } = list;
  style.maxHeight = 'none';
  const size = { width: list.offsetWidth, height: list.offsetHeight };
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const place = placeOf(button.getBoundingClientRect(), size, { width, height });
  style.left = `${String(place.left)}px`;
  style.top = `${String(place.top)}px`;
  style.maxHeight = `${String(place.maxHeight)}px`;
}
