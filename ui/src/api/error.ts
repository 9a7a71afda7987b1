/** Why a request failed. Every failed call of this folder throws it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Seconds until a retry is worthwhile, if the service reports a temporary problem: its database is unavailable or busy, or it restarts. */
  readonly retryAfter: number | undefined;

  constructor(
    /** A stable code: `not_authenticated`, `offline`, `graphql`, `link_spent`, or the `error` of the service. */
    readonly code: string,
    message: string,
    /** The HTTP status; 0 when there was no answer. */
    readonly status: number,
    /** The requested address, for "Copy details". */
    readonly where: string,
    /** Other fields of the error response: reasons, problems, seconds to wait. */
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

/** Status codes of a proxy while the service restarts, without an error code of ours. */
const gateways = [502, 503, 504];

/** Whether the response comes from such a proxy: the user only has to wait. */
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
