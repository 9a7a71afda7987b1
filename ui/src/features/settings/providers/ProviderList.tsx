import { Link } from '@tanstack/react-router';
import { Status } from '@/shared';
import type { Providers } from './types';
import { groupOf, groups, stateOf, usesOf } from './wording';

/** The column of providers, by group, with their uses and state. */
export function ProviderList({ of, chosen }: { of: Providers; chosen: string | undefined }) {
  return (
    <nav className="pvl" aria-label="Providers">
      {groups.map(({ title }) => {
        const listed = of.providers.filter((provider) => groupOf(provider.kind) === title);
        if (listed.length === 0) return null;
        return (
          <div key={title} role="group" aria-label={title}>
            <div className="grp" aria-hidden="true">
              {title}
            </div>
            {listed.map((provider) => {
              const { word, tone } = stateOf(provider);
              return (
                <Link
                  key={provider.id}
                  className="pv"
                  to="/settings/model-providers"
                  search={{ id: provider.id }}
                  aria-current={provider.id === chosen ? 'true' : undefined}
                >
                  <span className="grow">
                    <b className="cut block">{provider.name}</b>
                    <span className="small muted cut block">{usesOf(provider, of.providers)}</span>
                  </span>
                  <Status tone={tone}>{word}</Status>
                </Link>
              );
            })}
          </div>
        );
      })}
      <p className="help">
        Without a provider, monitoring, costs and alerts still work. The assistant and summaries stay off.
      </p>
    </nav>
  );
}
