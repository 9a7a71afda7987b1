import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { CopyCommand } from './CopyCommand';

test('the field of a command has room for all of it, and its whole text where there is less', () => {
  const command = "quarterdeck-server import focus-export.csv --data-dir '/home/ada/.local/share/quarterdeck'";
  render(<CopyCommand command={command} />);
  const field = screen.getByRole('textbox', { name: 'Command' });
  expect(field).toHaveProperty('size', command.length);
  expect(field).toHaveProperty('title', command);
});
