import { useState } from 'react';

/** The storage key of an unsaved workflow text. */
function keyOf(id: string): string {
  return `quarterdeck workflow draft ${id}`;
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Without storage, the draft lives as long as the page.
    return null;
  }
}

/** An unsaved text; it survives closing the window until it is saved or discarded. */
export function useDraft(id: string, saved: string) {
  const key = keyOf(id);
  const [text, set] = useState(() => stored(key) ?? saved);
  const forget = () => {
    try {
      localStorage.removeItem(key);
    } catch {
      // Nothing was stored.
    }
  };
  const setText = (next: string) => {
    set(next);
    try {
      if (next === saved) localStorage.removeItem(key);
      else localStorage.setItem(key, next);
    } catch {
      // Too long, or not allowed: it lives as long as the page.
    }
  };
  return { text, setText, isChanged: text !== saved, forget };
}
