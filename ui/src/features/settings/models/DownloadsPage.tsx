import { Info } from 'lucide-react';
import { Content } from '@/shared';
import { NotForYou, isRefused } from '../NotForYou';
import { SettingsPage } from '../SettingsPage';
import { DiskPanel } from './DiskPanel';
import { FromFile } from './FromFile';
import { ModelCard } from './ModelCard';
import { RegistryPanel } from './RegistryPanel';
import { useModels } from './queries';
import type { Models } from './types';
import './models.css';

/** The model downloads page: downloaded models, running downloads, and their registry. */
export function DownloadsPage() {
  const models = useModels();
  return (
    <SettingsPage title="Model downloads">
      {isRefused(models.error) ? (
        <NotForYou />
      ) : (
        <Content of={models} what="The models could not be read">
          {(data) => (
            <div className="two-col models">
              <div className="stack">
                <Missing of={data} />
                {data.models.map((model) => (
                  <ModelCard key={model.name} model={model} canDownload={data.missing.length === 0} />
                ))}
              </div>
              <div className="stack">
                <RegistryPanel settings={data.settings} secrets={data.secrets} isSet={data.missing.length === 0} />
                <FromFile known={data.models} />
                <DiskPanel of={data} />
              </div>
            </div>
          )}
        </Content>
      )}
    </SettingsPage>
  );
}

const words: Record<string, string> = {
  MODEL_REGISTRY_URL: 'the address of a registry',
  LICENSE_KEY: 'a license key',
};

/** Missing settings, and what works without them. */
function Missing({ of }: { of: Models }) {
  if (of.missing.length === 0) return null;
  return (
    <div className="note info" role="status">
      <Info className="i" />
      <div className="grow">
        Downloading needs {of.missing.map((name) => words[name] ?? name).join(' and ')}; set it under Registry. Without
        it, you can add models from a file; costs, recommendations and events need no model. No connection is made until
        it is set.
      </div>
    </div>
  );
}
