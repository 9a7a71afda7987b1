/** Where a recommendation stands, of its two columns: `gone` when its subject is no longer there. */
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
