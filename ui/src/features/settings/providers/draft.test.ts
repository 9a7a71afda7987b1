import { describe, expect, it } from 'vitest';
import { changed, countOf } from './draft';
import type { FieldName, FieldValue, Provider } from './types';

const field = (value: string | null): FieldValue => ({
  value,
  is_set: value !== null,
  source: 'saved',
  variable: null,
});
const provider = {
  name: 'Ollama',
  chat_model: { value: 'llama', source: 'saved' },
  small_model: { value: '', source: 'default' },
  embeddings_model: { value: '', source: 'default' },
  fields: { endpoint: field('http://127.0.0.1:11434'), key: field(null) } as Record<FieldName, FieldValue>,
} as Provider;

describe('a draft', () => {
  it('counts what differs, and no more', () => {
    const first = changed({}, { chat_model: 'qwen', values: { endpoint: 'http://a' } }, provider);
    expect(countOf(first)).toBe(2);
    const back = changed(first, { chat_model: 'llama', values: { endpoint: 'http://127.0.0.1:11434' } }, provider);
    expect(back).toEqual({});
  });
  it('keeps what is taken back or emptied', () => {
    expect(changed({}, { values: { key: '' } }, provider)).toEqual({ values: { key: '' } });
    expect(changed({}, { values: { endpoint: null } }, provider)).toEqual({ values: { endpoint: null } });
  });
});
