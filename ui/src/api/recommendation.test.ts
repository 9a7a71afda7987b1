import { expect, test } from 'vitest';
import { ruleTitle } from './recommendation';

test('a rule has its title, one of another tool is told in words where it can be', () => {
  for (const [name, title] of [
    ['gp2_to_gp3', 'Change gp2 volumes to gp3'],
    ['krr container app', 'Set requests of a container as KRR advises'],
    ['s3_bucket_public_access', 'S3 bucket public access'],
    ['CVE-2026-0001', 'CVE-2026-0001'],
    ['Trusted Advisor Qch7DwouX1', 'Trusted Advisor Qch7DwouX1'],
    [null, null],
  ] as const) {
    expect(ruleTitle(name)).toBe(title);
  }
});
