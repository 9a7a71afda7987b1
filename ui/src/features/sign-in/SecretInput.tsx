import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/shared';

/** A field for something secret, with a button that shows it. Paste and password managers work. */
export function SecretInput({
  control,
  name,
  what,
  value,
  onChange,
}: {
  control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };
  name: string;
  /** "secret", "password": for the name of the button. */
  what: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [shown, setShown] = useState(false);
  return (
    <div className="join">
      <input
        {...control}
        className="in grow"
        type={shown ? 'text' : 'password'}
        name={name}
        autoComplete="current-password"
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      />
      <Button
        iconOnly
        size="large"
        aria-label={shown ? `Hide ${what}` : `Show ${what}`}
        onClick={() => {
          setShown(!shown);
        }}
      >
        {shown ? <EyeOff className="i" /> : <Eye className="i" />}
      </Button>
    </div>
  );
}
