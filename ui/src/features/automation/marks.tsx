import {
  Bell,
  Braces,
  Brain,
  Cloud,
  Globe,
  Route,
  Search,
  Ship,
  Siren,
  SquareTerminal,
  Ticket,
  Timer,
  UserCheck,
  Workflow,
  Wrench,
  Zap,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Status } from '@/shared';
import { stateOf } from './run';
import { workflowStates } from './words';

const exact: Record<string, { icon: LucideIcon; name: string }> = {
  'core.approval': { icon: UserCheck, name: 'Approval' },
  'core.switch': { icon: Route, name: 'Decision' },
  'core.wait': { icon: Timer, name: 'Wait' },
  'core.call-workflow': { icon: Workflow, name: 'Workflow' },
  'integrations.http': { icon: Globe, name: 'HTTP request' },
  'events.store': { icon: Siren, name: 'Event' },
};

const rooms: Record<string, { icon: LucideIcon; name: string }> = {
  notifications: { icon: Bell, name: 'Message' },
  tickets: { icon: Ticket, name: 'Ticket' },
  observability: { icon: Search, name: 'Query' },
  llm: { icon: Brain, name: 'Model' },
  cloud: { icon: Cloud, name: 'Cloud' },
  k8s: { icon: Ship, name: 'Kubernetes' },
  data: { icon: Braces, name: 'Data' },
  core: { icon: Zap, name: 'Task' },
  scripting: { icon: SquareTerminal, name: 'Script' },
};

/** How a type of task is drawn and called. */
export function typeMark(type: string): { icon: LucideIcon; name: string } {
  return exact[type] ?? rooms[type.split('.')[0] ?? ''] ?? { icon: Wrench, name: type };
}

/** The state of a run or task, as icon and word. */
export function RunStatus({ status, waitsFor = null }: { status: string | null; waitsFor?: string | null }) {
  const state = stateOf(status, waitsFor);
  return <Status tone={state?.tone ?? 'off'}>{state?.name ?? status ?? 'Never ran'}</Status>;
}

/** The state of a workflow. */
export function WorkflowStatus({ status }: { status: string | null }) {
  const state = workflowStates[status ?? ''];
  return (
    <span title={state?.help}>
      <Status tone={state?.tone ?? 'off'}>{state?.name ?? status ?? '–'}</Status>
    </span>
  );
}
