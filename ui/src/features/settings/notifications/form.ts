import type { Channel, ChannelInput } from './queries';
import { kinds, subjects } from './words';
import type { KindName } from './words';

type SubjectName = (typeof subjects)[number]['name'];

/** The values of the channel form. */
export interface Draft {
  kind: KindName;
  name: string;
  isActive: boolean;
  subjects: readonly SubjectName[];
  quietFrom: string;
  quietUntil: string;
  host: string;
  port: string;
  security: string;
  username: string;
  /** Only a newly typed value: the stored one is never shown. */
  password: string;
  sender: string;
  recipients: string;
  url: string;
  key: string;
}

interface Server {
  host?: string;
  port?: number;
  security?: string;
  username?: string;
  sender?: string;
  recipients?: string[];
}

export const usualPort: Record<string, string> = { starttls: '587', tls: '465', none: '25' };

const all: readonly SubjectName[] = subjects.map((subject) => subject.name);
/** Default subjects of a new channel: all that may need action. The digest is opt-in. */
const usual = all.filter((name) => name !== 'digest');

function serverOf(channel: Channel | null): Server {
  const settings: unknown = channel?.settings;
  return typeof settings === 'object' && settings !== null ? (settings as Server) : {};
}

/** Initial values of the form: those of a channel, or defaults. */
export function draftOf(channel: Channel | null): Draft {
  const server = serverOf(channel);
  const kept: unknown = channel?.subjects;
  return {
    kind: kinds.find((kind) => kind.name === channel?.kind)?.name ?? 'email',
    name: channel?.name ?? '',
    isActive: channel?.is_active ?? true,
    subjects: Array.isArray(kept) ? all.filter((name) => kept.includes(name)) : usual,
    quietFrom: channel?.quiet_from ?? '',
    quietUntil: channel?.quiet_until ?? '',
    host: server.host ?? '',
    port: String(server.port ?? usualPort['starttls']),
    security: server.security ?? 'starttls',
    username: server.username ?? '',
    password: '',
    sender: server.sender ?? '',
    recipients: (server.recipients ?? []).join('\n'),
    url: '',
    key: '',
  };
}

/** The addresses of a text: one a line, or separated by commas. */
export function recipientsOf(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Required fields that are missing, by field. */
export function missing(draft: Draft, channel: Channel | null): Partial<Record<keyof Draft, string>> {
  const quiet = [draft.quietFrom, draft.quietUntil];
  const hasQuiet = quiet.some((time) => time !== '');
  const lacks: Partial<Record<keyof Draft, string>> = {
    ...(draft.name.trim() === '' ? { name: 'Enter a name, for example FinOps team' } : {}),
    ...(hasQuiet && !timeOfDay.test(draft.quietFrom) ? { quietFrom: 'Enter a time such as 22:00, or clear both' } : {}),
    ...(hasQuiet && !timeOfDay.test(draft.quietUntil)
      ? { quietUntil: 'Enter a time such as 07:00, or clear both' }
      : {}),
  };
  if (draft.kind !== 'email') {
    return draft.url.trim() === '' && channel === null ? { ...lacks, url: 'Paste the address of the webhook' } : lacks;
  }
  const server = serverOf(channel);
  const isElsewhere = server.host !== draft.host.trim() || String(server.port) !== draft.port;
  const wantsPassword = draft.username.trim() !== '' && draft.password === '';
  return {
    ...lacks,
    ...(draft.host.trim() === '' ? { host: 'Enter the mail server, for example smtp.example.com' } : {}),
    ...(/^\d{1,5}$/.test(draft.port) ? {} : { port: 'Enter a port such as 587' }),
    ...(draft.sender.includes('@') ? {} : { sender: 'Enter an address, for example costs@example.com' }),
    ...(recipientsOf(draft.recipients).length === 0 ? { recipients: 'Enter at least one address' } : {}),
    ...(wantsPassword && channel === null ? { password: 'Enter the password of this user' } : {}),
    ...(wantsPassword && channel !== null && isElsewhere
      ? { password: 'Enter it again: the saved one belongs to another server' }
      : {}),
  };
}

/** The input in the format of the service. */
export function savedOf(draft: Draft, channel: Channel | null): ChannelInput {
  const common: ChannelInput = {
    ...(channel ? { id: channel.id } : {}),
    name: draft.name.trim(),
    kind: draft.kind,
    is_active: draft.isActive,
    subjects: [...draft.subjects],
    quiet_from: draft.quietFrom,
    quiet_until: draft.quietUntil,
  };
  if (draft.kind !== 'email') {
    return {
      ...common,
      ...(draft.url.trim() ? { url: draft.url.trim() } : {}),
      ...(draft.kind === 'webhook' && draft.key ? { key: draft.key } : {}),
    };
  }
  return {
    ...common,
    host: draft.host.trim(),
    port: Number(draft.port),
    security: draft.security,
    username: draft.username.trim(),
    ...(draft.password ? { password: draft.password } : {}),
    sender: draft.sender.trim(),
    recipients: recipientsOf(draft.recipients),
  };
}
