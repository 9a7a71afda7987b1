/**
 * The first page of the window as it was drawn last, for the next start: public/first.js shows it while the code of the pages is read, where all that
 * it was drawn by is the same to the letter: the answers, which are fresh, the room, what was chosen. The day may be another: that script counts anew what
 * says how many days it is ago (`data-days-since`), and shows no page that looks otherwise after a day that has passed (`data-until`).
 */
import type { QueryClient } from '@tanstack/react-query';
import {
  aboutKey,
  askedBy,
  instancesKey,
  isAllEarly,
  openAgain,
  opening,
  samlHealthKey,
  sessionKey,
  wasAskedEarly,
  windowKey,
} from '@/api';

/** Where it is kept. */
const name = 'quarterdeck.drawn';
/** What is asked early besides questions in GraphQL. */
const asked: unknown[] = [sessionKey, aboutKey, instancesKey, windowKey, samlHealthKey].map(([area]) => area);
/** So many letters are kept at most. */
const most = 1_500_000;

/** The page that the window opened with, which is the one it opens with next. */
const first = window.location.pathname + window.location.search;

/** Somebody did something: what is on the screen may come from that. */
let isTouched = false;
for (const event of ['pointerdown', 'keydown', 'wheel', 'dragenter'])
  window.addEventListener(event, () => (isTouched = true), { capture: true, passive: true });

/** By what the page is drawn: what was answered early, by the questions' names in the cache. */
let early = new Map<string, unknown>();

/** Notes what has been answered, and was asked once: by this the first page is drawn. */
export function noteEarly(client: QueryClient): void {
  for (const { queryHash, state } of client.getQueryCache().getAll())
    if (state.dataUpdateCount === 1) early.set(queryHash, state.data);
}

/** Another page is in front, and nothing was done on it yet. */
export function arrive(): void {
  isTouched = false;
}

/** Whether the page is in front that the window opens with. */
export function isFirstPage(): boolean {
  return window.location.pathname + window.location.search === first;
}

/**
 * Keeps the page in front as the next start would draw it. Where it shows what came later, after an import say, all is asked once more as that start will
 * ask it. What was kept goes when the answers are others. Answers true where it is worth another try soon.
 */
export async function keepDrawing(client: QueryClient): Promise<boolean> {
  const root = document.getElementById('root');
  if (!root || !opening) return false;
  if (answersKept() !== opening.answers()) forgetDrawing();
  // The end of what is being asked brings another try.
  const isAtRest = () => !isTouched && isFirstPage() && client.isFetching({ type: 'active' }) === 0;
  if (!isAtRest()) return false;
  if (root.querySelector('[data-passing]')) return true;
  if (shown(client).some(({ queryHash, state }) => early.get(queryHash) !== state.data)) {
    await openAgain(() => client.refetchQueries({ type: 'active' }));
    early = new Map(shown(client).map(({ queryHash, state }) => [queryHash, state.data]));
    // What came anew is drawn first.
    return true;
  }
  if (!isAllEarly() || !isDrawnEarly(client)) return false;
  // A chart tells what is under the pointer.
  const pointedAt = root.querySelector('.u-over:hover');
  if (pointedAt) {
    await new Promise((resolve) => {
      pointedAt.addEventListener('pointerleave', resolve, { once: true });
    });
    return true;
  }
  const around = opening.around();
  const text = JSON.stringify({
    page: first,
    around,
    answers: opening.answers(),
    until: lastDay(root),
    html: drawingOf(root),
  });
  if (text.length > most) return false;
  try {
    if (text !== localStorage.getItem(name)) localStorage.setItem(name, text);
  } catch {
    // There is no room, or storage is refused: the next start draws the page anew.
  }
  return false;
}

const shown = (client: QueryClient) => client.getQueryCache().findAll({ type: 'active' });

function answersKept(): string | undefined {
  try {
    return (JSON.parse(localStorage.getItem(name) ?? '{}') as { answers?: string }).answers;
  } catch {
    return undefined;
  }
}

/** Forgets the page: it shows what the person who goes was looking at. */
export function forgetDrawing(): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // Nothing was kept, either.
  }
}

/** Whether the page shows what was asked early, and nothing else. An answer that came again and is the same is the same object. */
function isDrawnEarly(client: QueryClient): boolean {
  return shown(client).every(({ queryHash, queryKey, state }) => {
    const question = askedBy(queryKey);
    const isAsked = question
      ? wasAskedEarly('/api/graphql', { query: question.document, variables: question.variables })
      : asked.includes(queryKey[0]);
    return isAsked && state.data !== undefined && early.get(queryHash) === state.data;
  });
}

/** The last day on which the page looks like this, as far as it depends on the day; one after all days where it does not. */
function lastDay(root: HTMLElement): string {
  const days = [...root.querySelectorAll<HTMLElement>('[data-until]')].map(({ dataset }) => dataset['until'] ?? '');
  return days.sort()[0] ?? '9999-12-31';
}

/** The page as text. What is no attribute of an element is made one: values, pictures; and styles something that is none yet. */
function drawingOf(root: HTMLElement): string {
  const drawing = root.cloneNode(true) as HTMLElement;
  const each = <Kind extends HTMLElement>(css: string, make: (copy: Kind, live: Kind) => void) => {
    const live = root.querySelectorAll<Kind>(css);
    drawing.querySelectorAll<Kind>(css).forEach((copy, place) => {
      const own = live[place];
      if (own) make(copy, own);
    });
  };
  each<HTMLSelectElement>('select', (copy, live) => copy.options[live.selectedIndex]?.setAttribute('selected', ''));
  each<HTMLInputElement>('input', (copy, live) => {
    copy.setAttribute('value', live.value);
    copy.toggleAttribute('checked', live.checked);
  });
  each<HTMLElement>('[style]', (copy, live) => {
    copy.dataset['style'] = live.style.cssText;
    copy.removeAttribute('style');
  });
  each<HTMLCanvasElement>('canvas', (copy, live) => {
    const picture = document.createElement('img');
    const { width, height } = live.getBoundingClientRect();
    picture.src = pictureOf(live);
    picture.alt = '';
    picture.dataset['style'] = `display: block; width: ${String(width)}px; height: ${String(height)}px`;
    copy.replaceWith(picture);
  });
  return drawing.innerHTML;
}

/** The canvas on its ground: what lets the ground shine through would come back a shade off. */
function pictureOf(canvas: HTMLCanvasElement): string {
  const picture = document.createElement('canvas');
  Object.assign(picture, { width: canvas.width, height: canvas.height });
  const context = picture.getContext('2d');
  if (!context) return canvas.toDataURL();
  context.fillStyle = groundOf(canvas);
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(canvas, 0, 0);
  return picture.toDataURL();
}

/** The colour behind it. */
function groundOf(part: Element | null): string {
  for (let around = part; around; around = around.parentElement) {
    const { backgroundColor } = getComputedStyle(around);
    if (!/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor)) return backgroundColor;
  }
  return 'white';
}
