import { expect, test } from 'vitest';
import { doubtOf, exchangesOf, piecesOf } from './answer';

test('evidence, bold words and code are told apart, and HTML stays text', () => {
  expect(piecesOf('It cost **$12.50** for `web` <b>x</b> [Q1, K2].')).toEqual([
    { text: 'It cost ' },
    { text: '$12.50', bold: true },
    { text: ' for ' },
    { text: 'web', code: true },
    { text: ' <b>x</b> ' },
    { cites: ['Q1', 'K2'] },
    { text: '.' },
  ]);
});

test('a paragraph is doubted for a sentence its evidence does not prove', () => {
  const doubt = { text: 'That is $99 more.', cites: [], figures_not_found: ['99'] };
  expect(doubtOf('So it is. That is $99 more.', [doubt])).toBe(doubt);
  expect(doubtOf('So it is.', [doubt])).toBeUndefined();
});

test('an answer stands with its question and with what it rests on', () => {
  const messages = [
    { id: '1', message: 'Why?', role: 'user', status: 'COMPLETED' },
    { id: '2', message: 'Because [Q1].', role: 'assistant', status: 'COMPLETED' },
    { id: '3', message: 'And now?', role: 'user', status: 'FAILED' },
  ];
  const references = [{ message_id: '2', content: '{"id":"Q1","title":"Costs","rows":3}' }];
  const [one, two] = exchangesOf(messages, references);
  expect(one).toMatchObject({ question: 'Why?', answer: 'Because [Q1].', state: 'done' });
  expect(one?.references).toMatchObject([{ id: 'Q1', rows: 3 }]);
  expect(two).toMatchObject({ question: 'And now?', answer: '', state: 'failed' });
});
