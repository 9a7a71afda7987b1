import { Link } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import { Kinds } from './Kinds';
import type { KindName, Providers } from './types';

/** Empty state without providers: what works without one, and the choices. */
export function NoProviders({ of, busy, onAdd }: { of: Providers; busy: boolean; onAdd: (kind: KindName) => void }) {
  return (
    <div className="stack nobody">
      <div>
        <h2>No model provider yet</h2>
        <p className="muted">
          Costs, recommendations, events and alerts work without one. The assistant needs a language model; a model for
          embeddings improves search in knowledge bases.
        </p>
      </div>
      <div className="note info">
        <Info className="i" />
        <div className="grow">
          {of.runner.ollama ? (
            <>
              Ollama is installed here (<code>{of.runner.ollama}</code>): add it, choose one of its models, and nothing
              leaves this machine.
            </>
          ) : (
            <>
              No connection is made until you add a provider and choose a model. With Ollama or{' '}
              <Link to="/settings/model-downloads">a downloaded model</Link>, nothing ever leaves this machine.
            </>
          )}
        </div>
      </div>
      <Kinds of={of} busy={busy} onAdd={onAdd} />
    </div>
  );
}
