/** A workflow to begin with: what it does, and its text. */
export interface Template {
  id: string;
  title: string;
  about: string;
  yaml: string;
}

/** Workflows that run as they stand, or after the values in capitals were replaced; each is checked by the service when it is opened. */
export const templates: readonly Template[] = [
  {
    id: 'empty',
    title: 'Empty',
    about: 'One task that writes a line, started by hand.',
    yaml: `name: New workflow
definition:
  triggers:
    - type: manual
  tasks:
    - id: say-hello
      type: core.print
      params:
        message: Hello from {{ Inputs.workflow_name }}
`,
  },
  {
    id: 'address-check',
    title: 'Check a web address',
    about: 'Every five minutes; stores an event when the address does not answer with 200.',
    yaml: `name: Check a web address
definition:
  triggers:
    - type: schedule
      params:
        cron: "*/5 * * * *"
  inputs:
    - id: url
      type: string
      default: https://example.com
      description: The address that is asked.
  tasks:
    - id: ask
      type: integrations.http
      timeout: 20s
      params:
        url: "{{ Inputs.url }}"
      failure_policy:
        action: continue
    - id: store-event
      type: events.store
      depends_on: [ask]
      if: "{{ Tasks['ask'].status == 'FAILED' or Tasks['ask'].output.status_code != 200 }}"
      params:
        title: "{{ Inputs.url }} does not answer"
        description: "Asked by the workflow {{ Inputs.workflow_name }}."
        priority: HIGH
        fingerprint: "address-check {{ Inputs.url }}"
`,
  },
  {
    id: 'alert-ticket',
    title: 'Alert opens a ticket after approval',
    about:
      'For each new event of high severity; somebody approves before the ticket is opened, and the end of the event closes it.',
    yaml: `name: Ticket for severe events
definition:
  triggers:
    - type: event
      params:
        filter: "{{ event.priority == 'HIGH' }}"
  inputs:
    - id: event
      type: object
      default: {}
      description: The event; its trigger gives it.
  tasks:
    - id: approve-ticket
      type: core.approval
      params:
        message: "Open a ticket for {{ Inputs.event.title }}?"
        timeout: 24h
        default_on_timeout: reject
    - id: open-ticket
      type: tickets.create
      depends_on: [approve-ticket]
      if: "{{ Tasks['approve-ticket'].output.status == 'approve' }}"
      params:
        integration_id: TRACKER_ID
        project_key: OPS
        title: "{{ Inputs.event.title }}"
        description: "{{ Inputs.event.description }}"
        reference_id: "{{ Inputs.event.id }}"
    - id: await-end
      type: events.get
      depends_on: [open-ticket]
      if: "{{ Tasks['open-ticket'].status == 'COMPLETED' }}"
      params:
        event_id: "{{ Inputs.event.id }}"
        until: resolved
    - id: close-ticket
      type: tickets.transition
      depends_on: [await-end]
      if: "{{ Tasks['open-ticket'].status == 'COMPLETED' }}"
      params:
        ticket_id: "{{ Tasks['open-ticket'].output.id }}"
        status: Done
`,
  },
  {
    id: 'error-log-digest',
    title: 'Digest of error logs',
    about: 'Every weekday morning; looks through imported logs and stores one event when there are errors.',
    yaml: `name: Digest of error logs
definition:
  triggers:
    - type: schedule
      params:
        cron: "0 6 * * 1-5"
  tasks:
    - id: find-errors
      type: observability.logs
      params:
        query: error
        limit: 50
    - id: store-digest
      type: events.store
      depends_on: [find-errors]
      if: "{{ Tasks['find-errors'].output.logs | length > 0 }}"
      params:
        title: "{{ Tasks['find-errors'].output.logs | length }} error lines in the last hour"
        priority: LOW
        aggregation_key: error-log-digest
        fingerprint: "error-log-digest {{ date_iso }}"
`,
  },
  {
    id: 'recommendation-review',
    title: 'Review of a right-sizing',
    about: 'For each new right-sizing recommendation; a person decides, and the answer is kept as an event.',
    yaml: `name: Review of a right-sizing
definition:
  triggers:
    - type: optimization
      params:
        categories: [RightSizing]
  inputs:
    - id: recommendation
      type: object
      default: {}
      description: The recommendation; its trigger gives it.
  tasks:
    - id: decide
      type: core.approval
      params:
        message: "Carry out {{ Inputs.recommendation.rule_name }} for {{ Inputs.recommendation.account_object_id }}?"
        timeout: 72h
        default_on_timeout: reject
    - id: choose
      type: core.switch
      depends_on: [decide]
      params:
        expression: "{{ Tasks['decide'].output.status }}"
        cases:
          - value: approve
            next: store-approval
        default_next: store-refusal
    - id: store-approval
      type: events.store
      params:
        title: "Right-sizing approved by {{ Tasks['decide'].output.approver }}"
        priority: INFO
    - id: store-refusal
      type: core.print
      params:
        message: "Not carried out: {{ Tasks['decide'].output.comments }}"
`,
  },
  {
    id: 'fan-out',
    title: 'The same for each of a list',
    about: 'Asks several addresses at a time, three together, and prints what came of each.',
    yaml: `name: Ask several addresses
definition:
  triggers:
    - type: manual
  inputs:
    - id: addresses
      type: array
      default: ["https://example.com", "https://example.org"]
      description: What is asked.
  tasks:
    - id: each-address
      type: core.foreach
      params:
        items: "{{ Inputs.addresses }}"
        item: address
        concurrency: 3
        tasks:
          - id: ask
            type: integrations.http
            params:
              url: "{{ LoopItem.address }}"
            failure_policy:
              action: continue
    - id: report
      type: core.print
      depends_on: [each-address]
      params:
        message: "{{ Tasks['each-address'].output | tojson }}"
`,
  },
];
