import { useState } from 'react';
import { isOwnWindow, useSignIn } from '@/api';
import { Button, Field, Form } from '@/shared';
import { SecretInput } from './SecretInput';
import { useWait } from './wait';

/** Signs in with e-mail and secret of an API token. `primary` if it is the first method of the page. */
export function TokenForm({ primary = true }: { primary?: boolean }) {
  const signIn = useSignIn();
  const [email, setEmail] = useState('');
  const [secret, setSecret] = useState('');
  const [tried, setTried] = useState(false);
  const wait = useWait(signIn.error);
  const submit = () => {
    setTried(true);
    if (email && secret && wait === 0) signIn.mutate({ email, secret });
  };
  return (
    <Form className="fields" onSubmit={submit}>
      <Field label="E-mail" error={tried && !email ? 'Enter the e-mail the token belongs to' : undefined}>
        {(control) => (
          <input
            {...control}
            className="in"
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
            }}
          />
        )}
      </Field>
      <Field
        label="API secret"
        error={tried && !secret ? 'Enter the secret of an API token' : signIn.error?.message}
        help={
          <>
            Created under Settings, API tokens
            {!isOwnWindow() && (
              <>
                , or by <code>quarterdeck-server token create</code>
              </>
            )}
            .
          </>
        }
      >
        {(control) => <SecretInput control={control} name="secret" what="secret" value={secret} onChange={setSecret} />}
      </Field>
      <Button
        type="submit"
        kind={primary ? 'primary' : 'default'}
        size="large"
        className="wide"
        busy={signIn.isPending && 'Signing in'}
        reason={wait > 0 ? `Too many attempts: try again in ${String(wait)} s` : undefined}
      >
        {wait > 0 ? `Try again in ${String(wait)} s` : 'Sign in'}
      </Button>
    </Form>
  );
}
