import { useEffect, useRef, useState } from 'react';
import type { ComponentProps } from 'react';

/**
 * A form whose fields say what is wrong with them. Once it is sent, the focus goes to the first field with a problem: at once, or when the
 * service has found one. Writing into the form meanwhile keeps the focus where it is. A button elsewhere sends it with `form={id}`.
 */
export function Form({
  onSubmit,
  ...rest
}: Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> & { onSubmit: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const isSent = useRef(false);
  // Sent a second time with the same problems, nothing else would draw it anew.
  const [, setTimes] = useState(0);
  useEffect(() => {
    if (!isSent.current || !focusFirstProblem(form.current)) return;
    isSent.current = false;
  });
  return (
    <form
      noValidate
      {...rest}
      ref={form}
      onInput={() => {
        isSent.current = false;
      }}
      onSubmit={(event) => {
        event.preventDefault();
        isSent.current = true;
        setTimes((times) => times + 1);
        onSubmit();
      }}
    />
  );
}

/** Gives the focus to the first control of `part` that has a problem; whether there is one. */
export function focusFirstProblem(part: ParentNode | null): boolean {
  const first = part?.querySelector<HTMLElement>('[aria-invalid="true"]');
  first?.focus();
  return first !== null && first !== undefined;
}
