import { CircleCheck, Info, OctagonX, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { createStore, useStore } from './store';

export interface Toast {
  tone: 'ok' | 'bad' | 'info';
  text: string;
  action?: { label: string; run: () => void };
}

const toasts = createStore<readonly (Toast & { id: number })[]>([]);
let last = 0;

/** Shows the result of an action that happened elsewhere on the page. Never the only record of it. Returns a function that closes the toast. */
export function toast(message: Toast): () => void {
  last += 1;
  const entry = { ...message, id: last };
  toasts.set((all) => [...all.slice(-3), entry]);
  return () => {
    close(entry.id);
  };
}

/** How long a toast stays, in milliseconds; toasts with Undo stay longer. */
const stays = 6_000;
const staysWithAction = 10_000;

function close(id: number): void {
  toasts.set((all) => all.filter((entry) => entry.id !== id));
}

const icons = { ok: CircleCheck, bad: OctagonX, info: Info };

function Card({ id, tone, text, action }: Toast & { id: number }) {
  const [held, setHeld] = useState(false);
  const time = action ? staysWithAction : stays;
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => {
      close(id);
    }, time);
    return () => {
      clearTimeout(timer);
    };
  }, [id, held, time]);
  const Icon = icons[tone];
  const hold = () => {
    setHeld(true);
  };
  const release = () => {
    setHeld(false);
  };
  return (
    <div className="toast" onMouseEnter={hold} onMouseLeave={release} onFocus={hold} onBlur={release}>
      <span className={`st ${tone}`}>
        <Icon className="i" />
      </span>
      <span className="grow">{text}</span>
      {action && (
        <button
          type="button"
          className="btn sm ghost"
          onClick={() => {
            action.run();
            close(id);
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className="btn icon sm ghost"
        aria-label="Close"
        onClick={() => {
          close(id);
        }}
      >
        <X className="i s" />
      </button>
    </div>
  );
}

/** Selectors of action bars at the bottom of a page, panel or dialog: toasts are placed above them. */
const feet = '.savebar, .df, .page .foot, .composer';

/** Height of the tallest action bar at the lower edge of the window, in px; 0 if there is none. */
function footHeight(): number {
  const height = window.innerHeight;
  const tops = [...document.querySelectorAll(feet)].flatMap((foot) => {
    const { top, bottom } = foot.getBoundingClientRect();
    // An action bar in the middle of the window, for example of a short dialog, does not overlap toasts.
    const isAtEdge = bottom > height * 0.85 && top < bottom && top > height / 2 && top < height;
    return isAtEdge ? [height - top] : [];
  });
  return Math.max(0, ...tops);
}

/** Keeps visible toasts above the action bar at the bottom of the page, including one that appears or grows later. */
function useAboveFeet(isShown: boolean): RefObject<HTMLDivElement | null> {
  const toastList = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!isShown) return;
    const lift = () => {
      toastList.current?.style.setProperty('--foot', `${String(Math.round(footHeight()))}px`);
    };
    lift();
    const changes = new MutationObserver(lift);
    changes.observe(document.body, { childList: true, subtree: true });
    window.addEventListener('resize', lift);
    return () => {
      changes.disconnect();
      window.removeEventListener('resize', lift);
    };
  }, [isShown]);
  return toastList;
}

/** Where toasts appear; the frame shows it once. */
export function Toasts() {
  const all = useStore(toasts);
  const toastList = useAboveFeet(all.length > 0);
  return (
    <div className="toasts" role="status" aria-live="polite" ref={toastList}>
      {all.map((entry) => (
        <Card key={entry.id} {...entry} />
      ))}
    </div>
  );
}
