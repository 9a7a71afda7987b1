import { expect, test } from 'vitest';
import { blocksOf, doubtOf, exchangesOf, piecesOf, sentence } from './answer';

test('a reason is a sentence without the id that the page knows anyway', () => {
  const told = 'the budget is spent. Your message is kept in conversation dce04999-4a2d-400f-b1d1-be69fbabc2e1';
  expect(sentence(told)).toBe('The budget is spent.');
  expect(sentence('The answer ended before its end. Ask again.')).toBe('The answer ended before its end. Ask again.');
});

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

test('an answer that was stopped keeps what was written, what was looked at and why it ends', () => {
  const messages = [
    { id: '1', message: 'Why?', role: 'user', status: 'KILLED', status_reason: 'the answer was stopped' },
    { id: '2', message: 'It cost', role: 'assistant', status: 'KILLED', status_reason: 'the answer was stopped' },
  ];
  const looks = [
    { agent_id: '1', thought: 'Costs by service', references: 'Q1', status: 'COMPLETED', response: '…' },
    {
      agent_id: '1',
      thought: 'Costs by moon',
      references: null,
      status: 'FAILED',
      response: 'This did not work: no moon. Correct it, or look somewhere else.',
    },
  ];
  const [one] = exchangesOf(messages, [{ message_id: '2', content: '{"id":"Q1","title":"Costs","rows":3}' }], looks);
  expect(one).toMatchObject({ state: 'stopped', answer: 'It cost', error: 'The answer was stopped.' });
  expect(one?.steps).toMatchObject([
    { title: 'Costs', rows: 3 },
    { title: 'Costs by moon', error: 'no moon' },
  ]);
});

test('sentences nothing proved are marked again when a conversation is opened', () => {
  const unproved = [{ text: 'It cost 99.', cites: [], figures_not_found: ['99'] }];
  const messages = [
    { id: '1', message: 'Why?', role: 'user', status: 'COMPLETED' },
    { id: '2', message: 'It cost 99.', role: 'assistant', status: 'COMPLETED', unproved },
  ];
  expect(exchangesOf(messages, [])[0]?.unproved).toEqual(unproved);
});

test('items that follow each other are one list', () => {
  expect(blocksOf('First:\n\n- one\n- two **2**\n\nThen.\n* three')).toEqual([
    { text: 'First:' },
    { items: ['one', 'two **2**'] },
    { text: 'Then.' },
    { items: ['three'] },
  ]);
  // A figure below zero is no item.
  expect(blocksOf('-5 USD')).toEqual([{ text: '-5 USD' }]);
});
