import type { ReactNode } from 'react';

/** A figure with its name; `title` explains how it is calculated. */
export function Tile({ label, title, children }: { label: string; title?: string; children: ReactNode }) {
  return (
    <div className="kpi">
      <div className="l" {...(title ? { title } : {})}>
        <span className="cut">{label}</span>
      </div>
      {children}
    </div>
  );
}
