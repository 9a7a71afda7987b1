import { expect, test } from 'vitest';
import { linkCommand } from './linkCommand';

test('the command for a link names the address only when it is an unusual one', () => {
  expect(linkCommand('http://127.0.0.1:8790')).toBe('quarterdeck-server user link administrator@localhost');
  expect(linkCommand('http://10.0.0.5:9000')).toBe(
    'quarterdeck-server user link administrator@localhost --url http://10.0.0.5:9000',
  );
});
