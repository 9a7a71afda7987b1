import { Link, useNavigate } from '@tanstack/react-router';
import { Braces, ChevronRight, Cloud, Cpu, Package, Search, Siren, TrendingUpDown } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { call, send } from '@/api';
import { Button, bytes } from '@/shared';
import { offered, standing, useServiceModels } from './onItsWay';
import type { Rest } from '@/api';

/** Empty state without a model: three ways to set one up, and the features that work without one. */
export function NoModel() {
  return (
    <div className="no-model stack">
      <div>
        <h2 className="big">The assistant needs a model</h2>
        <p className="muted read">
          It answers questions about costs, events and documents, and names the rows behind each figure. No model is
          connected yet, and no connection is made before you set one up.
        </p>
      </div>
      <section className="panel">
        <Way icon={Cpu} title="Use a local model runner" action={<SetUpRunner />}>
          Ollama on this machine, for example <span className="mono">http://127.0.0.1:11434</span>. Nothing leaves it.
        </Way>
        <OwnModel />
        <Way
          icon={Cloud}
          title="Use a cloud service"
          action={
            <Link to="/settings/model-providers" className="btn">
              Add provider
            </Link>
          }
        >
          Text is sent to the service you choose. You see exactly what, and names are replaced first.
        </Way>
      </section>
      <section className="sec">
        <h2 className="h2">Works without a model</h2>
        <div className="works">
          <Works icon={Siren} to="/assistant/causes" title="Likely cause of an event, from rules" />
          <Works icon={TrendingUpDown} to="/costs/anomalies" title="Explained cost anomalies" />
          <Works icon={Search} to="/assistant/knowledge-bases" title="Search in your documents" />
          <Works icon={Braces} to="/api-explorer" title="Queries you write yourself" />
        </div>
      </section>
    </div>
  );
}

/** The service's own model: not downloaded, downloading, or downloaded and ready to be chosen. */
function OwnModel() {
  const model = offered(useServiceModels());
  const name = model?.name ?? 'svc-llm';
  const size = model?.here?.size_bytes ?? model?.download?.size_bytes;
  const isHere = model?.here && !model.download;
  const way = model?.download && standing(model.download);
  return (
    <Way
      icon={Package}
      title="Use the model on this computer"
      action={
        isHere ? (
          <Link to="/settings/model-providers" className="btn">
            Use in providers
          </Link>
        ) : (
          <Link to="/settings/model-downloads" className="btn">
            Show download
          </Link>
        )
      }
    >
      {name}, {size ? bytes(size) : 'downloaded once with a license key'}
      {isHere && ', is here'}. Nothing leaves this computer.
      {way && (
        <span className="row small coming">
          {way.percent !== null && (
            <span
              className={`prog ${model.download?.state === 'paused' ? 'hold' : ''}`}
              role="progressbar"
              aria-label={`Download of ${name}`}
              aria-valuenow={way.percent}
              aria-valuemin={0}
              aria-valuemax={100}
            >
              <i style={{ width: `${String(way.percent)}%` }} />
            </span>
          )}
          <span className="num">{way.words}</span>
        </span>
      )}
    </Way>
  );
}

type ProviderList = Pick<Rest.Providers, 'providers' | 'added'>;

/** Opens the settings of the local runner. If it is not a provider yet, it is added; no request is sent to it before a model is chosen. */
function SetUpRunner() {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const setUp = async () => {
    const path = '/api/model-providers';
    const known = (await call<ProviderList>(path)).providers.find(({ kind }) => kind === 'ollama');
    return known?.id ?? (await send<ProviderList>('POST', path, { kind: 'ollama', is_on: true })).added;
  };
  return (
    <Button
      kind="primary"
      busy={busy && 'Opening'}
      onClick={() => {
        setBusy(true);
        setUp()
          // Users without permission see the reason on that page.
          .catch(() => undefined)
          .then((id) => navigate({ to: '/settings/model-providers', search: id ? { id } : {} }))
          .catch(() => {
            setBusy(false);
          });
      }}
    >
      Set up
    </Button>
  );
}

function Way({
  icon: Icon,
  title,
  action,
  children,
}: {
  icon: LucideIcon;
  title: string;
  action: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="row way">
      <Icon className="i l" />
      <div className="grow">
        <div className="strong">{title}</div>
        <div className="muted">{children}</div>
      </div>
      {action}
    </div>
  );
}

function Works({
  icon: Icon,
  to,
  title,
}: {
  icon: LucideIcon;
  to: '/assistant/causes' | '/costs/anomalies' | '/assistant/knowledge-bases' | '/api-explorer';
  title: string;
}) {
  return (
    <Link className="panel work" to={to}>
      <Icon className="i" />
      <span className="grow">{title}</span>
      <ChevronRight className="i s" />
    </Link>
  );
}
