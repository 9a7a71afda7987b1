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

/** Tells a result that happened elsewhere than where the person looks. Never the only record of it. The answer closes it. */
export function toast(message: Toast): () => void {
  last += 1;
  const entry = { ...message, id: last };
  toasts.set((all) => [...all.slice(-3), entry]);
  return () => {
    close(entry.id);
  };
}

/** How long one stays, in milliseconds: what can be undone needs a moment longer. */
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

/** What is pressed at the foot of a page, a panel or a dialog: toasts stand above it. */
const feet = '.savebar, .df, .page .foot, .composer';

/** How far the highest foot at the lower edge of the window reaches up, px; 0 where there is none. */
function footHeight(): number {
  const height = window.innerHeight;
  const tops = [...document.querySelectorAll(feet)].flatMap((foot) => {
    const { top, bottom } = foot.getBoundingClientRect();
    // One in the middle of the window, of a short dialog say, is not in the way.
    const isAtEdge = bottom > height * 0.85 && top < bottom && top > height / 2 && top < height;
    return isAtEdge ? [height - top] : [];
  });
  return Math.max(0, ...tops);
}

/** While toasts are shown, they are lifted above what is pressed at the foot of the page, also where that comes later or grows. */
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
