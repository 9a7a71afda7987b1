// Made-up files of any size for console.mjs: a bill, the alerts of a monitoring system, the dump of a cluster, a support bundle. Nothing in them is anybody's.
import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';

const day = 86_400_000;
const today = Math.floor(Date.now() / day) * day;
const iso = (time) => new Date(time).toISOString();
const date = (time) => iso(time).slice(0, 10);

/** Writes `lines` to a file, no more at a time than the disk takes. */
async function write(file, lines) {
  const stream = createWriteStream(file);
  for (const line of lines) if (!stream.write(line)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'finish');
}

/** A bill in FOCUS of so many rows over ninety days, each `perResource` rows about one resource. */
export async function bill(file, rows, perResource = 1) {
  const head =
    'BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingAccountId,BillingAccountName,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,' +
    'ChargeCategory,ChargeDescription,ChargeFrequency,ProviderName,PublisherName,InvoiceIssuerName,ServiceCategory,ServiceName,RegionId,RegionName,ResourceId,ResourceName,ResourceType,SubAccountId,SubAccountName,Tags\n';
  const services = ['Amazon EC2', 'Amazon RDS', 'Amazon S3', 'AWS Lambda', 'Amazon EKS', 'Amazon CloudFront', 'Amazon DynamoDB', 'Amazon SQS'];
  const regions = ['us-east-1', 'eu-west-1', 'ap-south-1'];
  await write(
    file,
    (function* () {
      yield head;
      for (let row = 0; row < rows; row++) {
        const began = today - day * (1 + (row % 90));
        const [year, month] = date(began).split('-').map(Number);
        const [from, to] = [Date.UTC(year, month - 1, 1), Date.UTC(year, month, 1)].map(iso);
        const [account, service, region] = [row % 40, services[row % 8], regions[row % 3]];
        const resource = Math.floor(row / perResource);
        const cost = ((row * 7919) % 100_000) / 10_000;
        yield `${cost},${cost},${cost},${cost},USD,900000000001,Payer,${from},${to},${iso(began)},${iso(began + day)},Usage,${service} usage,Usage-Based,AWS,AWS,AWS,Compute,${service},${region},${region},` +
          `arn:bench:${resource},node-${resource}-${service.slice(-3).toLowerCase()},Instance,${100000000000 + account},Account ${account},"{""team"": ""team-${row % 12}""}"\n`;
      }
    })(),
  );
}

/** Alerts as the API of Alertmanager lists them. */
export async function alerts(file, count) {
  const names = ['KubePodCrashLooping', 'HighErrorRate', 'NodeMemoryPressure', 'CertificateExpiry', 'SlowRequests'];
  const alert = (place) => ({
    labels: {
      alertname: names[place % names.length],
      severity: ['critical', 'warning', 'info'][place % 3],
      namespace: `team-${place % 40}`,
      pod: `service-${place % 2_000}-${place}`,
    },
    annotations: { summary: `${names[place % names.length]} of service ${place % 2_000}, case ${place}` },
    startsAt: iso(today - (place % 43_200) * 60_000),
    endsAt: iso(today + 365 * day),
    updatedAt: iso(today),
    fingerprint: place.toString(16).padStart(16, '0'),
    status: { state: 'active', inhibitedBy: [], silencedBy: [] },
    receivers: [{ name: 'bench' }],
    generatorURL: 'http://prometheus.example/graph',
  });
  await write(
    file,
    (function* () {
      for (let place = 0; place < count; place++) yield `${place === 0 ? '[' : ','}${JSON.stringify(alert(place))}`;
      yield ']';
    })(),
  );
}

/** A pod of a made-up service. */
function pod(place, nodes) {
  const service = `service-${place % 2_000}`;
  const isCrashing = place % 500 === 0;
  const state = isCrashing ? { waiting: { reason: 'CrashLoopBackOff' } } : { running: { startedAt: iso(today - day) } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${service}-5c9d8f7b6-${place}`,
      namespace: `team-${place % 40}`,
      uid: `bench-pod-${place}`,
      creationTimestamp: iso(today - 10 * day),
      labels: { app: service },
      ownerReferences: [{ kind: 'ReplicaSet', name: `${service}-5c9d8f7b6`, controller: true }],
    },
    spec: {
      nodeName: `ip-10-0-${place % nodes}`,
      containers: [
        {
          name: 'main',
          image: `registry.example/${service}:1.${place % 9}`,
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
        },
      ],
    },
    status: {
      phase: 'Running',
      containerStatuses: [{ name: 'main', ready: !isCrashing, restartCount: isCrashing ? 12 : 0, state }],
    },
  };
}

const node = (place) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: `ip-10-0-${place}`, uid: `bench-node-${place}`, creationTimestamp: iso(today - 90 * day), labels: {} },
  status: {
    capacity: { cpu: '16', memory: '64Gi', pods: '110' },
    allocatable: { cpu: '16', memory: '64Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: iso(today) }],
    nodeInfo: { kubeletVersion: 'v1.31.2', osImage: 'Linux', architecture: 'amd64' },
  },
});
const namespace = (name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: `bench-${name}` }, status: { phase: 'Active' } });

/** The dump of a cluster, as `kubectl get -o json` writes it. */
export async function cluster(file, pods) {
  const nodes = Math.ceil(pods / 80);
  await write(
    file,
    (function* () {
      yield '{"apiVersion":"v1","kind":"List","items":[';
      yield JSON.stringify(namespace('kube-system'));
      for (let place = 0; place < 40; place++) yield `,${JSON.stringify(namespace(`team-${place}`))}`;
      for (let place = 0; place < nodes; place++) yield `,${JSON.stringify(node(place))}`;
      for (let place = 0; place < pods; place++) yield `,${JSON.stringify(pod(place, nodes))}`;
      yield ']}';
    })(),
  );
}

/** A support bundle whose files have so many bytes, most of them logs. */
export async function bundle(folder, file, bytes) {
  const root = join(folder, 'support-bundle');
  const resources = join(root, 'cluster-resources');
  mkdirSync(join(resources, 'pods'), { recursive: true });
  writeFileSync(join(root, 'version.yaml'), 'apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nspec:\n  versionNumber: 0.100.0\n');
  const list = (items) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  writeFileSync(join(resources, 'nodes.json'), list([0, 1, 2].map(node)));
  writeFileSync(join(resources, 'namespaces.json'), list(['kube-system', 'team-0'].map(namespace)));
  const pods = Array.from({ length: 100 }, (_, place) => pod(place * 40, 3));
  writeFileSync(join(resources, 'pods/team-0.json'), list(pods));
  const each = Math.floor(bytes / pods.length);
  for (const { metadata } of pods) {
    const logs = join(resources, 'pods/logs/team-0', metadata.name);
    mkdirSync(logs, { recursive: true });
    await write(
      join(logs, 'main.log'),
      (function* () {
        for (let written = 0, line = 0; written < each; line++) {
          const level = line % 50 === 0 ? 'ERROR' : 'INFO';
          const text = `${iso(today - day + line * 20)} ${level} request ${line * 7919} of ${metadata.name} took ${line % 900} ms, answer ${level === 'INFO' ? 200 : 503}\n`;
          written += text.length;
          yield text;
        }
      })(),
    );
  }
  execFileSync('tar', ['-czf', file, '-C', folder, 'support-bundle']);
}
