import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Failure } from './states';

test('what failed is told in sentences, whether or not the service ended its own', () => {
  for (const message of ['Plant is asked again in a few seconds', 'Plant is asked again in a few seconds.']) {
    const { unmount } = render(<Failure what="Imports could not be read" error={new Error(message)} />);
    expect(screen.getByText(/Plant/).textContent).toBe('Plant is asked again in a few seconds. Your filters are kept.');
    unmount();
  }
});
