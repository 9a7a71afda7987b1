import { useState } from 'react';
import { useSignIn } from '@/api';
import { Button, Field, Form } from '@/shared';
import { SecretInput } from './SecretInput';
import { useWait } from './wait';

/** Signs the local administrator in with the password set under Settings, Single sign-on. */
export function PasswordForm() {
  const signIn = useSignIn();
  const [email, setEmail] = useState('administrator@localhost');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const wait = useWait(signIn.error);
  const submit = () => {
    setTried(true);
    if (email && password && wait === 0) signIn.mutate({ email, password });
  };
  return (
    <Form className="fields" onSubmit={submit} aria-label="Local administrator">
      <Field label="E-mail" error={tried && !email ? 'Enter the e-mail of the local administrator' : undefined}>
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
      <Field label="Password" error={tried && !password ? 'Enter the password' : signIn.error?.message}>
        {(control) => (
          <SecretInput control={control} name="password" what="password" value={password} onChange={setPassword} />
        )}
      </Field>
      <Button
        type="submit"
        size="large"
        className="wide"
        busy={signIn.isPending && 'Signing in'}
        reason={wait > 0 ? `Too many attempts: try again in ${String(wait)} s` : undefined}
      >
        {wait > 0 ? `Try again in ${String(wait)} s` : 'Sign in with password'}
      </Button>
    </Form>
  );
}
