import { useMutation, useQueryClient } from '@tanstack/react-query';
import { graphql, request } from '@/api';
import type { ApiError, ResultOf } from '@/api';

/** The accounts a person may look at, and the tenant's own settings of the assistant. */
export const Start = graphql(`
  query PrivacyStart {
    cloud_accounts(order_by: [{ account_name: asc }]) {
      id
      account_name
      cloud_provider
    }
    tenant {
      id
      name
      tenant_attrs(where: { name: { _in: ["assistant_replace_names", "assistant_replace_words"] } }) {
        name
        value
      }
    }
  }
`);

export type Account = ResultOf<typeof Start>['cloud_accounts'][number];

export const Preview = graphql(`
  query PrivacyPreview($account: String!, $text: String!) {
    ai_preview_replacement(request: { account_id: $account, text: $text }) {
      data {
        text
        replaced {
          name
          token
        }
      }
    }
  }
`);

export const Replaced = graphql(`
  query PrivacyReplaced($search: String!) {
    ai_list_replaced_names(request: { search: $search, limit: 200 }) {
      data {
        total
        names {
          name
          token
        }
      }
    }
  }
`);

/** The state of one limit, of the tenant or an account. */
const LevelFields = graphql(`
  fragment PrivacyLevel on AIBudgetLevelInfo {
    budget_limit
    budget_enabled
    current_usage
    limit_source
    rate_limit
    reached
    budget_disabled
    daily_limit
    daily_usage
    session_limit
    sessions
    daily_session_limit
    daily_sessions
  }
`);

export const Budgets = graphql(
  `
    query PrivacyBudgets($account: String!) {
      ai_budget_status(request: { account_id: $account }) {
        data {
          period
          tenant_id
          account_id
          investigation {
            tenant {
              ...PrivacyLevel
            }
            account {
              ...PrivacyLevel
            }
          }
          user_investigation {
            tenant {
              ...PrivacyLevel
            }
            account {
              ...PrivacyLevel
            }
          }
        }
        err
      }
      ai_list_usage(request: {}) {
        data {
          people {
            id
            name
            requests
            input_tokens
            output_tokens
            bytes_left
            cost
            unpriced
          }
          models {
            id
            name
            requests
            input_tokens
            output_tokens
            bytes_left
            cost
            unpriced
          }
        }
      }
      ai_list_prices {
        data {
          id
          provider
          model
          input
          output
          cached_input
          cache_creation
        }
      }
    }
  `,
  [LevelFields],
);

type BudgetsResult = ResultOf<typeof Budgets>;
export type Level = NonNullable<NonNullable<BudgetsResult['ai_budget_status']>['data']>['investigation']['tenant'];
export type Use = NonNullable<NonNullable<BudgetsResult['ai_list_usage']>['data']>['people'][number];
export type Price = NonNullable<NonNullable<BudgetsResult['ai_list_prices']>['data']>[number];

export const Sent = graphql(`
  query PrivacySent($account: String!) {
    ai_list_sent(request: { account_id: $account }) {
      data {
        id
        conversation_id
        sent_at
        provider
        model
        host
        left_machine
        size_bytes
        replaced_names
        status
        status_reason
        input_tokens
        output_tokens
        cost
      }
    }
  }
`);

export type SentRow = NonNullable<NonNullable<ResultOf<typeof Sent>['ai_list_sent']>['data']>[number];

export const Payload = graphql(`
  query PrivacyPayload($account: String!, $id: String!) {
    ai_list_sent(request: { account_id: $account, id: $id }) {
      data {
        payload
      }
    }
  }
`);

/** Available models with their providers. */
export const Models = graphql(`
  query PrivacyModels($account: String!) {
    ai_list_models(request: { account_id: $account }) {
      data
    }
  }
`);

const SetAttribute = graphql(`
  mutation PrivacySetAttribute($name: String!, $value: String!) {
    tenant_attribute_upsert(object: [{ name: $name, value: $value }]) {
      id
    }
  }
`);

const SetLimits = graphql(`
  mutation PrivacySetLimits($limits: AIBudgetConfigUpsertRequest!) {
    ai_upsert_budget_config(request: $limits) {
      data
    }
  }
`);

const Limits = graphql(`
  query PrivacyLimits($type: String!, $id: String!, $module: String!) {
    ai_list_budget_config(request: { entity_type: $type, entity_id: $id, module: $module }) {
      data
    }
  }
`);

const RemoveLimits = graphql(`
  mutation PrivacyRemoveLimits($id: String!) {
    ai_delete_budget_config(request: { id: $id }) {
      data
    }
  }
`);

const SetPrice = graphql(`
  mutation PrivacySetPrice($price: AIPriceInput!) {
    ai_upsert_price(request: $price) {
      data {
        id
      }
    }
  }
`);

const RemovePrice = graphql(`
  mutation PrivacyRemovePrice($id: String!) {
    ai_delete_price(request: { id: $id }) {
      data {
        id
      }
    }
  }
`);

/** The scope of limits: the tenant or an account, for sessions started by events or for all. */
export interface Whose {
  type: 'tenant' | 'account';
  id: string;
  module: 'investigation' | 'user_investigation';
}

/** Limits to set; a number of null is not looked at. */
export interface NewLimits {
  disabled: boolean;
  monthly: string | null;
  daily: string | null;
  sessions: string | null;
  dailySessions: string | null;
}

export type PriceInput = Record<'provider' | 'model' | 'input' | 'output', string> &
  Record<'cached_input' | 'cache_creation', string | null>;

export type Act =
  | { act: 'attribute'; name: 'assistant_replace_names' | 'assistant_replace_words'; value: string }
  | { act: 'limits'; whose: Whose; limits: NewLimits }
  | { act: 'no limits'; whose: Whose }
  | { act: 'price'; price: PriceInput }
  | { act: 'no price'; id: string };

async function run(wanted: Act): Promise<unknown> {
  switch (wanted.act) {
    case 'attribute':
      return request(SetAttribute, { name: wanted.name, value: wanted.value });
    case 'limits': {
      const { whose, limits } = wanted;
      const cost = (value: string | null) => (value === null ? null : Number(value));
      return request(SetLimits, {
        limits: {
          entity_type: whose.type,
          entity_id: whose.id,
          module: whose.module,
          budget_disabled: limits.disabled,
          monthly_cost_limit: cost(limits.monthly),
          monthly_cost_enabled: limits.monthly !== null,
          daily_cost_limit: cost(limits.daily),
          daily_cost_enabled: limits.daily !== null,
          monthly_count_limit: cost(limits.sessions),
          monthly_count_enabled: limits.sessions !== null,
          daily_count_limit: cost(limits.dailySessions),
          daily_count_enabled: limits.dailySessions !== null,
        },
      });
    }
    case 'no limits': {
      const { type, id, module } = wanted.whose;
      const { ai_list_budget_config: found } = await request(Limits, { type, id, module });
      const rows = (found?.data ?? []) as { id: string }[];
      return Promise.all(rows.map((row) => request(RemoveLimits, { id: row.id })));
    }
    case 'price':
      return request(SetPrice, { price: wanted.price });
    case 'no price':
      return request(RemovePrice, { id: wanted.id });
  }
}

/** Runs a change and reloads the data of the page. */
export function useAct() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, Act>({
    mutationFn: run,
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql'] }),
  });
}
