import { Download, ExternalLink } from 'lucide-react';
import { useInstanceInFront, useOriginInFront } from '@/api';
import { Field } from '@/shared';
import { instanceInFront } from '@/shared/place';
import { CopyRow, Switch } from '../parts';
import type { FormProps } from './form';
import { Source } from './Source';
import { isOn, textOf } from './draft';

/** Values of this service for the identity provider, to copy or as one file. */
export function Register({ settings, view, draft, change, problem }: FormProps) {
  const sp = view.service_provider;
  const front = useInstanceInFront();
  const origin = useOriginInFront();
  const base = textOf('APPAUTH_URL', draft, settings);
  const audience = textOf('SAML_AUDIENCE', draft, settings);
  const signs = isOn('SAML_SIGN_REQUESTS', draft, settings);
  const missing = 'Enter the address of this service first';
  return (
    <section className="form-sec" aria-labelledby="register">
      <h2 id="register">1. Register this service</h2>
      <p className="help">
        Copy these values into a new SAML application at your identity provider, or give it the file.
      </p>
      <div id="setting-APPAUTH_URL">
        <Field
          label="Address of this service"
          setting="APPAUTH_URL"
          error={problem('APPAUTH_URL')}
          help={
            <>
              {base === '' ? 'Where people open Quarterdeck; the identity provider sends them back here.' : ''}
              {origin !== null && base !== origin && (
                <span className="from">
                  {base !== '' &&
                    (front ? 'This computer reaches it at another address.' : 'You opened it at another address.')}
                  <button
                    type="button"
                    className="bare"
                    onClick={() => {
                      change({ APPAUTH_URL: origin, ...(audience === '' ? { SAML_AUDIENCE: origin } : {}) });
                    }}
                  >
                    Use {origin}
                  </button>
                </span>
              )}
              <Source name="APPAUTH_URL" {...{ settings, draft, change }} />
            </>
          }
        >
          {(control) => (
            <input
              {...control}
              className="in mono"
              inputMode="url"
              placeholder="https://console.example.com"
              value={base}
              onChange={(event) => {
                change({ APPAUTH_URL: event.target.value });
              }}
            />
          )}
        </Field>
      </div>
      <div className="panel copylist">
        <CopyRow label="Assertion consumer URL" value={sp.acs_url} missing={missing} />
        <CopyRow label="Entity ID, audience" value={sp.entity_id} missing="Enter the audience below first" />
        <CopyRow label="Sign-on URL" value={sp.sign_on_url} missing={missing} />
        <CopyRow label="NameID format" value={sp.name_id_format} />
        <div className="certfoot">
          <MetadataLink origin={origin} path={sp.metadata_url} />
          <span className="small muted">All of the above in one file, as it is saved.</span>
        </div>
      </div>
      <Switch
        label="Sign requests"
        on={signs}
        setting="SAML_SIGN_REQUESTS"
        onChange={(on) => {
          change({ SAML_SIGN_REQUESTS: String(on) });
        }}
      >
        {signs
          ? 'Every request to the identity provider is signed. Give it the metadata of this service again: the certificate is in it.'
          : 'Off: requests are not signed. Switch it on if the identity provider requires signed requests, as LemonLDAP::NG does.'}
        {problem('SAML_SIGN_REQUESTS') && <span className="err">{problem('SAML_SIGN_REQUESTS')}</span>}
        <Source name="SAML_SIGN_REQUESTS" {...{ settings, draft, change }} />
      </Switch>
    </section>
  );
}

/** The metadata file. For a remote instance it is opened in the system browser, because the relay does not forward such files. */
function MetadataLink({ origin, path }: { origin: string | null; path: string }) {
  if (instanceInFront === null)
    return (
      <a className="btn sm" href={path} download>
        <Download className="i s" />
        Download metadata of this service
      </a>
    );
  return (
    origin && (
      <a className="btn sm" href={origin + path} target="_blank" rel="noreferrer">
        <ExternalLink className="i s" />
        Metadata of this service, in the browser
      </a>
    )
  );
}
