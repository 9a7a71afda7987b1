import type { RecommendationRecord } from './row';

/** For tests: a recommendation of which little is known. */
export const stored: RecommendationRecord = {
  id: 'a1000000-0000-4000-8000-000000000001',
  category: 'RightSizing',
  rule_name: 'rule-1',
  severity: null,
  status: 'Open',
  is_dismissed: false,
  dismissed_reason: null,
  dismissed_until: null,
  note: null,
  estimated_savings: null,
  account_object_id: null,
  recommendation: {},
  created_at: '2026-10-01T00:00:00',
  updated_at: '2026-10-01T00:00:00',
  cloud_account: { id: 'a0', account_name: 'Harbour', account_number: null, cloud_provider: 'AWS' },
  cloud_resourse: null,
};
