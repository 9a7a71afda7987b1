import { CircleCheck, Info, OctagonX, X } from 'lucide-react';
import { useEffect, useState } from 'react';
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

/** Where toasts appear; the frame shows it once. */
export function Toasts() {
  const all = useStore(toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {all.map((entry) => (
        <Card key={entry.id} {...entry} />
      ))}
    </div>
  );
}
