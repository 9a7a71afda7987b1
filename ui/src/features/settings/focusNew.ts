/**
 * Gives the focus to what has just appeared, once: `ref={focusNew}` with `tabIndex={-1}`. What is shown once and above the form that made it is not seen
 * by whoever reads on from the form.
 */
export function focusNew(part: HTMLElement | null): void {
  part?.focus();
}
