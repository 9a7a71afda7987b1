/**
 * Where the browser goes for single sign-on: `next` is the page that was asked for, so signing in returns to it.
 * From the sign-in page itself there is none.
 */
export function singleSignOn(path: string): string {
  return path.startsWith('/sign-in') ? '/api/auth/saml/login' : `/api/auth/saml/login?next=${encodeURIComponent(path)}`;
}
