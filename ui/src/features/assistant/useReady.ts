import { useQuery } from '@tanstack/react-query';
import { graphqlOptions } from '@/api';
import type { Json } from '@/api';
import type { Numeric } from '@/shared';
import { Ready } from './queries';
import type { Model } from './types';

/** The available models, and the cost so far. */
export interface Standing {
  provider: string;
  model: string;
  /** `YYYY-MM` */
  period: string;
  used: Numeric;
  limit: Numeric | null;
  /** Whether models without a price were used, which makes the cost incomplete. */
  hasUnpriced: boolean;
  /** Whether the limit of the day or month is used up. */
  isSpent: boolean;
  /** Every model that can be chosen, the usual one first. */
  models: readonly Choice[];
}

export interface Choice extends Model {
  name: string;
}

interface Models {
  models?: { provider: string; provider_name?: string; model: string; is_default?: boolean }[];
}

/** Whether a model is set up for an account, and which. */
export function useReady(account: string | undefined) {
  // Reloaded on every visit: a provider may just have been set up in Settings.
  const options = graphqlOptions(Ready, { account: account ?? '' }, { enabled: account !== undefined });
  const query = useQuery({ ...options, staleTime: 0 });
  const listed = query.data?.ai_list_models?.data as (Json & Models) | null | undefined;
  const model = (listed as Models | null | undefined)?.models?.[0];
  const budget = query.data?.ai_budget_status?.data;
  const standing: Standing | null = model
    ? {
        provider: model.provider_name ?? model.provider,
        model: model.model,
        period: budget?.period ?? '',
        used: budget?.user_investigation.account.current_usage ?? 0,
        limit: budget?.user_investigation.account.budget_limit ?? null,
        hasUnpriced: ((query.data?.ai_budget_status?.err ?? []) as unknown[]).length > 0,
        isSpent: Boolean(budget?.user_investigation.account.rate_limit || budget?.user_investigation.tenant.rate_limit),
        models: (listed?.models ?? []).map((one) => ({
          llm_provider: one.provider,
          llm_model: one.model,
          name: `${one.model}, ${one.provider_name ?? one.provider}`,
        })),
      }
    : null;
  return { query, standing };
}
