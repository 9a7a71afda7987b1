import { Button, Status, dateTimeZone, useNow } from '@/shared';
import { Switch } from '../parts';
import { isOn } from './draft';
import type { FormProps } from './form';
import { titleOf } from './form';
import { Source } from './Source';
import type { SettingName } from './types';

/** The last step: a test through the real provider, and the button on the sign-in page. */
export function SwitchOn({
  settings,
  view,
  draft,
  change,
  problem,
  onTest,
  testing,
}: FormProps & { onTest: () => void; testing: boolean }) {
  const now = useNow();
  const on = isOn('SAML_ENABLED', draft, settings);
  const test = view.last_test;
  const missing = view.missing.map((name) => titleOf(name as SettingName));
  return (
    <section className="form-sec" aria-labelledby="switch-on">
      <h2 id="switch-on">5. Test and switch on</h2>
      <div className="panel pb stack tight">
        <div className="split">
          <div>
            {missing.length > 0 ? (
              <Status tone="off">Cannot be tested yet</Status>
            ) : test?.of_these_values ? (
              <Status tone={test.passed ? 'ok' : 'bad'}>{test.passed ? 'Test passed' : 'Test failed'}</Status>
            ) : (
              <Status tone="off">These values are not tested</Status>
            )}
            <div className="small muted">
              {missing.length > 0
                ? `Missing: ${missing.join(', ')}.`
                : test
                  ? `Last test ${dateTimeZone(test.at, now)}${test.of_these_values ? '' : ', of other values'}.`
                  : 'A dry run through your provider: lists each check and changes nothing.'}
            </div>
          </div>
          <Button
            onClick={onTest}
            busy={testing && 'Starting'}
            reason={missing.length > 0 ? `Missing: ${missing.join(', ')}` : undefined}
          >
            Test sign-in
          </Button>
        </div>
      </div>
      <Switch
        label="Offer single sign-on on the sign-in page"
        setting="SAML_ENABLED"
        on={on}
        onChange={(next) => {
          change({ SAML_ENABLED: String(next) });
        }}
      >
        {on
          ? 'The sign-in page shows “Continue with single sign-on”.'
          : 'Off: the sign-in page does not offer it, and nobody can sign in with it.'}
        {problem('SAML_ENABLED') && <span className="err">{problem('SAML_ENABLED')}</span>}
        <Source name="SAML_ENABLED" {...{ settings, draft, change }} />
      </Switch>
    </section>
  );
}
