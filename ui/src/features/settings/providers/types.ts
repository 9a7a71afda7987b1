/** Who serves models, as `routes/model_providers.rs` tells it. */
export type KindName =
  | 'bedrock'
  | 'azure'
  | 'vertexai'
  | 'googleai'
  | 'openai'
  | 'huggingface'
  | 'ollama'
  | 'sagemaker'
  | 'service'
  | 'ondevice';

export type FieldName =
  | 'endpoint'
  | 'key'
  | 'version'
  | 'type'
  | 'region'
  | 'access_key'
  | 'secret_key'
  | 'session_token'
  | 'dimensions'
  | 'max_tokens'
  | 'role'
  | 'external_id'
  | 'monthly_limit';

export type Source = 'saved' | 'environment' | 'default';

export interface Kind {
  name: KindName;
  title: string;
  fields: { name: FieldName; is_secret: boolean; is_required: boolean }[];
  /** Where it is reached when no address is set; `{region}` stands for the region. */
  address: string | null;
  region: string;
  chats: boolean;
  embeds: boolean;
}

export interface FieldValue {
  /** Null for what is secret or not set. */
  value: string | null;
  is_set: boolean;
  source: Source | null;
  /** The variable of the environment, where the environment describes the provider. */
  variable: string | null;
}

export interface Sourced<T> {
  value: T;
  source: Source;
}

export interface Step {
  outcome: 'ok' | 'warning' | 'failed';
  text: string;
  remedy: string;
  latency_ms: number | null;
  tokens: number | null;
}

export interface Test {
  is_sound: boolean;
  steps: Step[];
  at: string;
}

export interface Provider {
  id: string;
  /** Null: the environment names a kind nobody knows. */
  kind: KindName | null;
  named: string;
  name: string;
  /** Whether the environment describes it. */
  is_given: boolean;
  is_saved: boolean;
  is_on: Sourced<boolean>;
  may_leave: Sourced<boolean>;
  is_local: boolean;
  host: string | null;
  /** Empty: not from here. */
  chat_model: Sourced<string>;
  small_model: Sourced<string>;
  embeddings_model: Sourced<string>;
  fallbacks: string[];
  fields: Record<FieldName, FieldValue>;
  missing: FieldName[];
  /** What it has cost since the month began (UTC), exact, in the currency of the price list. */
  spent: string;
  test: Test | null;
  updated_at: string | null;
  updated_by: string;
}

export interface Override {
  scope: 'agent' | 'tier';
  name: string;
  provider: string;
  model: string;
}

export interface Providers {
  /** The first is asked first. */
  providers: Provider[];
  overrides: Override[];
  /** What the environment says of single tiers and agents; `provider` is a name. */
  given_overrides: { scope: 'agent' | 'tier'; name: string; provider: string; model: string }[];
  kinds: Kind[];
  /** Where secrets are: "Stored encrypted on this machine". */
  secrets: string | null;
  runner: { llama_server: string | null; ollama: string | null; wrong: string | null; how: string | null };
  programs: { model: string; state: 'starting' | 'ready' | 'waiting' | 'stopped'; trouble: string | null }[];
  /** Names of the models of this machine. */
  downloaded: string[];
  /** The id of the one that was added by this request. */
  added?: string;
}

/** What changes of a provider: what is left out stays, null takes a saved value back. */
export interface Change {
  kind?: KindName;
  name?: string | null;
  is_on?: boolean;
  may_leave?: boolean;
  chat_model?: string | null;
  small_model?: string | null;
  embeddings_model?: string | null;
  values?: Partial<Record<FieldName, string | null>>;
}
