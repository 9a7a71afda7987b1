import { createStore, useStore } from './store';

export type ThemeChoice = 'system' | 'light' | 'dark';

// public/first.js uses the same key to apply the choice before the first paint.
const key = 'quarterdeck.theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');

function saved(): ThemeChoice {
  try {
    const choice = localStorage.getItem(key);
    return choice === 'light' || choice === 'dark' ? choice : 'system';
  } catch {
    return 'system';
  }
}

function shown(choice: ThemeChoice): 'light' | 'dark' {
  return choice === 'system' ? (system.matches ? 'dark' : 'light') : choice;
}

const store = createStore({ choice: saved(), shown: shown(saved()) });

system.addEventListener('change', () => {
  setTheme(store.get().choice);
});

export function setTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, choice);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  document.documentElement.dataset['theme'] = shown(choice);
  store.set({ choice, shown: shown(choice) });
}

export function toggleTheme(): void {
  setTheme(store.get().shown === 'dark' ? 'light' : 'dark');
}

/** The choice and the theme that results from it. Charts redraw on it, because a canvas cannot read CSS variables. */
export function useTheme() {
  return useStore(store);
}
