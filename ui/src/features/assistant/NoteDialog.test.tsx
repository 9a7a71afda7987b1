import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { NoteDialog } from './NoteDialog';

test('a note without name and text shows both problems and goes to the name', async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <NoteDialog account="1" note={undefined} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Give it a name')).toBeTruthy();
  expect(screen.getByText('Enter the text of the note')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
});
