import { graphql } from '@/api';

/** The likely causes, derived by rules; with `generate` a model describes them. */
export const EventRootCause = graphql(`
  query EventRootCause($account: String!, $event: String!, $generate: Boolean!) {
    ai_get_rca(account_id: $account, event_id: $event, generate: $generate) {
      data
    }
  }
`);

/** The models available for an account. */
export const EventModels = graphql(`
  query EventModels($account: String!) {
    ai_list_models(request: { account_id: $account }) {
      data
    }
  }
`);
