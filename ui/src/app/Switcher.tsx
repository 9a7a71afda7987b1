import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleAlert, Plus, Search, X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useInstanceInFront, useInstances, useTenants } from '@/api';
import type { ApiError, Instance, TenantChoice } from '@/api';
import { Button, useFocusReturn } from '@/shared';
import { instanceInFront } from '@/shared/place';
import { Elsewhere, Here, TenantLine } from './SwitcherLines';
import { switchTo } from './switchTo';
import { switchTenant } from './tenants';
import { bufferedKeys } from './KeyBuffer';

/** An entry: an instance (`null`: this computer), or a tenant of the current instance. */
type Line = { instance: Instance | null } | { tenant: TenantChoice };

const keyOf = (line: Line) => ('tenant' in line ? line.tenant.id : (line.instance?.id ?? 'here'));

/** All instances and the tenants of the current one: arrows move, Enter or a number opens, and the current ones are marked. */
export function Switcher({ onClose }: { onClose: () => void }) {
  const data = useInstances().data;
  const tenants = useTenants();
  const front = useInstanceInFront();
  const navigate = useNavigate();
  const change = useMutation<void, ApiError, string>({ mutationFn: switchTenant });
  const [ahead] = useState(bufferedKeys);
  const isNumber = /^[1-9]/.test(ahead);
  const [text, setText] = useState(isNumber ? '' : ahead);
  const [at, setAt] = useState<number | null>(null);
  const list = useId();
  const returnFocus = useFocusReturn();

  const words = (line: Line) => {
    if ('tenant' in line) return line.tenant.name;
    return line.instance
      ? `${line.instance.name} ${line.instance.address}`
      : `This computer ${data?.here.address ?? ''}`;
  };
  const places: Line[] = data ? [null, ...data.instances].map((instance) => ({ instance })) : [];
  const all: Line[] = [...places, ...tenants.map((tenant) => ({ tenant }))];
  const found = all.filter((line) => words(line).toLowerCase().includes(text.trim().toLowerCase()));
  const isInFront = (line: Line) =>
    'tenant' in line ? !data && line.tenant.current : (line.instance?.id ?? null) === instanceInFront;
  const selected = at ?? Math.max(found.findIndex(isInFront), 0);
  // The key of this computer to an instance elsewhere counts in one tenant.
  const isFixed = instanceInFront !== null;
  const place = front ? `in ${front.name}` : data ? 'on this computer' : 'on this server';

  const close = () => {
    // The user should see a tenant switch that succeeded.
    if (!change.isPending) onClose();
  };
  const open = (line: Line | undefined) => {
    if (!line || change.isPending) return;
    if ('instance' in line) {
      onClose();
      switchTo(line.instance?.id ?? null);
    } else if (line.tenant.current) {
      onClose();
    } else if (!isFixed) {
      change.mutate(line.tenant.id);
    }
  };
  const openNumber = useEffectEvent((number: number) => {
    open(all[number - 1]);
  });
  useEffect(() => {
    if (isNumber) openNumber(Number(ahead[0]));
  }, [isNumber, ahead]);
  if (!data && tenants.length === 0) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length > 0) {
      event.preventDefault();
      const next = (selected + step + found.length) % found.length;
      setAt(next);
      document.getElementById(`${list}-${String(next)}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(found[selected]);
    } else if (/^[1-9]$/.test(event.key) && text === '') {
      event.preventDefault();
      open(all[Number(event.key) - 1]);
    }
  };
  const manage = () => {
    close();
    void navigate({ to: '/settings/instances' });
  };
  const option = (line: Line, inside: ReactNode) => {
    const index = found.indexOf(line);
    const number = all.indexOf(line) + 1;
    const isOff = 'tenant' in line && isFixed && !line.tenant.current;
    return (
      <div
        key={keyOf(line)}
        id={`${list}-${String(index)}`}
        className="it"
        role="option"
        aria-selected={index === selected}
        aria-disabled={isOff || undefined}
        onMouseMove={() => {
          setAt(index);
        }}
        onClick={() => {
          open(line);
        }}
      >
        {inside}
        {number < 10 && !isOff ? <kbd>{number}</kbd> : <span className="nokbd" />}
      </div>
    );
  };
  const shown = found.filter((line) => 'tenant' in line);
  return (
    <Radix.Root
      open
      onOpenChange={(next) => {
        if (!next) close();
      }}
    >
      <Radix.Portal>
        <div className="scrim">
          <Radix.Content
            className="dialog switcher"
            data-modal=""
            aria-describedby={undefined}
            onCloseAutoFocus={returnFocus}
          >
            <div className="dh split">
              <Radix.Title asChild>
                <h2>{data ? 'Switch instance' : 'Switch tenant'}</h2>
              </Radix.Title>
              <Radix.Close asChild>
                <Button kind="quiet" iconOnly aria-label="Close" className="end">
                  <X className="i" />
                </Button>
              </Radix.Close>
            </div>
            <div className="dbody">
              <div className="swfind">
                <Search className="i s" />
                <input
                  autoFocus
                  role="combobox"
                  aria-expanded
                  aria-controls={list}
                  aria-activedescendant={`${list}-${String(selected)}`}
                  aria-label={data ? 'Filter by name or address' : 'Filter by name'}
                  placeholder={data ? 'Filter by name or address' : 'Filter by name'}
                  value={text}
                  onKeyDown={onKeyDown}
                  onChange={(event) => {
                    setText(event.target.value);
                    setAt(null);
                  }}
                />
              </div>
              <div className="swlist" role="listbox" id={list} aria-label={data ? 'Instances' : 'Tenants'}>
                {found.map(
                  (line) =>
                    'instance' in line &&
                    data &&
                    option(
                      line,
                      line.instance ? <Elsewhere one={line.instance} here={data.here} /> : <Here here={data.here} />,
                    ),
                )}
                {shown.length > 0 && (
                  <div className="swtenants" role="group" aria-labelledby={`${list}-tenants`}>
                    <div className="split" role="presentation">
                      <span className="strong" id={`${list}-tenants`}>
                        Tenant {place}
                      </span>
                      <span className="small muted">{tenants.length} available to you</span>
                    </div>
                    {shown.map((line) =>
                      option(
                        line,
                        <TenantLine
                          tenant={line.tenant}
                          isOpening={change.variables === line.tenant.id && change.isPending}
                        />,
                      ),
                    )}
                  </div>
                )}
                {found.length === 0 && (
                  <p className="muted">
                    No {data ? 'instance' : 'tenant'} matches “{text}”.
                  </p>
                )}
              </div>
              {isFixed && shown.length > 0 && (
                <p className="help">
                  This computer’s key to {front?.name} is valid for one tenant. For another one, sign out under Manage,
                  sign in again, and choose it in the browser.
                </p>
              )}
              {change.error && (
                <div className="note bad" role="alert">
                  <CircleAlert className="i" />
                  <div>{change.error.message}</div>
                </div>
              )}
            </div>
            <div className="df">
              {data && (
                <>
                  <Button size="small" onClick={manage}>
                    <Plus className="i s" />
                    Add instance
                  </Button>
                  <Button size="small" kind="quiet" onClick={manage}>
                    Manage
                  </Button>
                </>
              )}
              <span className="end small muted row">
                <kbd>↑</kbd>
                <kbd>↓</kbd> move <kbd>↵</kbd> open <kbd>Esc</kbd> close
              </span>
            </div>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}
