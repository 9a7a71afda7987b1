/**
 * Takes the one-time code out of the address `/sign-in#code=…`; null when there is none.
 *
 * The address is cleaned at once, so the code stays in no history entry and is spent only once.
 */
export function takeCode(): string | null {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code');
  if (code) window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  return code;
}

/** The command that prints a one-time link; it is told the address when that is not the usual one. */
export function linkCommand(origin: string): string {
  const usual = origin === 'http://127.0.0.1:8790';
  return `quarterdeck-server user link administrator@localhost${usual ? '' : ` --url ${origin}`}`;
}
