import { CircleCheck, CircleDashed, OctagonX } from 'lucide-react';
import { Button } from '@/shared';
import { checkTitle } from './checkTitle';
import { Difference } from './Difference';
import type { Check, SettingName } from './types';

const marks = {
  passed: ['st ok plain', CircleCheck],
  failed: ['st bad', OctagonX],
  not_reached: ['st off plain', CircleDashed],
  not_checked: ['st off plain', CircleDashed],
} as const;
const words: Partial<Record<Check['state'], string>> = { not_reached: 'not reached', not_checked: 'not checked' };

/** Settings whose received value can be adopted unchanged. */
const takable: readonly SettingName[] = ['SAML_AUDIENCE', 'SAML_ISSUER'];

/** Each check, passed or failed, with expected and received values. `onTake` copies the received value into the form. */
export function Ladder({
  checks,
  onTake,
}: {
  checks: readonly Check[];
  onTake?: ((setting: SettingName, value: string) => void) | undefined;
}) {
  return (
    <ol className="ladder">
      {checks.map((check) => (
        <li key={check.id}>
          <div className="split">
            <Mark check={check} />
            <span className="small muted right">
              {words[check.state] ?? check.detail ?? (check.state === 'failed' ? check.setting : null)}
            </span>
          </div>
          {check.state === 'failed' && <Failed check={check} onTake={onTake} />}
        </li>
      ))}
    </ol>
  );
}

function Mark({ check }: { check: Check }) {
  const [look, Icon] = marks[check.state];
  return (
    <span className={look}>
      <Icon className="i" />
      <span className="sr">{check.state === 'passed' ? 'Passed: ' : check.state === 'failed' ? 'Failed: ' : ''}</span>
      {checkTitle(check)}
    </span>
  );
}

function Failed({
  check,
  onTake,
}: {
  check: Check;
  onTake: ((setting: SettingName, value: string) => void) | undefined;
}) {
  const { setting, expected, received, hint, remedy } = check;
  return (
    <>
      {(expected !== null || received !== null) && <Difference expected={expected} received={received} />}
      <div className="under small muted">
        {hint && <span>{hint}</span>}
        {remedy && remedy !== hint && <span>{remedy}</span>}
        {onTake && setting && received && takable.includes(setting) && (
          <Button
            size="small"
            onClick={() => {
              onTake(setting, received);
            }}
          >
            Use the received value here
          </Button>
        )}
      </div>
    </>
  );
}
