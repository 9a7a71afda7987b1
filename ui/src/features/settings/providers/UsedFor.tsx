import { LoaderCircle } from 'lucide-react';
import { useId, useState } from 'react';
import { Field, plural } from '@/shared';
import type { FormProps } from './draft';
import { useModelNames } from './queries';
import type { Provider, Providers } from './types';
import { canListModels, firstFor } from './wording';

const uses = [
  { use: 'chat_model', label: 'Main model', help: 'Questions, decisions, answers' },
  { use: 'small_model', label: 'Small model', help: 'Single tasks; without it, the main model' },
  { use: 'embeddings_model', label: 'Embeddings', help: 'Search in knowledge bases' },
] as const;

/** The models of the provider and their uses. Model names are loaded when the user starts to choose. */
export function UsedFor({ provider, draft, change, problems, all }: FormProps & { all: Providers }) {
  const list = useId();
  const [wanted, setWanted] = useState(false);
  const isLocalKind = provider.kind === 'service' || provider.kind === 'ondevice';
  const isUnsaved = draft.values !== undefined;
  const canAsk = !isLocalKind && !isUnsaved && canListModels(provider);
  const asked = useModelNames(provider.id, wanted && canAsk);
  const names = provider.kind === 'service' ? all.downloaded : (asked.data ?? []);
  const kind = all.kinds.find((one) => one.name === provider.kind);
  return (
    <section className="form-sec" aria-label="Used for">
      <h2>Used for</h2>
      <div className="fields three">
        {uses
          .filter(({ use }) => use === 'embeddings_model' || kind?.chats !== false)
          .map(({ use, label, help }) => (
            <Field key={use} label={label} error={problems[use]} help={<>{hint(use, help, provider, all)}</>}>
              {(control) => (
                <input
                  {...control}
                  className="in mono"
                  list={list}
                  placeholder="Not from here"
                  spellCheck={false}
                  autoComplete="off"
                  value={draft[use] ?? provider[use].value}
                  onFocus={() => {
                    setWanted(true);
                  }}
                  onChange={(event) => {
                    change({ [use]: event.target.value });
                  }}
                />
              )}
            </Field>
          ))}
      </div>
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <p className="help" role="status">
        {wanted && !isLocalKind && !canAsk && 'Its models are listed here once the connection is saved.'}
        {asked.isFetching && (
          <>
            <LoaderCircle className="i s" /> Listing its models
          </>
        )}
        {canAsk && asked.error && `Its models could not be listed: ${asked.error.message}`}
        {canAsk && asked.data === null && 'This provider does not list its models; type the name.'}
        {canAsk && asked.data && `${plural(asked.data.length, 'model')} available.`}
        {provider.fallbacks.length > 0 && ` When the main model fails: ${provider.fallbacks.join(', ')}.`}
      </p>
    </section>
  );
}

/** The use of the model, or the provider used before it. */
function hint(use: (typeof uses)[number]['use'], help: string, provider: Provider, all: Providers): string {
  const first = firstFor(use, all.providers);
  if (!first || first.id === provider.id) return help;
  return provider[use].value === '' ? `${first.name} is used` : `${first.name} is used first`;
}
