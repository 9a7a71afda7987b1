/**
 * The first page of the window as it was drawn last, for the next start: public/first.js shows it while the code of the pages is read, where all that
 * it was drawn by is the same to the letter: the answers, which are fresh, the day, the room, what was chosen.
 */
import type { QueryClient } from '@tanstack/react-query';
import { aboutKey, askedBy, instancesKey, isAllEarly, opening, samlHealthKey, sessionKey, windowKey } from '@/api';

/** Where it is kept. */
const name = 'quarterdeck.drawn';
/** What is asked early besides questions in GraphQL. */
const asked: unknown[] = [sessionKey, aboutKey, instancesKey, windowKey, samlHealthKey].map(([area]) => area);
/** What is still being asked is waited for so long, ms. */
const again = 1_500;
/** So many letters are kept at most. */
const most = 1_500_000;

/** Somebody did something: what is on the screen may come from that. */
let isTouched = false;
for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  window.addEventListener(event, () => (isTouched = true), { capture: true, once: true, passive: true });

/** What was answered early, by the questions' names in the cache. */
const early = new Map<string, unknown>();

/** Notes what has been answered, and was asked once: by this the first page is drawn. */
export function noteEarly(client: QueryClient): void {
  for (const { queryHash, state } of client.getQueryCache().getAll())
    if (state.dataUpdateCount === 1) early.set(queryHash, state.data);
}

/** Keeps the page in front, if all on it comes from what was asked early; what was kept goes when the answers are others. */
export function keepDrawing(client: QueryClient, tries = 5): void {
  const root = document.getElementById('root');
  if (!root || !opening) return;
  const answers = opening.answers();
  if (answersKept() !== answers) forgetDrawing();
  if (isTouched || !isAllEarly()) return;
  if (client.isFetching({ type: 'active' }) > 0) {
    if (tries > 1) setTimeout(keepDrawing, again, client, tries - 1);
    return;
  }
  if (!isDrawnBy(client)) return;
  const page = window.location.pathname + window.location.search;
  const text = JSON.stringify({ page, around: opening.around(), answers, html: drawingOf(root) });
  if (text.length > most) return;
  try {
    localStorage.setItem(name, text);
  } catch {
    // There is no room, or storage is refused: the next start draws the page anew.
  }
}

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
function isDrawnBy(client: QueryClient): boolean {
  const active = client.getQueryCache().findAll({ type: 'active' });
  return active.every(({ queryHash, queryKey, state }) => {
    const isAsked = asked.includes(queryKey[0]) || askedBy(queryKey) !== undefined;
    return isAsked && state.data !== undefined && early.get(queryHash) === state.data;
  });
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
