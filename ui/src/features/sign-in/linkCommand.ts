/** The command that prints a one-time link, with the address if it is not the default one. */
export function linkCommand(origin: string): string {
  const usual = origin === 'http://127.0.0.1:8790';
  return `quarterdeck-server user link administrator@localhost${usual ? '' : ` --url ${origin}`}`;
}
