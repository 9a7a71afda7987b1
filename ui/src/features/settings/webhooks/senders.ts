/** How to configure a monitoring system to send its alerts to a URL. */
export interface Sender {
  id: string;
  title: string;
  /** Where in the other system it is set. */
  where: string;
  /** The text to paste there, if it is more than the URL. */
  text?: (address: string) => string;
}

/** A message as Alertmanager sends it, for a first try from a shell. */
const trial =
  '{"version":"4","status":"firing","alerts":[{"status":"firing","labels":{"alertname":"Trial","severity":"warning"},' +
  '"annotations":{"summary":"Sent by hand"},"startsAt":"2026-01-01T00:00:00Z"}]}';

export const senders: readonly Sender[] = [
  {
    id: 'alertmanager',
    title: 'Prometheus Alertmanager',
    where: 'Add this receiver to alertmanager.yml, and a route that uses it.',
    text: (address) =>
      `receivers:\n  - name: quarterdeck\n    webhook_configs:\n      - url: ${address}\n        send_resolved: true`,
  },
  { id: 'grafana', title: 'Grafana', where: 'Alerting → Contact points → New, integration Webhook, method POST.' },
  {
    id: 'datadog',
    title: 'Datadog',
    where: 'Integrations → Webhooks, with the standard payload. Then name @webhook-<name> in a monitor.',
  },
  { id: 'pagerduty', title: 'PagerDuty', where: 'Integrations → Generic Webhooks (v3), with any scope.' },
  { id: 'opsgenie', title: 'Opsgenie', where: 'Settings → Integrations → Webhook.' },
  { id: 'azure', title: 'Azure Monitor', where: 'Action group → Actions → Webhook, with the common alert schema on.' },
  { id: 'newrelic', title: 'New Relic', where: 'Alerts → Destinations → Webhook, the default payload.' },
  {
    id: 'dynatrace',
    title: 'Dynatrace',
    where: 'Settings → Integration → Problem notifications → Custom integration.',
  },
  { id: 'servicenow', title: 'ServiceNow', where: 'A business rule on incidents that posts their fields as JSON.' },
  { id: 'zenduty', title: 'Zenduty', where: 'Integrations → Outgoing webhook.' },
  {
    id: 'curl',
    title: 'Shell (curl)',
    where: 'Sends one test alert in the format of Alertmanager.',
    text: (address) => `curl -s ${address} -H 'content-type: application/json' -d '${trial}'`,
  },
];

/** Why an address cannot be called so; undefined when it can. */
export function problemOfName(name: string, taken: readonly string[]): string | undefined {
  const trimmed = name.trim();
  if (trimmed === '') return 'Enter a name, for example Grafana production';
  if ([...trimmed].length > 80) return `Use at most 80 characters; this name has ${String([...trimmed].length)}`;
  if (taken.includes(trimmed)) return `There is a webhook “${trimmed}” already; choose another name`;
  return undefined;
}

/** Whether only programs on the same computer reach an address. */
export function isLocal(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
