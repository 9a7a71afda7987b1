import { expect, test } from 'vitest';
import { eventsIn } from './stream';

test('events come out whole, and half of one waits for the rest', () => {
  const one =
    'event: text\ndata: {"text":"It is"}\n\n:\n\nevent: looked\ndata: {"title":"Costs","rows":3}\n\nevent: te';
  expect(eventsIn(one)).toEqual({
    events: [
      { kind: 'text', text: 'It is' },
      { kind: 'looked', title: 'Costs', rows: 3 },
    ],
    rest: 'event: te',
  });
});
