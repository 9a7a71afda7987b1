import type { Rest } from '@/api';

/** The state of a download. */
export type State = Rest.DownloadState;
/** A download that has not ended well. */
export type Download = Omit<Rest.ModelDownload, 'registry' | 'sha256'>;
/** A model that is here. */
export type Here = Rest.ModelHere;
export type Model = Omit<Rest.ServiceModel, 'download'> & { download: Download | null };
export type Setting = Rest.ModelSetting;

export type SettingName =
  | 'MODEL_REGISTRY_URL'
  | 'LICENSE_KEY'
  | 'MODEL_FOLDER'
  | 'MODEL_CONNECTIONS'
  | 'MODEL_MAX_BYTES_PER_SECOND'
  | 'MODEL_PROXY'
  | 'MODEL_NO_PROXY'
  | 'MODEL_CA'
  | 'MODEL_CLIENT_KEYS';

/** The settings by name. */
export type Models = Omit<Rest.Models, 'models' | 'settings' | 'laid_folder' | 'export_folder'> & {
  models: Model[];
  settings: Record<SettingName, Setting>;
};

/** The result of checking the registry. */
export type RegistryLook = Rest.RegistryLook;

/** Whether the download continues on its own. */
export function isActive(download: Download): boolean {
  return !['paused', 'failed', 'quarantined'].includes(download.state);
}
