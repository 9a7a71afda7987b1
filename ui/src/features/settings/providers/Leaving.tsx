import { House } from 'lucide-react';
import { Switch } from '../parts';
import type { Provider } from './types';
import { hostIn } from './wording';

/** Whether questions may leave this machine. Local providers need no permission. */
export function Leaving({
  provider,
  address,
  onChange,
}: {
  provider: Provider;
  /** As the form has it, when it was changed. */
  address: string | undefined;
  onChange: (may: boolean) => void;
}) {
  if (provider.is_local)
    return (
      <div className="note ok leaving">
        <House className="i" />
        <div className="grow">It runs on this machine. Questions never leave it.</div>
      </div>
    );
  const may = provider.may_leave.value;
  // With another address typed, the old host must not be shown.
  const host = (address ? hostIn(address) : provider.host) || 'the provider';
  return (
    <section className="form-sec" aria-label="Privacy">
      <Switch label="Questions may leave this machine" on={may} onChange={onChange}>
        {may ? (
          <>
            Questions of the assistant, with the rows behind its answers, are sent to {host}.
            {provider.may_leave.source === 'environment' && ' Set up by the environment.'}
          </>
        ) : (
          <>Off: only tests are sent to {host}; other providers are used instead. Switch it on to use its models.</>
        )}
      </Switch>
    </section>
  );
}
