import type { Tone } from '@/shared';
import type { FieldName, KindName, Provider, Providers } from './types';

/** The state of a provider, in words. */
export function stateOf(provider: Provider): { word: string; tone: Tone } {
  if (!provider.is_on.value) return { word: 'Off', tone: 'off' };
  if (provider.kind === null || provider.missing.length > 0) return { word: 'Incomplete', tone: 'warn' };
  if (provider.test === null) return { word: 'Not tested', tone: 'off' };
  return provider.test.is_sound ? { word: 'Healthy', tone: 'ok' } : { word: 'Failed', tone: 'bad' };
}

type Use = 'chat_model' | 'small_model' | 'embeddings_model';

/** Whether it is local, or data may leave the machine: otherwise no request is sent to it. */
export function isAllowed(provider: Provider): boolean {
  return provider.is_local || provider.may_leave.value;
}

/** The provider used first for something. */
export function firstFor(use: Use, providers: readonly Provider[]): Provider | undefined {
  return providers.find((provider) => provider.is_on.value && provider[use].value !== '');
}

/** The uses of a provider, in few words. */
export function usesOf(provider: Provider, providers: readonly Provider[]): string {
  if (!provider.is_on.value) return 'Turned off';
  const uses: string[] = [];
  if (provider.chat_model.value !== '')
    uses.push(firstFor('chat_model', providers)?.id === provider.id ? 'Main model' : 'Fallback');
  if (provider.small_model.value !== '' && firstFor('small_model', providers)?.id === provider.id)
    uses.push('Small model');
  if (provider.embeddings_model.value !== '' && firstFor('embeddings_model', providers)?.id === provider.id)
    uses.push('Embeddings');
  return uses.length === 0 ? 'Not used' : uses.join(', ');
}

export const groups: { title: string; kinds: KindName[] }[] = [
  { title: 'Cloud services', kinds: ['bedrock', 'azure', 'vertexai', 'googleai', 'openai'] },
  { title: 'Self-hosted', kinds: ['ollama', 'huggingface', 'sagemaker'] },
  { title: 'On this machine', kinds: ['service', 'ondevice'] },
];

/** The group of a provider in the second column. */
export function groupOf(kind: KindName | null): string {
  return groups.find((group) => kind !== null && group.kinds.includes(kind))?.title ?? 'Cloud services';
}

const about: Record<KindName, string> = {
  bedrock: 'Managed model service of AWS',
  azure: 'Managed model service of Microsoft',
  vertexai: 'Managed model service of Google Cloud',
  googleai: 'Hosted generative API',
  openai: 'Hosted chat and embeddings API, and compatible servers',
  huggingface: 'Model hub inference',
  ollama: 'Local model runner',
  sagemaker: 'Managed model hosting of AWS',
  service: 'svc-llm and svc-slm, run by llama-server or Ollama',
  ondevice: 'Embeddings in this process, from a folder',
};

export function aboutKind(kind: KindName): string {
  return about[kind];
}

/** The label of a field for a kind. */
export function labelOf(field: FieldName, kind: KindName): string {
  switch (field) {
    case 'endpoint':
      if (kind === 'sagemaker') return 'Endpoint';
      return kind === 'ondevice' ? 'Folder' : 'Address';
    case 'key':
      return kind === 'vertexai' ? 'Service account key' : 'API key';
    case 'version':
      return 'API version';
    case 'type':
      return 'API type';
    case 'region':
      return 'Region';
    case 'access_key':
      return 'Access key ID';
    case 'secret_key':
      return 'Secret access key';
    case 'session_token':
      return 'Session token';
    case 'dimensions':
      return 'Vector length';
    case 'max_tokens':
      return 'Longest answer';
    case 'role':
      return 'Role';
    case 'external_id':
      return 'External ID';
    case 'monthly_limit':
      return 'Monthly limit';
  }
}

/** The help text of a field. */
export function helpOf(field: FieldName, kind: KindName): string | null {
  if (field === 'endpoint')
    switch (kind) {
      case 'sagemaker':
        return 'The name of the endpoint, or its whole address. It must be compatible with OpenAI.';
      case 'azure':
        return 'The model names below are those of deployments.';
      case 'huggingface':
        return 'Of your own inference server. If empty, the Hugging Face router.';
      case 'ondevice':
        return 'With model.safetensors and tokenizer.json in the format of model2vec. If empty, the folder embeddings in the data directory.';
      case 'bedrock':
      case 'vertexai':
        return 'For a private endpoint. If empty, that of the region.';
      default:
        return null;
    }
  if (field === 'key' && kind === 'vertexai') return 'The whole JSON key file of a service account.';
  if (field === 'key' && kind === 'ollama') return 'Only if it is behind a proxy that needs one.';
  if (field === 'monthly_limit')
    return 'In the currency of the price list. When it is used up, the next provider takes over.';
  if (field === 'role') return 'Its ARN. The keys below, or those of this machine, assume it for one hour at a time.';
  if (field === 'external_id') return 'Only where the role’s trust policy asks for one.';
  if (field === 'session_token') return 'Only for temporary credentials.';
  return null;
}

/** An example value of a field. */
export function exampleOf(field: FieldName, kind: KindName, providers: Providers, region: string): string | undefined {
  const known = providers.kinds.find((one) => one.name === kind);
  if (field === 'region') return known?.region;
  if (field === 'version') return '2024-10-21';
  if (field === 'max_tokens') return 'Default of the model';
  if (field === 'monthly_limit') return 'None';
  if (field === 'role') return 'arn:aws:iam::123456789012:role/models';
  if (field !== 'endpoint') return undefined;
  if (kind === 'azure') return 'https://my-resource.openai.azure.com';
  if (kind === 'sagemaker') return 'my-endpoint';
  return known?.address?.replace('{region}', region);
}

/** Splits a text: parts between backticks are commands. */
export function codeIn(text: string): { text: string; isCode: boolean }[] {
  return text
    .split('`')
    .map((piece, at) => ({ text: piece, isCode: at % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/**
 * Whether a provider may be asked for the names of its models as it is saved: it is set up, and a person has said whom to ask. An address
 * that is only a default is no such word.
 */
export function canListModels(provider: Provider): boolean {
  if (provider.kind === null || provider.missing.length > 0) return false;
  const said = Object.values(provider.fields).some((field) => field.is_set);
  return provider.is_local || said || provider.test !== null;
}

/** Time a step took, and its tokens. */
export function costOf(step: { latency_ms: number | null; tokens: number | null }): string {
  const parts = [
    step.latency_ms === null ? null : `${String(step.latency_ms)} ms`,
    step.tokens === null ? null : `${String(step.tokens)} tokens`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** The host of an address being typed; undefined while it has none. */
export function hostIn(address: string): string {
  return /^\w+:\/\/([^/?#]+)/.exec(address.trim())?.[1] ?? '';
}
