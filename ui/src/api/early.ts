/**
 * Answers to what was asked before there was any code of the pages: public/first.js sends it all in one request, `POST /api/opening`, which answers
 * with a line of JSON each, in the order in which they are ready: `[place, status, body]`.
 */

interface Ask {
  path: string;
  body?: object;
}

declare global {
  interface Window {
    __QUARTERDECK_OPENING__?: { asks: Ask[]; answer: Promise<Response>; latency: Promise<number> };
  }
}

type Early = Promise<Response | undefined>;

const waiting = new Map<string, Early>();
/** The code of a one-time link, where the page was opened by one. */
let code: string | null = null;
let latency: number | undefined;

const opening = window.__QUARTERDECK_OPENING__;
delete window.__QUARTERDECK_OPENING__;
if (opening) take(opening);

function take({ asks, answer, latency: took }: NonNullable<typeof opening>): void {
  const hear: ((found?: Response) => void)[] = [];
  for (const { path, body } of asks) {
    waiting.set(keyOf(path, body && JSON.stringify(body)), new Promise((resolve) => hear.push(resolve)));
    if (path === '/api/auth/link') code = (body as { code: string }).code;
  }
  const tell = (line: string) => {
    const [head, place, status] = /^\[(\d+),(\d+),/.exec(line) ?? [''];
    if (head) hear[Number(place)]?.(new Response(line.slice(head.length, -1), { status: Number(status) }));
  };
  // What is not answered, for whatever reason, is asked by itself.
  const end = () => {
    hear.forEach((resolve) => {
      resolve();
    });
  };
  const ended = answer.then(async (found) => {
    latency = await took;
    if (found.ok) await read(found, tell);
  });
  ended.then(end, end);
}

function keyOf(path: string, body: BodyInit | null | undefined): string {
  return typeof body === 'string' ? `${path} ${body}` : path;
}

async function read(answer: Response, tell: (line: string) => void): Promise<void> {
  const pieces = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await pieces?.read(); piece && !piece.done; piece = await pieces?.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(tell);
  }
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
  const found = latency;
  latency = undefined;
  return found;
}
