/** Why the service did not answer as asked. Every failed call of this room throws one of these. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Seconds until the question is worth asking again, where the service says that what is wrong passes: its database is away or busy, or it restarts. */
  readonly retryAfter: number | undefined;

  constructor(
    /** A stable word: `not_authenticated`, `offline`, `graphql`, `link_spent`, or what the service sent as `error`. */
    readonly code: string,
    message: string,
    /** The HTTP status; 0 when there was no answer. */
    readonly status: number,
    /** The address asked, for "Copy details". */
    readonly where: string,
    /** What else the service sent beside code and message: reasons, problems, seconds to wait. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    const named = Number(details['retry_after']);
    const isPassing = status === 503 && (named > 0 || code === 'stopping');
    this.retryAfter = isPassing ? named || stopping : undefined;
  }
}

/** Until a service that ends is looked for again, s. */
const stopping = 3;

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_authenticated';
}

/** What stands before a service answers while the service restarts, without a code of ours. */
const gateways = [502, 503, 504];

/** True for such an answer: nobody has to do anything but wait. */
export function isOfGateway(status: number, code: string | undefined): boolean {
  return code === undefined && gateways.includes(status);
}

/** True when the service, or the instance in front behind it, could not be reached at all. */
export function isOffline(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof ApiError && error.code === 'offline');
}

/** True when this computer answered, and the instance in front behind it could not be reached. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'instance_unreachable';
}

/** Why an instance elsewhere wants to be signed in to again, if it does. */
export function lockOf(error: unknown): 'instance_signed_out' | 'instance_locked' | null {
  if (!(error instanceof ApiError)) return null;
  return error.code === 'instance_signed_out' || error.code === 'instance_locked' ? error.code : null;
}
