import { ChevronDown, ChevronUp, X } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../controls/Button';
import { useCover } from './useCover';
import { useReturnedFocus } from './useReturnedFocus';

const firstField = ['input', 'select', 'textarea'].map((name) => `.db ${name}:not([disabled])`).join(', ');

/** Detail next to its list: subject, scrolling body, actions fixed at the bottom. Esc closes it; give `key` per subject. */
export function SidePanel({
  label,
  head,
  tabs,
  children,
  actions,
  tools,
  onClose,
  onPrevious,
  onNext,
  width = 'wide',
  isNew = false,
}: {
  label: string;
  head: ReactNode;
  /** Under the head, over the whole width. */
  tabs?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
  /** Small buttons at the top, before the one that closes. */
  tools?: ReactNode;
  onClose: () => void;
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  /** 548 px for decisions, 356 px for facts. */
  width?: 'wide' | 'slim';
  /** A form for a new item: its first field gets the focus. */
  isNew?: boolean;
}) {
  const panel = useRef<HTMLElement>(null);
  useCover(panel);
  useReturnedFocus(panel);
  useLayoutEffect(() => {
    if (isNew) panel.current?.querySelector<HTMLElement>(firstField)?.focus();
  }, [isNew]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector('[role="dialog"], [role="menu"]')) return;
      onClose();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [onClose]);
  return (
    <aside
      className={width === 'slim' ? 'drawer slim over' : 'drawer wide'}
      aria-label={label}
      ref={panel}
      tabIndex={-1}
    >
      <div className="dh">
        <div className="row start">
          <div className="grow">{head}</div>
          {(onPrevious ?? onNext) && (
            <>
              <Step label="Previous" icon={ChevronUp} onStep={onPrevious} />
              <Step label="Next" icon={ChevronDown} onStep={onNext} />
            </>
          )}
          {tools}
          <Button size="small" kind="quiet" iconOnly aria-label="Close" onClick={onClose}>
            <X className="i s" />
          </Button>
        </div>
        {tabs}
      </div>
      <div className="db stack" tabIndex={0} role="group" aria-label={label}>
        {children}
      </div>
      {actions && <div className="df">{actions}</div>}
    </aside>
  );
}

/** Stays in place at the end of the list, so that the other button does not move under the pointer; it also keeps its focus. */
function Step({ label, icon: Icon, onStep }: { label: string; icon: LucideIcon; onStep: (() => void) | undefined }) {
  return (
    <Button
      size="small"
      kind="quiet"
      iconOnly
      aria-label={label}
      aria-disabled={onStep ? undefined : true}
      onClick={onStep}
    >
      <Icon className="i s" />
    </Button>
  );
}
