import { graphql } from '@/api';

/** The rules for metrics, when each was compared last, and the accounts they may belong to. */
export const AnomalyRules = graphql(`
  query AnomalyRules {
    anomaly_config(order_by: [{ enabled: desc }, { anomaly_type: asc }, { created_at: asc }]) {
      id
      cloud_account_id
      anomaly_type
      buffer_percentage
      change_operator
      reference_period
      reference_unit
      enabled
    }
    anomaly(
      where: { config_id: { _is_null: false } }
      distinct_on: [config_id]
      order_by: [{ config_id: asc }, { evaluated_at: desc }]
    ) {
      config_id
      evaluated_at
    }
    cloud_accounts(order_by: [{ account_name: asc }]) {
      id
      account_name
      cloud_provider
    }
  }
`);

/** Templates for rules. Changes nothing. */
export const RuleTemplates = graphql(`
  mutation AnomalyTemplates {
    anomaly_template_list(request: {}) {
      data {
        anomaly_type
        title
        description
        buffer_percentage
        change_operator
      }
    }
  }
`);

export const AddRule = graphql(`
  mutation AnomalyRuleAdd($request: AnomalyConfigCreateRequest!) {
    anomaly_config_create(request: $request) {
      id
    }
  }
`);

export const ChangeRule = graphql(`
  mutation AnomalyRuleChange($request: AnomalyConfigUpdateRequest!) {
    anomaly_config_update(request: $request) {
      id
    }
  }
`);

/** Undoes the creation of a rule. */
export const RemoveRule = graphql(`
  mutation AnomalyRuleRemove($id: uuid!) {
    delete_anomaly_config_by_pk(id: $id) {
      id
    }
  }
`);

/** Judges all costs anew. A second run changes nothing. */
export const JudgeAgain = graphql(`
  mutation AnomaliesJudge {
    spend_anomalies_analyse {
      series
      added
      updated
      removed
    }
  }
`);
