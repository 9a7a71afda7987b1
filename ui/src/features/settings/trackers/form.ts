import type { TrackerInput, Tracker } from './queries';
import { toolOf } from './tools';

/** The values of the tracker form. */
export interface Draft {
  tool: string;
  name: string;
  url: string;
  username: string;
  /** Only a newly typed value: the stored one is never shown. */
  password: string;
  project: string;
  isActive: boolean;
}

export function draftOf(tracker: Tracker | null): Draft {
  return {
    tool: tracker?.tool ?? 'jira',
    name: tracker?.name ?? '',
    url: tracker?.url ?? '',
    username: tracker?.username ?? '',
    password: '',
    project: projectOf(tracker),
    isActive: tracker?.is_active ?? true,
  };
}

/** Where tickets go that name no project. */
export function projectOf(tracker: Tracker | null): string {
  const projects: unknown = tracker?.projects;
  const first: unknown = Array.isArray(projects) ? projects[0] : undefined;
  return typeof first === 'string' ? first : '';
}

/** Required fields that are missing, by field. */
export function missing(draft: Draft, tracker: Tracker | null): Partial<Record<keyof Draft, string>> {
  const tool = toolOf(draft.tool);
  const isElsewhere = tracker !== null && (tracker.tool !== draft.tool || tracker.url !== draft.url.trim());
  return {
    ...(draft.name.trim() === '' ? { name: 'Enter a name, for example Service desk' } : {}),
    ...(draft.url.trim() === '' && !tool?.usual
      ? { url: `Enter its address, for example ${tool?.address ?? 'https://tracker.example.com'}` }
      : {}),
    ...(draft.username.trim() === '' && tool?.username?.needed ? { username: 'Enter an e-mail address' } : {}),
    ...(draft.password === '' && tracker === null ? { password: 'Enter the secret' } : {}),
    ...(draft.password === '' && isElsewhere
      ? { password: 'Enter it again: the saved one belongs to another address' }
      : {}),
  };
}

/** The input in the format of the service. */
export function savedOf(draft: Draft, tracker: Tracker | null): TrackerInput {
  const takesName = toolOf(draft.tool)?.username !== undefined;
  return {
    ...(tracker ? { id: tracker.id } : {}),
    tool: draft.tool,
    name: draft.name.trim(),
    url: draft.url.trim(),
    username: takesName ? draft.username.trim() : '',
    ...(draft.password ? { password: draft.password } : {}),
    config_values: [
      { name: 'project', value: draft.project.trim() },
      { name: 'is_active', value: String(draft.isActive) },
    ],
  };
}
