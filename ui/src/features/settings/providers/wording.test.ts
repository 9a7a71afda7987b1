import { describe, expect, it } from 'vitest';
import type { Provider } from './types';
import { canListModels, codeIn, costOf, firstFor, groupOf, stateOf, usesOf, hostIn } from './wording';

function provider(id: string, over: Partial<Provider> = {}): Provider {
  const none = { value: '', source: 'default' as const };
  return {
    id,
    kind: 'ollama',
    named: '',
    name: id,
    is_given: false,
    is_saved: true,
    is_on: { value: true, source: 'saved' },
    may_leave: { value: false, source: 'default' },
    is_local: true,
    host: '127.0.0.1:11434',
    chat_model: none,
    small_model: none,
    embeddings_model: none,
    fallbacks: [],
    fields: {} as Provider['fields'],
    missing: [],
    spent: '0',
    test: null,
    updated_at: null,
    updated_by: '',
    ...over,
  };
}

const model = (value: string) => ({ value, source: 'saved' as const });

describe('uses', () => {
  it('tell the first apart from those that are asked when it fails', () => {
    const off = provider('off', { chat_model: model('a'), is_on: { value: false, source: 'saved' } });
    const first = provider('first', { chat_model: model('a'), small_model: model('b') });
    const second = provider('second', { chat_model: model('c'), embeddings_model: model('d') });
    const all = [off, first, second, provider('none')];
    expect(all.map((one) => usesOf(one, all))).toEqual([
      'Turned off',
      'Main model, Small model',
      'Fallback, Embeddings',
      'Not used',
    ]);
    expect(firstFor('embeddings_model', all)?.id).toBe('second');
  });
});

describe('the state of a provider', () => {
  it('is in a word', () => {
    const test = (is_sound: boolean) => ({ is_sound, steps: [], at: '2026-11-20T12:00:00Z' });
    expect(stateOf(provider('a')).word).toBe('Not tested');
    expect(stateOf(provider('a', { missing: ['key'] })).word).toBe('Incomplete');
    expect(stateOf(provider('a', { kind: null })).word).toBe('Incomplete');
    expect(stateOf(provider('a', { test: test(true) })).word).toBe('Healthy');
    expect(stateOf(provider('a', { test: test(false) })).word).toBe('Failed');
    expect(stateOf(provider('a', { is_on: { value: false, source: 'saved' } })).word).toBe('Off');
  });
});

describe('small words', () => {
  it('say what a step cost', () => {
    expect(costOf({ latency_ms: 820, tokens: 14 })).toBe('820 ms, 14 tokens');
    expect(costOf({ latency_ms: 41, tokens: null })).toBe('41 ms');
    expect(costOf({ latency_ms: null, tokens: null })).toBe('');
  });
  it('put every kind into a group', () => {
    expect(groupOf('sagemaker')).toBe('Self-hosted');
    expect(groupOf('ondevice')).toBe('On this machine');
    expect(groupOf(null)).toBe('Cloud services');
  });
});

describe('the names of a provider’s models', () => {
  it('are asked for only where a person has said whom to ask', () => {
    const elsewhere = { is_local: false, host: 'api.openai.com' };
    expect(canListModels(provider('here'))).toBe(true);
    expect(canListModels(provider('a default address', elsewhere))).toBe(false);
    const key = { value: null, is_set: true, source: 'saved' as const, variable: null };
    const fields = { key } as unknown as Provider['fields'];
    expect(canListModels(provider('with a key', { ...elsewhere, fields }))).toBe(true);
    expect(canListModels(provider('incomplete', { missing: ['key'] }))).toBe(false);
  });
});

describe('a sentence with commands', () => {
  it('is cut at its backticks', () => {
    expect(codeIn('Get it with `brew install llama.cpp`, or so.')).toEqual([
      { text: 'Get it with ', isCode: false },
      { text: 'brew install llama.cpp', isCode: true },
      { text: ', or so.', isCode: false },
    ]);
  });
});

it('the host of an address that is being typed', () => {
  expect(hostIn('http://127.0.0.1:8951/v1')).toBe('127.0.0.1:8951');
  expect(hostIn('http:/')).toBe('');
});
