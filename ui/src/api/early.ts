/**
 * Answers to what was asked before there was any code of the pages: public/first.js sends it all in one request, `POST /api/opening`, which answers
 * with a line of JSON each, in the order in which they are ready: `[place, status, body]`.
 */

interface Ask {
  path: string;
  body?: object;
}

/** What public/first.js has sent. */
export interface Opening {
  asks: Ask[];
  request: XMLHttpRequest;
  /** How long the service took to begin its answer, ms. */
  latency?: number;
  /** All answers, so that those of two openings can be compared. */
  answers(): string;
  /** What else the page is drawn by. */
  around(): string;
  /** Asks once more, what the next start would ask. */
  again(): Opening;
}

declare global {
  interface Window {
    __QUARTERDECK_OPENING__?: Opening;
  }
}

/** An answer as it came; no `Response`, whose text would be read through a stream. */
export interface Answer {
  status: number;
  text: string;
}

type Early = Promise<Answer | undefined>;

/** What was asked early, the last time; nothing on pages that ask by themselves. */
export let opening = window.__QUARTERDECK_OPENING__;
const waiting = new Map<string, Early>();
/** The code of a one-time link, where the page was opened by one. */
let code: string | null = null;
/** So many were answered. */
let answered = 0;
if (opening) take(opening);

function take({ asks, request }: Opening): void {
  const hear: ((found?: Answer) => void)[] = [];
  for (const { path, body } of asks) {
    waiting.set(keyOf(path, body && JSON.stringify(body)), new Promise((resolve) => hear.push(resolve)));
    if (path === '/api/auth/link') code = (body as { code: string }).code;
  }
  const tell = (line: string) => {
    const [head, place, status] = /^\[(\d+),(\d+),/.exec(line) ?? [''];
    if (!head) return;
    answered += 1;
    hear[Number(place)]?.({ status: Number(status), text: line.slice(head.length, -1) });
  };
  let told = 0;
  const read = () => {
    const lines = request.responseText.slice(told).split('\n');
    const rest = lines.pop() ?? '';
    told = request.responseText.length - rest.length;
    lines.forEach(tell);
  };
  // What is not answered, for whatever reason, is asked by itself.
  const end = () => {
    read();
    hear.forEach((resolve) => {
      resolve();
    });
  };
  if (request.readyState === XMLHttpRequest.DONE) {
    end();
    return;
  }
  read();
  request.addEventListener('progress', read);
  request.addEventListener('loadend', end);
}

function keyOf(path: string, body: BodyInit | null | undefined): string {
  return typeof body === 'string' ? `${path} ${body}` : path;
}

/** The answer to a question that is on its way already, once; it holds nothing where that question has to be asked again. */
export function early(path: string, body?: BodyInit | null): Early | undefined {
  const key = keyOf(path, body);
  const found = waiting.get(key);
  waiting.delete(key);
  return found;
}

/** The code of the one-time link that the page was opened by, once; null when it was not. */
export function codeOfLink(): string | null {
  const found = code;
  code = null;
  return found;
}

/** How long the service took to begin these answers, ms, once; undefined when there were none. */
export function earlyLatency(): number | undefined {
  const found = opening?.latency;
  if (opening) opening.latency = undefined;
  return found;
}

/** Asks once more all that a page asks when it opens; what asks for it during `spend` gets these answers, and nothing later. */
export async function openAgain(spend: () => Promise<unknown>): Promise<void> {
  opening = opening?.again();
  answered = 0;
  if (opening) take(opening);
  await spend();
  waiting.clear();
}

/** Whether that was asked early. */
export function wasAskedEarly(path: string, body?: object): boolean {
  const key = keyOf(path, body && JSON.stringify(body));
  return opening?.asks.some((ask) => keyOf(ask.path, ask.body && JSON.stringify(ask.body)) === key) ?? false;
}

/** Whether all that was asked early was answered early. */
export function isAllEarly(): boolean {
  return answered === opening?.asks.length;
}
