import { graphql } from '@/api';

/** The likely causes, worked out by rules; with `generate` a model puts them into words. */
export const EventRootCause = graphql(`
  query EventRootCause($account: String!, $event: String!, $generate: Boolean!) {
    ai_get_rca(account_id: $account, event_id: $event, generate: $generate) {
      data
    }
  }
`);

/** The models that may be asked about an account. */
export const EventModels = graphql(`
  query EventModels($account: String!) {
    ai_list_models(request: { account_id: $account }) {
      data
    }
  }
`);
