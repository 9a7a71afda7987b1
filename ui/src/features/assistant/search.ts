/** Which conversation is open, and which event the causes are of. */
export interface AssistantSearch {
  c?: string;
  account?: string;
  /** The row a question is about, `recommendation.<id>`, with its name. */
  about?: string;
  what?: string;
  /** A prefilled question, sent only when the user submits it. */
  q?: string;
}

export function assistantSearch(search: Record<string, unknown>): AssistantSearch {
  const text = (name: string) => (typeof search[name] === 'string' ? { [name]: search[name] } : {});
  const q = search['q'];
  return {
    ...text('c'),
    ...text('account'),
    ...text('about'),
    ...text('what'),
    // The router parses "123" in the address as a number.
    ...(typeof q === 'number' ? { q: String(q) } : text('q')),
  };
}

export interface AccountSearch {
  account?: string;
}

export function accountSearch(search: Record<string, unknown>): AccountSearch {
  return typeof search.account === 'string' ? { account: search.account } : {};
}

export interface CausesSearch {
  account?: string;
  event?: string;
}

export function causesSearch(search: Record<string, unknown>): CausesSearch {
  const text = (name: string) => (typeof search[name] === 'string' ? { [name]: search[name] } : {});
  return { ...text('account'), ...text('event') };
}
