import { expect, test } from 'vitest';
import { givenTo, parametersOf, typedOf, valueOf, withParams } from './params';

const schema = {
  type: 'object',
  required: ['url'],
  properties: {
    method: { type: 'string', description: 'How.', enum: ['GET', 'POST'] },
    url: { type: 'string', description: 'Where.' },
    headers: { type: 'object' },
    timeout: { type: ['string', 'number'] },
  },
};

test('parameters come from the schema, those that are needed first', () => {
  expect(parametersOf(schema).map(({ name, isNeeded, options }) => [name, isNeeded, options.length])).toEqual([
    ['url', true, 0],
    ['method', false, 2],
    ['headers', false, 0],
    ['timeout', false, 0],
  ]);
  expect(parametersOf(schema).at(-1)?.type).toBe('string or number');
  expect(parametersOf(null)).toEqual([]);
});

test('what is typed becomes a value of its type, and a template stays a text', () => {
  const of = (type: string) => ({ name: 'x', type, about: '', isNeeded: false, options: [] });
  expect(valueOf(of('string'), '12')).toBe('12');
  expect(valueOf(of('number'), '12')).toBe(12);
  expect(valueOf(of('object'), '{"a": 1}')).toEqual({ a: 1 });
  expect(valueOf(of('number'), '{{ Inputs.copies }}')).toBe('{{ Inputs.copies }}');
  expect(valueOf(of('number'), ' ')).toBeUndefined();
  expect(typedOf({ a: 1 })).toBe('{"a":1}');
});

const yaml = `definition:
  tasks:
    - id: ask
      type: integrations.http
      params:
        url: http://a
        retries: 2
      timeout: 20s
    - id: say
      type: core.print
`;

test('parameters of a task take the place of those in the text, and the rest of it stays', () => {
  const definition = { tasks: [{ id: 'ask', params: { url: 'http://a', retries: 2 } }] };
  const next = withParams(yaml, 'ask', { ...givenTo(definition, 'ask'), url: 'http://b', method: 'POST' });
  expect(next).toBe(
    yaml.replace(
      '        url: http://a\n        retries: 2\n',
      '        method: POST\n        retries: 2\n        url: "http://b"\n',
    ),
  );
  expect(withParams(yaml, 'say', { message: 'hi' })?.split('\n').slice(8, 12)).toEqual([
    '    - id: say',
    '      type: core.print',
    '      params:',
    '        message: hi',
  ]);
  expect(withParams(yaml, 'gone', {})).toBeUndefined();
});
