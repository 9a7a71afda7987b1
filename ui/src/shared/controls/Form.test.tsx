import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Field } from './Field';
import { Form } from './Form';

/** A form of two fields that must not be empty; the service finds fault with the second. */
function Pair({ save }: { save: () => Promise<string> }) {
  const [values, setValues] = useState({ Name: '', Address: '' });
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const submit = () => {
    setTried(true);
    if (values.Name && values.Address) void save().then(setRefusal);
  };
  return (
    <>
      <Form id="pair" onSubmit={submit}>
        {(['Name', 'Address'] as const).map((name) => (
          <Field
            key={name}
            label={name}
            error={tried && !values[name] ? `Enter ${name}` : name === 'Address' ? refusal : undefined}
          >
            {(control) => (
              <input
                {...control}
                value={values[name]}
                onChange={(event) => {
                  setValues({ ...values, [name]: event.target.value });
                }}
              />
            )}
          </Field>
        ))}
      </Form>
      <button type="submit" form="pair">
        Save
      </button>
    </>
  );
}

const field = (name: string) => screen.getByLabelText(name);

test('a form with two problems shows both, and the first one has the focus, every time it is sent', async () => {
  const save = vi.fn(() => Promise.resolve(''));
  render(<Pair save={save} />);
  for (let time = 0; time < 2; time++) {
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('Enter Name')).toBeTruthy();
    expect(screen.getByText('Enter Address')).toBeTruthy();
    expect(document.activeElement).toBe(field('Name'));
  }
  await userEvent.type(field('Name'), 'ledger');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(document.activeElement).toBe(field('Address'));
  expect(save).not.toHaveBeenCalled();
});

test('what the service finds wrong gets the focus when its answer comes, unless somebody writes meanwhile', async () => {
  let answer: (words: string) => void = () => undefined;
  const save = () =>
    new Promise<string>((resolve) => {
      answer = resolve;
    });
  const { unmount } = render(<Pair save={save} />);
  await userEvent.type(field('Name'), 'a');
  await userEvent.type(field('Address'), 'b');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await act(async () => {
    answer('Nobody answers there');
    await Promise.resolve();
  });
  expect(document.activeElement).toBe(field('Address'));
  unmount();

  render(<Pair save={save} />);
  await userEvent.type(field('Address'), 'b');
  await userEvent.type(field('Name'), 'a');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.type(field('Name'), 'c');
  await act(async () => {
    answer('Nobody answers there');
    await Promise.resolve();
  });
  expect(document.activeElement).toBe(field('Name'));
});
