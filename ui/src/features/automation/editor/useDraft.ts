import { useState } from 'react';

/** Where the text of a workflow that is being written is kept until it is saved. */
function keyOf(id: string): string {
  return `quarterdeck workflow draft ${id}`;
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // A browser that keeps nothing: the draft lives as long as the page.
    return null;
  }
}

/** A text that is being written; it survives a closed window until it is saved or given up. */
export function useDraft(id: string, saved: string) {
  const key = keyOf(id);
  const [text, set] = useState(() => stored(key) ?? saved);
  const forget = () => {
    try {
      localStorage.removeItem(key);
    } catch {
      // Nothing was kept.
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
