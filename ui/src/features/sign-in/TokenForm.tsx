import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { useSignIn } from '@/api';
import { Button, Field } from '@/shared';

/** Signs in with the e-mail and secret that `quarterdeck-server token create` printed. Paste and password managers work. */
export function TokenForm() {
  const signIn = useSignIn();
  const [email, setEmail] = useState('');
  const [secret, setSecret] = useState('');
  const [shown, setShown] = useState(false);
  const [tried, setTried] = useState(false);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (email && secret) signIn.mutate({ email, secret });
  };
  return (
    <form className="fields" onSubmit={submit} noValidate>
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
            Printed once by <code>quarterdeck-server token create</code>.
          </>
        }
      >
        {(control) => (
          <div className="join">
            <input
              {...control}
              className="in grow"
              type={shown ? 'text' : 'password'}
              name="secret"
              autoComplete="current-password"
              value={secret}
              onChange={(event) => {
                setSecret(event.target.value);
              }}
            />
            <Button
              iconOnly
              size="large"
              aria-label={shown ? 'Hide secret' : 'Show secret'}
              onClick={() => {
                setShown(!shown);
              }}
            >
              {shown ? <EyeOff className="i" /> : <Eye className="i" />}
            </Button>
          </div>
        )}
      </Field>
      <Button type="submit" kind="primary" size="large" className="wide" busy={signIn.isPending && 'Signing in'}>
        Sign in
      </Button>
    </form>
  );
}
