import { expect, test } from 'vitest';
import type { Json } from '@/api';
import { stepsOf } from './steps';
import { evidenceOf, rowsOf, valueOf } from './evidence';
import { reasonOf, titleOf, whyOf } from './title';

const instance = (over: Record<string, Json> = {}) =>
  evidenceOf({
    source: 'aws_compute_optimizer',
    resource_type: 'instance',
    resource_arn: 'arn:aws:ec2:eu-central-1:1234567890:instance/i-0c80d1b0f3a0c5c69',
    finding: 'OVER_PROVISIONED',
    currency: 'USD',
    current: { instance_type: 'm4.xlarge', vcpus: 4 },
    options: [
      { rank: 1, instance_type: 't3.xlarge', estimated_monthly_savings: '33.79', performance_risk: 3, vcpus: 2 },
      { rank: 2, instance_type: 'm5.xlarge', estimated_monthly_savings: '7.04', performance_risk: 1, vcpus: 2 },
    ],
    ...over,
  });

const volume = (current: Record<string, Json>, option: Record<string, Json>) =>
  evidenceOf({
    source: 'aws_compute_optimizer',
    resource_type: 'volume',
    resource_arn: 'arn:aws:ec2:us-west-2:123456789012:volume/vol-00e39f1234a7eadfb',
    finding: 'NotOptimized',
    current,
    options: [option],
  });

test('resizing an instance stops it, changes the type, starts it', () => {
  const { commands, warnings } = stepsOf(instance());
  expect(commands.map(({ command }) => command)).toEqual([
    'aws ec2 stop-instances --instance-ids i-0c80d1b0f3a0c5c69 --region eu-central-1',
    'aws ec2 wait instance-stopped --instance-ids i-0c80d1b0f3a0c5c69 --region eu-central-1',
    'aws ec2 modify-instance-attribute --instance-id i-0c80d1b0f3a0c5c69 --instance-type Value=t3.xlarge --region eu-central-1',
    'aws ec2 start-instances --instance-ids i-0c80d1b0f3a0c5c69 --region eu-central-1',
  ]);
  expect(warnings.at(-1)).toContain('m4.xlarge runs on Xen, t3.xlarge on Nitro');
});

test('what does not look like a name of AWS never reaches a command', () => {
  const arn = 'arn:aws:ec2:eu-central-1:1:instance/i-1;rm -rf ~';
  expect(stepsOf(instance({ resource_arn: arn })).commands).toEqual([]);
  expect(stepsOf(instance({ options: [{ instance_type: '$(id).large' }] })).commands).toEqual([]);
});

test('a volume never shrinks: only its type is changed, and that is said', () => {
  const { commands, warnings } = stepsOf(
    volume({ volume_type: 'gp2', volume_size: 80 }, { volume_type: 'gp3', volume_size: 50 }),
  );
  expect(commands[0]?.command).toBe(
    'aws ec2 modify-volume --volume-id vol-00e39f1234a7eadfb --volume-type gp3 --region us-west-2',
  );
  expect(warnings[0]).toContain('cannot be made smaller');
});

test('a smaller volume of the same type takes no single command', () => {
  const steps = stepsOf(volume({ volume_type: 'st1', volume_size: 80 }, { volume_type: 'st1', volume_size: 50 }));
  expect(steps).toMatchObject({ commands: [], missing: 'No single command does this.' });
});

test('a volume may grow', () => {
  const { commands } = stepsOf(
    volume({ volume_type: 'gp3', volume_size: 80 }, { volume_type: 'gp3', volume_size: 100 }),
  );
  expect(commands[0]?.command).toContain('--size 100');
});

test('a title says what to do, the reason why', () => {
  expect(titleOf(instance(), 'ec2_over_provisioned')).toBe('Resize m4.xlarge to t3.xlarge');
  expect(reasonOf(instance(), null)).toBe('Over-provisioned');
  expect(titleOf(evidenceOf({}), 'ec2_over_provisioned')).toBe('Make EC2 instances smaller');
});

test('functions, services and databases have titles and reasons of their own', () => {
  const of = (resource_type: string, current: Record<string, Json>, option: Record<string, Json>) =>
    evidenceOf({ source: 'aws_compute_optimizer', resource_type, finding: 'NotOptimized', current, options: [option] });
  const lambda = of('function', { memory_size: 1024 }, { memory_size: 512 });
  expect(titleOf(lambda, null)).toBe('Resize 1024 MB to 512 MB');
  expect(whyOf(lambda)[0]).toBe(
    'AWS Compute Optimizer finds a cheaper equivalent of this function: it is 1024 MB now.',
  );
  const service = of('service', { cpu: 1024, memory: 2048 }, { cpu: 512, memory: 1024 });
  expect(titleOf(service, null)).toBe('Resize 1024 CPU units, 2048 MiB to 512 CPU units, 1024 MiB');
  const database = of('db', { db_instance_class: 'db.r5.large' }, { db_instance_class: 'db.r6g.large' });
  expect(titleOf(database, null)).toBe('Resize db.r5.large to db.r6g.large');
});

test('an option with less risk than the first is named with what it saves', () => {
  expect(whyOf(instance())).toEqual([
    'AWS Compute Optimizer finds this instance over-provisioned: it is m4.xlarge now.',
    'Its first option is t3.xlarge: about $33.79 less a month, performance risk high (3 of 4).',
    'm5.xlarge carries less risk: about $7.04 less a month, performance risk low (1 of 4).',
  ]);
});

test('the table of options ends in money and risk', () => {
  expect(rowsOf(instance())).toEqual(['instance_type', 'vcpus', 'estimated_monthly_savings', 'performance_risk']);
  expect(valueOf('volume_size', 80, null)).toBe('80 GiB');
  expect(valueOf('estimated_monthly_savings', undefined, 'USD')).toBe('–');
});
