import type { Json } from '@/api';
import type { RunWithTasks } from '../queries';
import { tasksOf } from '../run';
import type { DefinitionRequest, DryRunAnswer } from './queries';

/** The id of the task with the template. */
const place = 'template-preview';

/** A definition whose dry run renders a template: tasks of a past run return their outputs, and one task prints the template. */
export function previewOf(run: RunWithTasks, template: string): DefinitionRequest {
  const ended = tasksOf(run).filter((task) => task.output !== null && task.id !== place);
  return {
    triggers: [{ type: 'manual' }],
    tasks: [
      ...ended.map((task) => ({
        id: task.id,
        type: 'core.print',
        params: { message: '' },
        pinned_output: task.output,
      })),
      { id: place, type: 'core.print', params: { message: template }, depends_on: ended.map(({ id }) => id) },
    ],
  };
}

/** The rendered template, or the error. */
export function shownOf(answer: DryRunAnswer | null): { text: string } | { problem: string } {
  const task = answer?.tasks?.find((one) => one?.id === place);
  const output: Json = task?.output ?? null;
  if (task?.status === 'COMPLETED' && typeof output === 'object' && output !== null && !Array.isArray(output)) {
    const text = output['data'] ?? '';
    return { text: typeof text === 'string' ? text : JSON.stringify(text, null, 2) };
  }
  return { problem: task?.error ?? answer?.error ?? 'The template rendered to nothing.' };
}
