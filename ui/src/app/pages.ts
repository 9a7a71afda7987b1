import {
  BookOpen,
  Braces,
  ChartColumn,
  LayoutDashboard,
  PiggyBank,
  Settings,
  Siren,
  Sparkles,
  Upload,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';

export type PageAddress =
  | '/overview'
  | '/costs/explorer'
  | '/recommendations'
  | '/assistant'
  | '/knowledge'
  | '/causes'
  | '/api-explorer'
  | '/imports'
  | '/settings';

/** A place in the rail. Only pages that work are listed: a place that does nothing would say something untrue. */
export interface Place {
  title: string;
  /** The section it stands under in the rail, if any. */
  section?: string;
  /** The address of that section; it leads on to its first page. */
  group?: '/costs';
  address: PageAddress;
  keys: string;
  icon: LucideIcon;
  /** Below the line: for builders and for getting data in. */
  below?: boolean;
}

export const places: readonly Place[] = [
  { title: 'Overview', address: '/overview', keys: 'g o', icon: LayoutDashboard },
  { title: 'Explorer', section: 'Costs', group: '/costs', address: '/costs/explorer', keys: 'g c', icon: ChartColumn },
  { title: 'Recommendations', address: '/recommendations', keys: 'g r', icon: PiggyBank },
  { title: 'Assistant', address: '/assistant', keys: 'g l', icon: Sparkles },
  { title: 'Knowledge bases', address: '/knowledge', keys: 'g k', icon: BookOpen },
  { title: 'Likely causes', address: '/causes', keys: 'g e', icon: Siren },
  { title: 'API explorer', address: '/api-explorer', keys: 'g x', icon: Braces, below: true },
  { title: 'Imports', address: '/imports', keys: 'g m', icon: Upload, below: true },
  { title: 'Settings', address: '/settings', keys: 'g s', icon: Settings, below: true },
];
