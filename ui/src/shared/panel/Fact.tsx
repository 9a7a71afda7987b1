import type { ReactNode } from 'react';

/** A line of a `dl.kv`; renders nothing without a value. */
export function Fact({ name, mono = false, children }: { name: string; mono?: boolean; children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className={mono ? 'mono small' : ''}>{children}</dd>
    </>
  );
}
