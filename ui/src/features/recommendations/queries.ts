import { graphql } from '@/api';

export const Recommendations = graphql(`
  query Recommendations {
    recommendation(order_by: { created_at: desc }) {
      id
      category
      rule_name
      severity
      status
      is_dismissed
      dismissed_reason
      note
      estimated_savings
      account_object_id
      recommendation
      created_at
      updated_at
      cloud_account {
        id
        account_name
        account_number
        cloud_provider
      }
      cloud_resourse {
        id
        name
        type
        region
      }
    }
  }
`);
