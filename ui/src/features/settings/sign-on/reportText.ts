import { checkTitle } from './checkTitle';
import type { Report } from './types';

/** A report as plain text, for a ticket: no assertion, no certificate. */
export function reportText(report: Report, reference?: string): string {
  const state = { passed: 'passed', failed: 'FAILED', not_reached: 'not reached', not_checked: 'not checked' };
  const lines = [report.headline, report.explanation, ''];
  for (const check of report.checks) {
    lines.push(`${state[check.state]}: ${checkTitle(check)}${check.detail ? ` (${check.detail})` : ''}`);
    if (check.state !== 'failed') continue;
    if (check.expected !== null) lines.push(`  expected: ${check.expected}`);
    if (check.received !== null) lines.push(`  received: ${check.received}`);
    if (check.remedy) lines.push(`  to do: ${check.remedy}`);
  }
  if (report.roles) lines.push('', `Roles after sign-in: ${report.roles.after.join(', ') || 'none'}`);
  if (reference) lines.push('', `Reference ${reference}`);
  return lines.join('\n');
}
