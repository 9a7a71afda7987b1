import type { Needs } from '@/api';

interface SettingsPlace {
  group: 'Access' | 'Models' | 'Automation' | 'System';
  title: string;
  address: SettingsAddress;
  /** Without this the page has nothing to show: it is off where an instance of another version lacks it. */
  needs?: Needs;
  /** Whether it covers the whole tenant, which users with account roles cannot see. */
  isOfTenant?: true;
}

export type SettingsAddress =
  | '/settings/single-sign-on'
  | '/settings/users'
  | '/settings/api-tokens'
  | '/settings/sessions'
  | '/settings/model-providers'
  | '/settings/model-downloads'
  | '/settings/privacy'
  | '/settings/notifications'
  | '/settings/trackers'
  | '/settings/webhooks'
  | '/settings/workflow-secrets'
  | '/settings/instances'
  | '/settings/window'
  | '/settings/backup'
  | '/settings/health';

/** The pages of Settings, in the order of the second column. Only those that work are listed. */
export const settingsPages: readonly SettingsPlace[] = [
  { group: 'Access', title: 'Single sign-on', address: '/settings/single-sign-on', needs: { area: 'auth' } },
  {
    group: 'Access',
    title: 'Users & roles',
    address: '/settings/users',
    isOfTenant: true,
    needs: { fields: ['users', 'user_role_reasons'] },
  },
  { group: 'Access', title: 'API tokens', address: '/settings/api-tokens', needs: { fields: ['users_list_token'] } },
  { group: 'Access', title: 'Sessions', address: '/settings/sessions', needs: { area: 'auth' } },
  {
    group: 'Models',
    title: 'Model providers',
    address: '/settings/model-providers',
    needs: { area: 'model-providers' },
  },
  { group: 'Models', title: 'Model downloads', address: '/settings/model-downloads', needs: { area: 'models' } },
  {
    group: 'Models',
    title: 'Privacy & budgets',
    address: '/settings/privacy',
    needs: { fields: ['ai_list_sent', 'ai_preview_replacement'] },
  },
  {
    group: 'Automation',
    title: 'Workflow secrets',
    address: '/settings/workflow-secrets',
    isOfTenant: true,
    needs: { fields: ['workflow_list_secrets'] },
  },
  {
    group: 'System',
    title: 'Notifications',
    address: '/settings/notifications',
    isOfTenant: true,
    needs: { fields: ['notice', 'notice_channel'] },
  },
  { group: 'System', title: 'Ticket trackers', address: '/settings/trackers', isOfTenant: true },
  {
    group: 'System',
    title: 'Webhooks',
    address: '/settings/webhooks',
    needs: { fields: ['webhook_receiver', 'webhook_create'] },
  },
  { group: 'System', title: 'Instances', address: '/settings/instances' },
  { group: 'System', title: 'Window', address: '/settings/window' },
  { group: 'System', title: 'Backup & restore', address: '/settings/backup', needs: { area: 'backups' } },
  { group: 'System', title: 'Health & about', address: '/settings/health', needs: { area: 'health' } },
];
