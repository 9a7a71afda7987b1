import { House } from 'lucide-react';
import { Switch } from '../parts';
import type { Provider } from './types';
import { hostIn } from './wording';

/** Whether what it is asked may leave this machine. What runs here needs no leave. */
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
        <div className="grow">It runs on this machine. Nothing that is asked leaves it.</div>
      </div>
    );
  const may = provider.may_leave.value;
  // Whoever types another address is not told of the one that was there.
  const host = (address ? hostIn(address) : provider.host) || 'the provider';
  return (
    <section className="form-sec" aria-label="Privacy">
      <Switch label="Questions may leave this machine" on={may} onChange={onChange}>
        {may ? (
          <>
            What the assistant asks, with the rows its answer rests on, is sent to {host}.
            {provider.may_leave.source === 'environment' && ' Because the environment set it up.'}
          </>
        ) : (
          <>Off: nothing but a test is sent to {host}, and others are asked instead. Switch it on to use its models.</>
        )}
      </Switch>
    </section>
  );
}
