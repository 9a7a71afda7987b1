import { graphql, useGraphQL } from '@/api';

const OpenRecommendations = graphql(`
  query OpenRecommendations {
    recommendation_aggregate(where: { is_dismissed: { _eq: false }, status: { _in: [Open, Assigned, InProgress] } }) {
      aggregate {
        count
      }
    }
  }
`);

/** A count in the rail means work for this person. */
export function useOpenRecommendations(): number | undefined {
  return useGraphQL(OpenRecommendations, {}).data?.recommendation_aggregate.aggregate?.count;
}
