import { useEffect, useRef, useState } from 'react';
import type { ComponentProps, RefObject } from 'react';

/**
 * A form whose fields say what is wrong with them. Once it is sent, the focus goes to the first field with a problem: at once, or when the
 * service has found one. Writing into the form meanwhile keeps the focus where it is. A button elsewhere sends it with `form={id}`.
 *
 * `onSubmit` is given the name of the button that sent it, for a form with more than one.
 */
export function Form({
  onSubmit,
  ...rest
}: Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> & { onSubmit: (button: string | undefined) => void }) {
  const form = useRef<HTMLFormElement>(null);
  const problem = useProblemFocus(form);
  return (
    <form
      noValidate
      {...rest}
      ref={form}
      onInput={problem.stop}
      onSubmit={(event) => {
        event.preventDefault();
        problem.seek();
        onSubmit((event.nativeEvent as SubmitEvent).submitter?.getAttribute('name') ?? undefined);
      }}
    />
  );
}

/** Focuses the first problem of `part`, for fields outside a `Form`: from `seek` until one is found or `stop` is called. */
export function useProblemFocus(part: RefObject<HTMLElement | null>) {
  const isSought = useRef(false);
  // Sent a second time with the same problems, nothing else would draw it anew.
  const [, setTimes] = useState(0);
  useEffect(() => {
    if (!isSought.current || !focusFirstProblem(part.current)) return;
    isSought.current = false;
  });
  return {
    seek: () => {
      isSought.current = true;
      setTimes((times) => times + 1);
    },
    stop: () => {
      isSought.current = false;
    },
  };
}

/** Focuses the first control of `part` with a problem and expands what hides it. Returns whether there is one. */
export function focusFirstProblem(part: ParentNode | null): boolean {
  const first = part?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (!first) return false;
  const folded = first.closest('details');
  if (folded) folded.open = true;
  first.focus();
  return true;
}
