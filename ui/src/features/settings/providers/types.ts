import type { Rest } from '@/api';

/** Who serves models. */
export type KindName = Rest.ProviderKind;
export type FieldName = Rest.ProviderField;
export type Source = Rest.ProviderValueSource;
export type Kind = Rest.ProviderKindShown;
export type FieldValue = Rest.ProviderFieldValue;
export type Step = Rest.ProviderTestStep;
export type Test = Rest.ProviderTest;

export interface SourcedValue<T> {
  value: T;
  source: Source;
}

/** Every field of a provider is told, set or not. */
export type Provider = Omit<Rest.Provider, 'fields'> & { fields: Record<FieldName, FieldValue> };
export type Override = Rest.ModelOverride;
export type Providers = Omit<Rest.Providers, 'providers'> & { providers: Provider[] };

/** What changes of a provider: what is left out stays, null takes a saved value back. */
export type Change = Rest.ProviderChange;
