import { useState } from 'react';
import type { Json } from '@/api';
import { Button, Check, Dialog, Field, Form } from '@/shared';
import { readInputs } from './inputs';
import type { InputField } from './inputs';
import { useBegin } from './useChanges';
import type { Target } from './useChanges';

/** Requests the inputs of a run. Empty fields use their defaults. */
export function RunDialog({
  workflow,
  fields,
  pinned = [],
  onBegun,
  onClose,
}: {
  workflow: Target;
  fields: readonly InputField[];
  /** Tasks with a pinned output. */
  pinned?: readonly string[];
  onBegun: (run: string) => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [isTest, setTest] = useState(false);
  const begin = useBegin((run) => {
    onClose();
    onBegun(run);
  });
  const submit = () => {
    const read = readInputs(fields, typed);
    setProblems(read.problems);
    if (Object.keys(read.problems).length > 0) return;
    begin.mutate({ of: workflow, inputs: read.values as Json, usesPinned: isTest });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Run ${workflow.name}`}
      {...(fields.length === 0 ? { help: 'No input needed.' } : {})}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="run-workflow" busy={begin.isPending && 'Starting'}>
            Run now
          </Button>
        </>
      }
    >
      <Form id="run-workflow" className="stack" onSubmit={submit}>
        {fields.map((field) => (
          <Field
            key={field.id}
            label={field.id}
            setting={field.type ?? 'any'}
            help={[field.description, field.default === null ? 'No default.' : `Default: ${field.default}`]
              .filter(Boolean)
              .join(' ')}
            error={problems[field.id]}
          >
            {(control) => (
              <InputControl
                control={control}
                field={field}
                value={typed[field.id] ?? ''}
                onChange={(value) => {
                  setTyped({ ...typed, [field.id]: value });
                }}
              />
            )}
          </Field>
        ))}
        {pinned.length > 0 && (
          <Check
            label={`Test run: use the pinned output of ${pinned.join(', ')}`}
            checked={isTest}
            onChange={setTest}
          />
        )}
        {begin.error && (
          <div className="note bad" role="alert">
            <div className="grow">
              <div className="t">The run did not start</div>
              <div className="muted">{begin.error.message}</div>
            </div>
          </div>
        )}
      </Form>
    </Dialog>
  );
}

function InputControl({
  control,
  field,
  value,
  onChange,
}: {
  control: { id: string };
  field: InputField;
  value: string;
  onChange: (value: string) => void;
}) {
  if (field.type === 'boolean' || field.type === 'bool')
    return (
      <select
        {...control}
        className="sel"
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      >
        <option value="">Default</option>
        <option>true</option>
        <option>false</option>
      </select>
    );
  const isLong = ['object', 'map', 'array', 'list'].includes(field.type ?? '');
  const Control = isLong ? 'textarea' : 'input';
  return (
    <Control
      {...control}
      className={isLong ? 'in mono area' : 'in'}
      autoComplete="off"
      value={value}
      onChange={(event: { target: { value: string } }) => {
        onChange(event.target.value);
      }}
    />
  );
}
