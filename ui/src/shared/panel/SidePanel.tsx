import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../controls/Button';
import { useCover } from './useCover';
import { useReturnedFocus } from './useReturnedFocus';

/** Detail beside its list: subject, scrolling body, actions fixed at the bottom. Esc closes; give `key` per subject. */
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
}) {
  const panel = useRef<HTMLElement>(null);
  useCover(panel);
  useReturnedFocus(panel);
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
          {onPrevious && (
            <Button size="small" kind="quiet" iconOnly aria-label="Previous" onClick={onPrevious}>
              <ChevronUp className="i s" />
            </Button>
          )}
          {onNext && (
            <Button size="small" kind="quiet" iconOnly aria-label="Next" onClick={onNext}>
              <ChevronDown className="i s" />
            </Button>
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
