import type { Change, FieldName, Provider } from './types';

/** Unsaved changes. */
export type Draft = Change;

/** Props of every part of the form. */
export interface FormProps {
  provider: Provider;
  draft: Draft;
  change: (change: Draft) => void;
  /** Validation problems, by the service's field name. */
  problems: Partial<Record<string, string>>;
}

/** The draft with more changes; unchanged values are dropped. */
export function changed(draft: Draft, change: Draft, provider: Provider): Draft {
  const plain: Omit<Draft, 'values'> & { values?: unknown } = { ...draft, ...change, values: undefined };
  const before: Draft = {
    name: provider.name,
    chat_model: provider.chat_model.value,
    small_model: provider.small_model.value,
    embeddings_model: provider.embeddings_model.value,
  };
  const others = Object.entries(plain).filter(
    ([name, value]) => value !== undefined && value !== before[name as keyof Draft],
  );
  const all = Object.entries({ ...draft.values, ...change.values }) as [FieldName, string | null][];
  const values = all.filter(([name, value]) => value !== (provider.fields[name].value ?? undefined));
  return {
    ...(Object.fromEntries(others) as Draft),
    ...(values.length > 0 ? { values: Object.fromEntries(values) } : {}),
  };
}

/** How many things would change. */
export function countOf(draft: Draft): number {
  const { values, ...others } = draft;
  return Object.keys(others).length + Object.keys(values ?? {}).length;
}
