/** A row a question is about, as requests name it. */
export interface Reference {
  type: 'charge' | 'recommendation' | 'event' | 'resource';
  id: string;
}

const types: readonly string[] = ['charge', 'recommendation', 'event', 'resource'] satisfies Reference['type'][];

/** The row referenced in an address, `recommendation.<id>`; undefined for anything else. */
export function referenceOf(about: string | undefined): Reference | undefined {
  const [type = '', id = ''] = (about ?? '').split('.');
  return types.includes(type) && /^[0-9a-f-]{36}$/i.test(id) ? { type: type as Reference['type'], id } : undefined;
}

/** Questions that are offered about a row. */
export function questionsAbout(type: Reference['type']): readonly string[] {
  switch (type) {
    case 'charge':
      return ['Why does this cost so much?', 'How did this cost change by month?'];
    case 'recommendation':
      return ['Is this worth doing, and what could go wrong?', 'What does this resource cost by month?'];
    case 'event':
      return ['Why did this happen?', 'What should I do next?'];
    case 'resource':
      return ['What does this resource cost by month?', 'Is it needed?'];
  }
}
