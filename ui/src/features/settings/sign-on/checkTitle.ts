import type { Check } from './types';

/** Titles of failed checks, by id: a check's own title describes success. */
const failed: Record<string, string> = {
  configured: 'Single sign-on is not configured',
  body: 'Answer could not be read',
  xml: 'XML is broken, or hides something',
  status: 'The provider reports a failure',
  structure: 'Structure not allowed',
  issuer: 'Issuer differs',
  destination: 'Meant for another address',
  signature: 'Signature not valid',
  certificate: 'Certificate not valid',
  conditions: 'Not valid now',
  audience: 'Audience differs',
  subject: 'Not confirmed for this service',
  authn: 'Nobody signed in at the provider',
  email: 'No e-mail address found',
  replay: 'Used before',
  request: 'Answers no request of this service',
  account: 'User is not active',
  placement: 'No tenant found',
  roles: 'No role',
};

export function checkTitle({ id, title, state }: Pick<Check, 'id' | 'title' | 'state'>): string {
  return state === 'failed' ? (failed[id] ?? title) : title;
}
