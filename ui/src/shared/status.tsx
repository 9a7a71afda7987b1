import { Circle, CircleCheck, CircleDashed, LoaderCircle, OctagonAlert, OctagonX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'off';

const icons = { ok: CircleCheck, warn: TriangleAlert, bad: OctagonX, info: LoaderCircle, off: CircleDashed };

/** Icon and word for a state; never colour alone. `open` draws an empty ring for items without an owner. */
export function Status({ tone, open = false, children }: { tone: Tone; open?: boolean; children: ReactNode }) {
  const Icon = open ? Circle : icons[tone];
  return (
    <span className={`st ${tone}`}>
      <Icon className="i" />
      {children}
    </span>
  );
}

export type SeverityName = 'Critical' | 'High' | 'Medium' | 'Low' | 'Info';

/** Octagon for critical, bars for the rest, a dashed ring for information; the word may be for screen readers only. */
export function Severity({ value, iconOnly = false }: { value: SeverityName; iconOnly?: boolean }) {
  const bars = { Critical: 0, High: 3, Medium: 2, Low: 1, Info: 0 }[value];
  const name = value === 'Info' ? 'infos' : value.toLowerCase();
  return (
    <span className={`sev ${name}`}>
      {value === 'Critical' && <OctagonAlert className="i s" />}
      {value === 'Info' && <CircleDashed className="i s" />}
      {bars > 0 && (
        <svg viewBox="0 0 14 14" aria-hidden="true">
          {[0, 1, 2].map((i) => (
            <rect
              key={i}
              x={1 + i * 4.5}
              y={9 - i * 4}
              width="3"
              height={4 + i * 4}
              rx="0.75"
              fill={i < bars ? 'currentColor' : 'none'}
              stroke="currentColor"
              strokeWidth={i < bars ? 0 : 0.75}
              opacity={i < bars ? 1 : 0.55}
            />
          ))}
        </svg>
      )}
      <span className={iconOnly ? 'sr' : ''}>{value}</span>
    </span>
  );
}
