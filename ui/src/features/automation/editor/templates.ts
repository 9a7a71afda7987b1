/** A workflow template: description and text. */
export interface Template {
  id: string;
  title: string;
  about: string;
  yaml: string;
}

/** Templates that run unchanged, or after replacing the values in capitals; the service validates each one when it is opened. */
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
    about: 'Every five minutes: stores an event when the address does not return 200.',
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
    about: 'For each new high-severity event: opens a ticket after approval, and closes it when the event ends.',
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
    about: 'Every weekday morning: searches imported logs and stores one event when there are errors.',
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
    about: 'For each new right-sizing recommendation: a person decides, and the answer is stored as an event.',
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
    title: 'Repeat for each item of a list',
    about: 'Requests several addresses, three at a time, and prints the results.',
    yaml: `name: Ask several addresses
definition:
  triggers:
    - type: manual
  inputs:
    - id: addresses
      type: array
      default: ["https://example.com", "https://example.org"]
      description: The addresses to request.
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
  {
    id: 'cost-anomaly',
    title: 'Cost anomaly opens an event and posts to a channel',
    about: 'For each cost anomaly: stores an event and posts to a channel from Settings, Notifications.',
    yaml: `name: Cost anomalies to a channel
definition:
  triggers:
    - type: anomaly
      params:
        scopes: [service, total]
  inputs:
    - id: anomaly
      type: object
      default: {}
      description: The anomaly; its trigger gives it.
    - id: channel
      type: string
      default: CHANNEL
      description: Name of a channel of Settings, Notifications.
  tasks:
    - id: store-event
      type: events.store
      params:
        title: "Cost of {{ Inputs.anomaly.name }}: {{ Inputs.anomaly.current_value }} instead of {{ Inputs.anomaly.reference_value }} {{ Inputs.anomaly.currency }}"
        priority: MEDIUM
        aggregation_key: cost-anomaly
        fingerprint: "cost-anomaly {{ Inputs.anomaly.id }}"
    - id: tell-channel
      type: notifications.im
      depends_on: [store-event]
      params:
        provider: slack
        channel: "{{ Inputs.channel }}"
        message: "{{ Inputs.anomaly.name }} costs {{ Inputs.anomaly.current_value }} {{ Inputs.anomaly.currency }}; {{ Inputs.anomaly.reference_value }} was expected"
`,
  },
  {
    id: 'budget-mail',
    title: 'Mail when a budget reaches 80%',
    about:
      'When a bill or a forecast reaches 80% of a budget: sends mail through a channel from Settings, Notifications.',
    yaml: `name: Mail at 80% of a budget
definition:
  triggers:
    - type: budget
      params:
        percent: 80
        on: [actual, forecast]
  inputs:
    - id: budget
      type: object
      default: {}
      description: The budget; its trigger gives it.
    - id: recipients
      type: string
      default: team@example.com
      description: Addresses, with commas between them.
  tasks:
    - id: send-mail
      type: notifications.email
      params:
        recipients: "{{ Inputs.recipients }}"
        subject: "Budget {{ Inputs.budget.name }}: {{ Inputs.budget.percent }}% by {{ 'forecast' if Inputs.budget.on == 'forecast' else 'bill' }}"
        body: "{{ Inputs.budget | to_nice_json }}"
`,
  },
  {
    id: 'rightsizing-pull-request',
    title: 'Right-sizing becomes a pull request',
    about:
      'Started by hand: after approval, reduces CPU and memory of a workload in its manifest and waits for the merge.',
    yaml: `name: Right-sizing as a pull request
definition:
  triggers:
    - type: manual
  inputs:
    - id: namespace
      type: string
      default: NAMESPACE
    - id: workload
      type: string
      default: DEPLOYMENT
    - id: repository
      type: string
      default: OWNER/REPOSITORY
      description: The repository on GitHub that holds the manifest.
    - id: cpu
      type: string
      default: 100m
    - id: memory
      type: string
      default: 256Mi
  tasks:
    - id: approve
      type: core.approval
      params:
        message: "Ask for {{ Inputs.cpu }} and {{ Inputs.memory }} in {{ Inputs.namespace }}/{{ Inputs.workload }}?"
        timeout: 72h
        default_on_timeout: reject
    - id: open-pull-request
      type: k8s.vertical_rightsize
      depends_on: [approve]
      if: "{{ Tasks.approve.output.status == 'approve' }}"
      params:
        namespace: "{{ Inputs.namespace }}"
        kind: Deployment
        name: "{{ Inputs.workload }}"
        cpu: { request: "{{ Inputs.cpu }}" }
        memory: { request: "{{ Inputs.memory }}" }
        gitops_config:
          enabled: true
          provider: github
          repository_name: "{{ Inputs.repository }}"
          path: "deploy/{{ Inputs.namespace }}/{{ Inputs.workload }}.yaml"
    - id: await-merge
      type: scm.get_pull_request
      depends_on: [open-pull-request]
      if: "{{ Tasks['open-pull-request'].status == 'COMPLETED' }}"
      params:
        provider: github
        repository: "{{ Inputs.repository }}"
        number: "{{ Tasks['open-pull-request'].output.number }}"
        until: merged
      failure_policy:
        retry:
          initial_interval: 5m
          maximum_interval: 1h
          maximum_attempts: 200
          non_retryable_error_types: [PullRequestClosed]
`,
  },
  {
    id: 'night-scale',
    title: 'Scale a workload down at night',
    about: 'No replicas from 19:00, two from 07:00 on weekdays. Needs kubectl among the allowed programs.',
    yaml: `name: Staging sleeps at night
definition:
  triggers:
    - type: schedule
      params:
        cron: "0 19 * * 1-5"
        timezone: Europe/Berlin
        copies: 0
    - type: schedule
      params:
        cron: "0 7 * * 1-5"
        timezone: Europe/Berlin
        copies: 2
  inputs:
    - id: copies
      type: integer
      default: 2
      description: How many copies; each schedule gives its own.
    - id: namespace
      type: string
      default: staging
    - id: workload
      type: string
      default: web
  tasks:
    - id: scale
      type: k8s.horizontal_rightsize
      params:
        namespace: "{{ Inputs.namespace }}"
        kind: Deployment
        name: "{{ Inputs.workload }}"
        scaling_mode: change_to
        change_to: "{{ Inputs.copies }}"
    - id: store-event
      type: events.store
      depends_on: [scale]
      params:
        title: "{{ Inputs.namespace }}/{{ Inputs.workload }} has {{ Inputs.copies }} copies"
        priority: INFO
        aggregation_key: night-scale
`,
  },
  {
    id: 'certificate-check',
    title: 'Certificates that expire soon',
    about: 'Every Monday: checks the certificate of each host and stores an event when it expires within three weeks.',
    yaml: `name: Certificates that end soon
definition:
  triggers:
    - type: schedule
      params:
        cron: "0 7 * * 1"
  inputs:
    - id: hosts
      type: array
      default: [example.com, example.org]
      description: Hosts to check, on port 443.
  tasks:
    - id: each-host
      type: core.foreach
      params:
        items: "{{ Inputs.hosts }}"
        item: host
        concurrency: 5
        tasks:
          - id: look
            type: network.ssl
            params:
              host: "{{ LoopItem.host }}"
            failure_policy:
              action: continue
          - id: store-event
            type: events.store
            depends_on: [look]
            if: "{{ Tasks.look.status == 'FAILED' or Tasks.look.output.days_left < 21 }}"
            params:
              title: "The certificate of {{ LoopItem.host }} ends soon or could not be read"
              description: "{{ Tasks.look.output | to_json }}"
              priority: HIGH
              fingerprint: "certificate {{ LoopItem.host }}"
`,
  },
];
