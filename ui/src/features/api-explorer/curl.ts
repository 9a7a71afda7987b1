/** Placeholder of the token: the page never has one, and a copied command must not contain credentials. */
export const tokenVariable = 'QUARTERDECK_TOKEN';

/** The request as a line for a POSIX shell, with a variable in place of the token. `body` is JSON. */
export function curl(origin: string, body: string): string {
  return [
    `curl ${quote(`${origin}/api/graphql`)}`,
    `-H 'Content-Type: application/json'`,
    `-H "Authorization: Bearer $${tokenVariable}"`,
    `--data-raw ${quote(body)}`,
  ].join(' \\\n  ');
}

/** Nothing inside single quotes has a meaning for the shell but the quote itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
