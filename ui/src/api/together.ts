import { request } from './client';
import { documentOf, textOf } from './graphql';
import type { Document } from './graphql';

/** Changes of one request at most; the service carries a request out in one transaction. */
export const mostTogether = 50;

interface Waiting {
  variables: object;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

const waiting = new Map<unknown, Waiting[]>();

/**
 * Runs a mutation of one field with others of the same document that are asked for at the same moment: fifty in one request take a twelfth of the
 * time of fifty requests. When the service refuses them together, each is sent alone, so that what failed is told apart from what was done.
 */
export function requestTogether<Result, Variables extends object>(
  document: Document<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const one: Waiting = { variables, resolve, reject };
    const others = waiting.get(document);
    if (others && others.length < mostTogether) {
      others.push(one);
      return;
    }
    const all = [one];
    waiting.set(document, all);
    queueMicrotask(() => {
      if (waiting.get(document) === all) waiting.delete(document);
      void send(document as Document<never, object>, all);
    });
  });
}

async function send(document: Document<never, object>, all: readonly Waiting[]) {
  if (all.length > 1) {
    const { text, variables, field } = joined(
      textOf(document),
      all.map((one) => one.variables),
    );
    try {
      const answers = await request(documentOf<Record<string, unknown>, object>(text), variables);
      all.forEach(({ resolve }, place) => {
        resolve({ [field]: answers[`c${String(place)}`] } as never);
      });
      return;
    } catch {
      // Nothing was applied: one of them was refused; the requests below find out which.
    }
  }
  for (const { variables, resolve, reject } of all) {
    await request(document, variables).then(resolve, reject);
  }
}

/** One document of many copies of another one's field, each with its own variables. */
export function joined(text: string, all: readonly object[]) {
  const [, name = '', parameters = '', body = ''] =
    /^\s*mutation (\w+)\(([^)]*)\)\s*\{([\s\S]*)\}\s*$/.exec(text) ?? [];
  const field = /^\s*(\w+)/.exec(body)?.[1] ?? '';
  const numbered = (part: string, place: number) => part.replace(/\$(\w+)/g, `$$$1_${String(place)}`);
  const places = all.map((_, place) => place);
  const variables = Object.fromEntries(
    all.flatMap((one, place) =>
      Object.entries(one).map(([key, value]) => [`${key}_${String(place)}`, value as unknown]),
    ),
  );
  const declared = places.map((place) => numbered(parameters, place)).join(', ');
  const fields = places.map((place) => `c${String(place)}: ${numbered(body.trim(), place)}`).join('\n');
  return { text: `mutation ${name}s(${declared}) {\n${fields}\n}`, variables, field };
}
