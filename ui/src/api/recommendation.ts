import type { Json } from './graphql';
import { titles } from './generated/rules';

/** The state of a recommendation, from its two columns: `gone` if its subject no longer exists. */
export type Standing = 'open' | 'done' | 'dismissed' | 'gone';

export function standing(of: { status: string | null; is_dismissed: boolean }): Standing {
  if (of.is_dismissed || of.status === 'Dismissed') return 'dismissed';
  if (of.status === 'Closed') return 'done';
  return of.status === 'Archive' ? 'gone' : 'open';
}

const categories: Record<string, string> = {
  InfraUpgrade: 'Infrastructure upgrade',
  K8sSpotRecommendation: 'Kubernetes spot',
  K8sVersionUpgrade: 'Kubernetes version',
  RightSizing: 'Right-sizing',
};

/** The category in words. */
export function categoryName(category: string | null): string {
  return category === null ? 'Without category' : (categories[category] ?? category);
}

const capitals = /\b(acm|ebs|ec2|ecs|efs|eks|elb|iam|k8s|kms|nat|rds|s3|vpc)\b/g;

/** The title of a rule; a rule of another tool without a title keeps its name, with spaces for underscores. */
export function ruleTitle(name: string | null): string | null {
  if (!name) return null;
  const known = titles[name];
  if (known !== undefined) return known;
  const pattern = Object.entries(titles).find(([key]) => key.endsWith('*') && name.startsWith(key.slice(0, -1)));
  if (pattern) return pattern[1];
  if (/\s/.test(name) || !name.includes('_')) return name;
  const words = name.replaceAll('_', ' ').replace(capitals, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The currency that an import stored with the estimate of a recommendation. */
export function savingsCurrency(document: Json): string | null {
  const currency =
    document !== null && typeof document === 'object' && !Array.isArray(document) && document['currency'];
  return typeof currency === 'string' ? currency : null;
}
