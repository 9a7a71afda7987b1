import { Field } from '@/shared';

/** The proxy for an instance. */
export function ProxyField({
  value,
  help,
  error,
  onChange,
}: {
  value: string;
  help: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <Field label="Proxy" help={help} error={error}>
      {(control) => (
        <input
          {...control}
          className="in mono"
          spellCheck={false}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
    </Field>
  );
}
