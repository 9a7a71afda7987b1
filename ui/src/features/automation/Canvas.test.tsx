import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Canvas } from './Canvas';

test('a task is named with its kind and how it stands in the run that is shown', () => {
  const step = { id: 'ask', type: 'http.request', dependsOn: [], params: null, inner: 0 };
  const mark = { tone: 'bad', text: 'failed, 20 s', shown: <b>failed, 20 s</b> } as const;
  render(
    <Canvas
      steps={[step]}
      trigger="Every hour"
      marks={new Map([['ask', mark]])}
      open={undefined}
      onOpen={() => undefined}
      label="Tasks"
    />,
  );
  const names = screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'));
  expect(names[0]).toBe('Trigger, Every hour');
  expect(names[1]).toMatch(/, ask, failed, 20 s$/);
  expect(names[1]).not.toContain('[object');
});
