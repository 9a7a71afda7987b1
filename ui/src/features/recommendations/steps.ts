import type { Json } from '@/api';
import type { Evidence } from './evidence';

/** How to apply an option: commands in order, and warnings. */
export interface Steps {
  commands: { what: string; command: string }[];
  warnings: string[];
  /** Why there is no command. */
  missing: string | null;
}

// Values come from imported files and go into a shell: only those in the exact form of AWS names are accepted.
const forms = {
  instance: /^i-[0-9a-z]{8,32}$/,
  volume: /^vol-[0-9a-z]{8,32}$/,
  region: /^[a-z]{2}(-[a-z]+)+-\d$/,
  instanceType: /^[a-z][a-z0-9-]{1,15}\.[a-z0-9-]{2,20}$/,
  volumeType: /^(gp2|gp3|io1|io2|st1|sc1|standard)$/,
};

function given(value: Json | undefined, form: RegExp): string | null {
  return typeof value === 'string' && form.test(value) ? value : null;
}

// Generations on the Xen hypervisor; all later ones run on Nitro.
const xen = /^(c1|c3|c4|cc2|cr1|d2|g2|g3|g3s|h1|hs1|i2|i3|m1|m2|m3|m4|p2|p3|r3|r4|t1|t2|x1|x1e)\./;

function none(missing: string): Steps {
  return { commands: [], warnings: [], missing };
}

/** AWS commands for the first option, if the evidence is sufficient. */
export function stepsOf(evidence: Evidence): Steps {
  if (evidence.source !== 'aws_compute_optimizer') return none('The rule of this recommendation has no command.');
  const region = given(evidence.region, forms.region);
  const [option] = evidence.options;
  if (!region || !option) return none('The file has no region or no option, so no command can be built from it.');
  if (evidence.resourceType === 'instance') return resize(evidence, region);
  if (evidence.resourceType === 'volume') return modify(evidence, region);
  return none('There is no command for this kind of resource.');
}

function resize({ resourceId, current, options }: Evidence, region: string): Steps {
  const id = given(resourceId, forms.instance);
  const type = given(options[0]?.['instance_type'], forms.instanceType);
  if (!id || !type)
    return none('The file has no instance or no type that AWS knows, so no command can be built from it.');
  const call = (action: string, rest: string) => `aws ec2 ${action} ${rest} --region ${region}`;
  const now = current['instance_type'];
  const warnings = [
    'The instance stops for some minutes. Data on instance store volumes is lost, and a public address that is not an Elastic IP changes.',
    'An instance of an Auto Scaling group is replaced instead: change the launch template.',
  ];
  if (typeof now === 'string' && xen.test(now) && !xen.test(type))
    warnings.push(`${now} runs on Xen, ${type} on Nitro: the image needs ENA and NVMe drivers, or it does not start.`);
  return {
    commands: [
      { what: 'Stop the instance', command: call('stop-instances', `--instance-ids ${id}`) },
      { what: 'Wait until it has stopped', command: call('wait instance-stopped', `--instance-ids ${id}`) },
      {
        what: `Make it ${type}`,
        command: call('modify-instance-attribute', `--instance-id ${id} --instance-type Value=${type}`),
      },
      { what: 'Start it again', command: call('start-instances', `--instance-ids ${id}`) },
    ],
    warnings,
    missing: null,
  };
}

function modify({ resourceId, current, options }: Evidence, region: string): Steps {
  const id = given(resourceId, forms.volume);
  const [option] = options;
  const type = given(option?.['volume_type'], forms.volumeType);
  if (!id || !type)
    return none('The file has no volume or no type that AWS knows, so no command can be built from it.');
  if (type === 'io1' || type === 'io2')
    return none(`An ${type} volume needs its number of IOPS, which the option does not state.`);
  const [size, proposed] = [Number(current['volume_size']), Number(option?.['volume_size'])];
  const shrinks = proposed < size;
  const grows = proposed > size;
  const changesType = type !== current['volume_type'];
  const warnings = shrinks
    ? [
        `A volume cannot be made smaller. For ${String(proposed)} GiB, create a new volume and copy the data${
          changesType ? '; the command changes the type only, and saves less than estimated' : ''
        }.`,
      ]
    : [];
  if (!changesType && !grows)
    return {
      commands: [],
      warnings,
      missing: shrinks ? 'No single command does this.' : 'The volume already matches the first option.',
    };
  if ((type === 'st1' || type === 'sc1') && Math.max(size, proposed) < 125)
    return none(`AWS makes ${type} volumes of 125 GiB or more; this one would be smaller.`);
  const parts = [
    `aws ec2 modify-volume --volume-id ${id}`,
    changesType ? `--volume-type ${type}` : '',
    grows && Number.isInteger(proposed) ? `--size ${String(proposed)}` : '',
    `--region ${region}`,
  ];
  if (grows) warnings.push('The file system inside does not grow automatically: extend it afterwards.');
  return {
    commands: [
      { what: 'Modify the volume', command: parts.filter(Boolean).join(' ') },
      {
        what: 'Check the progress',
        command: `aws ec2 describe-volumes-modifications --volume-ids ${id} --region ${region}`,
      },
    ],
    warnings,
    missing: null,
  };
}
