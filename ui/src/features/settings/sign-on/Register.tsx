import { Download } from 'lucide-react';
import { Field } from '@/shared';
import { CopyRow } from '../parts';
import type { FormProps } from './form';
import { Source } from './Source';
import { textOf } from './draft';

/** What the identity provider wants to know of this service, to copy or as one file. */
export function Register({ settings, view, draft, change, problem }: FormProps) {
  const sp = view.service_provider;
  const here = window.location.origin;
  const base = textOf('APPAUTH_URL', draft, settings);
  const audience = textOf('SAML_AUDIENCE', draft, settings);
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
              {base !== here && (
                <span className="from">
                  {base !== '' && 'You opened it at another address.'}
                  <button
                    type="button"
                    className="bare"
                    onClick={() => {
                      change({ APPAUTH_URL: here, ...(audience === '' ? { SAML_AUDIENCE: here } : {}) });
                    }}
                  >
                    Use {here}
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
          <a className="btn sm" href={sp.metadata_url} download>
            <Download className="i s" />
            Download metadata of this service
          </a>
          <span className="small muted">All of the above in one file, as it is saved.</span>
        </div>
      </div>
    </section>
  );
}
