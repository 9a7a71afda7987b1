import type { Tone } from '@/shared/status';

/** How a ticket stands: what its tracker says is fine, what did not get there is not. */
export function ticketTone(ticket: {
  status: string | null;
  is_new: boolean | null;
  error_message: string | null;
  platform: string;
}): Tone {
  if (ticket.status === 'Failed') return 'bad';
  if (ticket.is_new) return ticket.error_message ? 'warn' : 'info';
  return ticket.platform === 'quarterdeck' ? 'off' : 'ok';
}
