import { useNavigate } from '@tanstack/react-router';
import { Monitor, Plus, Search, Server } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useInstances } from '@/api';
import type { Instance, Instances } from '@/api';
import { useLook } from '@/features/settings/instances/look';
import { standing, versionNote } from '@/features/settings/instances/standing';
import { Button, Status, dateTime, useNow } from '@/shared';
import { instanceInFront } from '@/shared/place';
import { switchTo } from './switchTo';

/** All instances: arrows move, Enter or a number opens, and the one in front says so. */
export function Switcher({ onClose }: { onClose: () => void }) {
  const data = useInstances().data;
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [at, setAt] = useState<number | null>(null);
  const list = useId();
  if (!data) return null;
  const all: (Instance | null)[] = [null, ...data.instances];
  const found = all.filter((one) => {
    const words = one ? `${one.name} ${one.address}` : `This computer ${data.here.address}`;
    return words.toLowerCase().includes(text.trim().toLowerCase());
  });
  const front = found.findIndex((one) => (one?.id ?? null) === instanceInFront);
  const selected = at ?? Math.max(front, 0);
  const open = (one: Instance | null | undefined) => {
    if (one === undefined) return;
    onClose();
    switchTo(one?.id ?? null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length > 0) {
      event.preventDefault();
      setAt((selected + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(found[selected]);
    } else if (/^[1-9]$/.test(event.key) && text === '') {
      event.preventDefault();
      open(all[Number(event.key) - 1]);
    }
  };
  const manage = () => {
    onClose();
    void navigate({ to: '/settings/instances' });
  };
  return (
    <Radix.Root
      open
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Radix.Portal>
        <div className="scrim">
          <Radix.Content className="dialog switcher" data-modal="" aria-describedby={undefined}>
            <div className="dh">
              <Radix.Title asChild>
                <h2>Switch instance</h2>
              </Radix.Title>
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
                  aria-label="Filter by name or address"
                  placeholder="Filter by name or address"
                  value={text}
                  onKeyDown={onKeyDown}
                  onChange={(event) => {
                    setText(event.target.value);
                    setAt(null);
                  }}
                />
              </div>
              <div className="swlist" role="listbox" id={list} aria-label="Instances">
                {found.map((one, index) => (
                  <div
                    key={one?.id ?? 'here'}
                    id={`${list}-${String(index)}`}
                    className="it"
                    role="option"
                    aria-selected={index === selected}
                    onMouseMove={() => {
                      setAt(index);
                    }}
                    onClick={() => {
                      open(one);
                    }}
                  >
                    {one ? <Elsewhere one={one} here={data.here} /> : <Here here={data.here} />}
                    <kbd>{all.indexOf(one) + 1}</kbd>
                  </div>
                ))}
                {found.length === 0 && <p className="muted">No instance matches “{text}”.</p>}
              </div>
            </div>
            <div className="df">
              <Button size="small" onClick={manage}>
                <Plus className="i s" />
                Add instance
              </Button>
              <Button size="small" kind="quiet" onClick={manage}>
                Manage
              </Button>
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

function Here({ here }: { here: Instances['here'] }) {
  return (
    <>
      <span className="ic">
        <Monitor className="i" />
      </span>
      <span className="grow cut">
        <b>This computer</b> {instanceInFront === null && <span className="badge acc">In front</span>}
        <span className="small muted block">{here.address}</span>
      </span>
      <span className="stand">
        <Status tone="ok">Running</Status>
        <span className="small muted block">v{here.version}, works offline</span>
      </span>
    </>
  );
}

function Elsewhere({ one, here }: { one: Instance; here: Instances['here'] }) {
  const now = useNow();
  const look = useLook(one.id).data;
  const { tone, word } = standing(look, one.kept_in);
  const version = look?.version ?? one.version;
  const note = versionNote(version, here.version);
  const host = one.address.replace(/^https?:\/\//, '');
  const about = one.kept_in ? `signed in as ${one.email ?? ''}` : 'sign in';
  const seen = one.seen_at ? `, last seen ${dateTime(one.seen_at, now)} UTC` : '';
  return (
    <>
      <span className={`ic inst-${one.colour}`}>
        <Server className="i" />
      </span>
      <span className="grow cut">
        <b>{one.name}</b> {instanceInFront === one.id && <span className="badge acc">In front</span>}
        <span className="small muted block cut">
          {host}, {tone === 'off' ? seen.slice(2) || 'never reached' : about}
        </span>
      </span>
      <span className="stand">
        <Status tone={tone}>{word}</Status>
        <span className="small muted block">
          {[
            version && `v${version}`,
            note,
            tone === 'off' && one.copy_of
              ? `copy of ${dateTime(one.copy_of, now)}`
              : look && !look.trouble && `${String(look.took)} ms`,
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      </span>
    </>
  );
}
