import { graphql, listed, standing, useGraphQL } from '@/api';

const OpenRecommendations = graphql(`
  query OpenRecommendations {
    recommendation_groupings_v2(columns: ["status", "is_dismissed", "count"]) {
      rows {
        status
        is_dismissed
        count
      }
    }
  }
`);

/** A count in the rail means work for this person. */
export function useOpenRecommendations(): number | undefined {
  const data = useGraphQL(OpenRecommendations, {}).data;
  if (!data) return undefined;
  const open = listed(data.recommendation_groupings_v2).filter(
    ({ status, is_dismissed }) => standing({ status, is_dismissed: is_dismissed ?? false }) === 'open',
  );
  return open.reduce((all, row) => all + (row.count ?? 0), 0);
}
