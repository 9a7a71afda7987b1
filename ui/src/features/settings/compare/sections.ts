import { askInstance, readAtInstance } from '@/api';
import type { About, InstanceAnswer, Session } from '@/api';
import type { Entry } from './entry';
import {
  ofAbout,
  ofAccounts,
  ofAnomalies,
  ofBudgets,
  ofEvents,
  ofFreshness,
  ofMonths,
  ofRecommendations,
  ofSession,
} from './entries';
import { Accounts, Anomalies, Budgets, Events, Freshness, Months, Recommendations } from './queries';

type Read = (instance: string | null, signal: AbortSignal) => Promise<InstanceAnswer<Entry[]>>;

/** A part of the comparison, read by itself of each side. */
export interface Section {
  id: string;
  title: string;
  /** The text for an instance that has no such line. */
  missing: string;
  read: Read;
}

function then<Value>(told: InstanceAnswer<Value>, entries: (value: Value) => Entry[]): InstanceAnswer<Entry[]> {
  return told.state === 'answered' ? { ...told, value: entries(told.value) } : told;
}

export const sections: readonly Section[] = [
  {
    id: 'version',
    title: 'Version',
    missing: 'Not reported by its version',
    read: async (of, signal) => then(await readAtInstance<About>(of, '/api/about', { signal }), ofAbout),
  },
  {
    id: 'person',
    title: 'Access',
    missing: 'None',
    read: async (of, signal) => then(await readAtInstance<Session>(of, '/api/auth/session', { signal }), ofSession),
  },
  {
    id: 'freshness',
    title: 'Freshness of data',
    missing: 'Nothing imported',
    read: async (of, signal) => then(await askInstance(of, Freshness, {}, signal), ofFreshness),
  },
  {
    id: 'accounts',
    title: 'Accounts',
    missing: 'None',
    read: async (of, signal) => then(await askInstance(of, Accounts, {}, signal), ofAccounts),
  },
  {
    id: 'costs',
    title: 'Costs by month',
    missing: 'No costs',
    read: async (of, signal) => then(await askInstance(of, Months, {}, signal), ofMonths),
  },
  {
    id: 'recommendations',
    title: 'Open recommendations',
    missing: 'None',
    read: async (of, signal) => then(await askInstance(of, Recommendations, {}, signal), ofRecommendations),
  },
  {
    id: 'anomalies',
    title: 'Cost anomalies',
    missing: 'None',
    read: async (of, signal) => then(await askInstance(of, Anomalies, {}, signal), ofAnomalies),
  },
  {
    id: 'events',
    title: 'Events',
    missing: 'None',
    read: async (of, signal) => then(await askInstance(of, Events, {}, signal), ofEvents),
  },
  {
    id: 'budgets',
    title: 'Budgets',
    missing: 'Not over',
    read: async (of, signal) => then(await askInstance(of, Budgets, {}, signal), ofBudgets),
  },
];
