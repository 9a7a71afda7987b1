import type { CertificateShown } from '@/api';

/** Where a download stands: `models::State` of the service. */
export type State =
  | 'queued'
  | 'preflight'
  | 'space_check'
  | 'downloading'
  | 'stalled'
  | 'waiting_network'
  | 'verifying'
  | 'installing'
  | 'paused'
  | 'failed'
  | 'quarantined';

/** A download that has not ended well: `models::Status`. */
export interface Download {
  name: string;
  state: State;
  size_bytes: number | null;
  /** Never goes back. */
  bytes: number;
  /** Fetched a second time, beside `bytes`. */
  again_bytes: number;
  hashed_bytes: number;
  rate: number;
  seconds_left: number | null;
  can_resume: boolean;
  kept_bytes: number;
  /** What it waits for, while it does. */
  trouble: string | null;
  failure: { kind: string; reason: string; remedy: string } | null;
  notices: { at: string; text: string }[];
  started_at: string;
  updated_at: string;
}

/** A model that is here: `models::Model`. */
export interface Here {
  name: string;
  sha256: string;
  size_bytes: number;
  trust: 'registry' | 'file' | 'person' | 'first_use';
  told_by: string;
  source: 'download' | 'import';
  origin: string;
  installed_at: string;
  checked_at: string;
}

export interface Model {
  name: string;
  about: string;
  here: Here | null;
  download: Download | null;
}

export interface Setting {
  /** Null for what is secret. */
  value: string | null;
  is_set: boolean;
  ends_with: string | null;
  source: 'saved' | 'environment' | 'default';
  is_secret: boolean;
  problem: string | null;
  meaning: string;
}

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

export interface Models {
  models: Model[];
  settings: Record<SettingName, Setting>;
  /** Where secrets are: "In the keyring of this computer". */
  secrets: string | null;
  /** What downloading needs and is not set. */
  missing: string[];
  folder: string;
  used_bytes: number;
  reserved_bytes: number;
  free_bytes: number | null;
}

/** What was found at the registry's address: `routes/models.rs`, look. */
export interface RegistryLook {
  host: string;
  encrypted: boolean;
  /** As the registry showed them, its own first. */
  certificates: CertificateShown[];
  trouble: { kind: string; message: string } | null;
  checked_at: string;
}

/** Whether it goes on by itself. */
export function isActive(download: Download): boolean {
  return !['paused', 'failed', 'quarantined'].includes(download.state);
}
