import { expect, test } from 'vitest';
import { runnablesOf } from './playbooks';

const playbook = (name: string, more: object) => ({
  id: name,
  name,
  status: 'ACTIVE',
  trigger: { type: 'manual' },
  attributes: {},
  ...more,
});

test('playbooks that start on this kind of event come first, and each says why it cannot run', () => {
  const found = runnablesOf(
    {
      auto_playbook: [
        playbook('by hand', {}),
        playbook('off', { status: 'DISABLED' }),
        playbook('of pods', { trigger: { type: 'event', event_type: 'pod_crash' } }),
        playbook('of nodes', {
          trigger: { type: 'event', params: { event_type: ['NodeNotReady'] } },
          attributes: { not_running: 'automation is off' },
        }),
        playbook('of all events', { trigger: { type: 'event', filter: 'true' } }),
      ],
      workflow_list: { workflows: [{ id: 'w', name: 'old', status: 'INACTIVE', definition: null }] },
    } as unknown as Parameters<typeof runnablesOf>[0],
    { aggregation_key: 'NodeNotReady', finding_type: 'alert' },
  );
  expect(found.map(({ name, isMeant }) => `${name}${isMeant ? '!' : ''}`)).toEqual([
    'of nodes!',
    'of all events!',
    'by hand',
    'off',
    'of pods',
    'old',
  ]);
  expect(found.find(({ name }) => name === 'of nodes')?.reason).toBe('automation is off');
  expect(found.find(({ name }) => name === 'off')?.reason).toMatch(/activate it/);
  expect(found.find(({ name }) => name === 'old')?.reason).toMatch(/activate it/);
  expect(found.find(({ name }) => name === 'by hand')?.reason).toBeUndefined();
});
