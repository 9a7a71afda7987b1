import type { Rest } from '@/api';

/** The kinds of model providers. */
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

/** A provider with all of its fields, set or not. */
export type Provider = Omit<Rest.Provider, 'fields'> & { fields: Record<FieldName, FieldValue> };
export type Override = Rest.ModelOverride;
export type Providers = Omit<Rest.Providers, 'providers'> & { providers: Provider[] };

/** Changes of a provider: omitted values stay, null resets a saved value. */
export type Change = Rest.ProviderChange;
