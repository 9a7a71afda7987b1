import { Bot, Cloud, Cpu, HardDrive, Server } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { KindName, Providers } from './types';
import { aboutKind, groups } from './wording';

const icons: Partial<Record<KindName, LucideIcon>> = {
  ollama: Server,
  huggingface: Bot,
  sagemaker: Server,
  service: Cpu,
  ondevice: HardDrive,
};

/** Every kind of provider, to choose one. */
export function Kinds({ of, busy, onAdd }: { of: Providers; busy: boolean; onAdd: (kind: KindName) => void }) {
  return (
    <div className="stack kinds">
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h3 className="small muted">{group.title}</h3>
          <div className="kindgrid">
            {group.kinds.map((name) => {
              const kind = of.kinds.find((one) => one.name === name);
              const Icon = icons[name] ?? Cloud;
              return (
                <button
                  key={name}
                  type="button"
                  className="kind"
                  disabled={busy}
                  onClick={() => {
                    onAdd(name);
                  }}
                >
                  <Icon className="i" />
                  <span>
                    <b>{kind?.title ?? name}</b>
                    <span className="small muted block">{aboutKind(name)}</span>
                  </span>
                </button>
              );
            })}
          </div>
        </section>
      ))}
    </div>
  );
}
