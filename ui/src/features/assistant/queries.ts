import { graphql } from '@/api';

export const Accounts = graphql(`
  query AssistantAccounts {
    cloud_accounts(order_by: [{ account_name: asc }]) {
      id
      account_name
      cloud_provider
    }
  }
`);

export const Ready = graphql(`
  query AssistantReady($account: String!) {
    ai_list_models(request: { account_id: $account }) {
      data
    }
    ai_budget_status(request: { account_id: $account }) {
      data {
        period
        user_investigation {
          account {
            budget_limit
            current_usage
            rate_limit
          }
          tenant {
            rate_limit
          }
        }
      }
      err
    }
  }
`);

export const Conversations = graphql(`
  query AssistantConversations($account: String!) {
    ai_list_conversations(request: { account_id: $account }) {
      data {
        id
        title
        status
        updated_at
        llm_provider
        llm_model
      }
    }
  }
`);

export const Conversation = graphql(`
  query AssistantConversation(
    $account: uuid!
    $accountText: String!
    $conversation: uuid!
    $conversationText: String!
  ) {
    ai_get_conversation_v3(request: { account_id: $account, conversation_id: $conversation }) {
      conversation {
        user_display_name
      }
      messages {
        id
        message
        role
        status
        status_reason
        unproved
        created_at
      }
      tool_calls {
        agent_id
        thought
        references
        status
        response
      }
    }
    ai_list_references(request: { account_id: $accountText, conversation_id: $conversationText, limit: 1000 }) {
      data {
        message_id
        content
        type
      }
    }
    ai_list_sent(request: { account_id: $accountText, conversation_id: $conversationText }) {
      data {
        id
        sent_at
        host
        model
        left_machine
        size_bytes
        replaced_names
        status
        cost
      }
    }
  }
`);

export const RemoveConversation = graphql(`
  mutation RemoveConversation($conversation: uuid!) {
    ai_delete_llm_conversation_by_id(request: { conversation_id: $conversation }) {
      data {
        success
      }
    }
  }
`);

export const Contexts = graphql(`
  query AssistantContexts($account: String!) {
    ai_list_gc(request: { account_id: $account }) {
      data {
        id
        name
        data
        data_format
        status
        updated_at
      }
    }
    ai_list_memory(request: { account_id: $account }) {
      data {
        id
        memory_type
        content
        created_at
        conversation_id
      }
    }
  }
`);

export const AddContext = graphql(`
  mutation AddAssistantContext($account: String!, $context: GlobalContextInput!) {
    ai_create_gc(request: { account_id: $account, global_context: $context }) {
      data {
        id
      }
    }
  }
`);

export const ChangeContext = graphql(`
  mutation ChangeAssistantContext($account: String!, $context: GlobalContextUpdateInput!) {
    ai_update_gc(request: { account_id: $account, global_context: $context }) {
      data
    }
  }
`);

export const RemoveContext = graphql(`
  mutation RemoveAssistantContext($account: String!, $id: String!) {
    ai_delete_gc(request: { account_id: $account, id: $id }) {
      data
    }
  }
`);

export const Sent = graphql(`
  query AssistantSent($account: String!, $id: String!) {
    ai_list_sent(request: { account_id: $account, id: $id }) {
      data {
        payload
      }
    }
  }
`);

export const Bases = graphql(`
  query KnowledgeBases($account: String!) {
    ai_list_kb(request: { account_id: $account }) {
      data {
        id
        name
        data_filename
        data_format
        data_size_bytes
        status
        status_reason
        passages
        updated_at
      }
    }
  }
`);

export const RemoveBase = graphql(`
  mutation RemoveKnowledgeBase($account: String!, $id: String!) {
    ai_delete_kb(request: { account_id: $account, id: $id }) {
      data
    }
  }
`);

export const Passages = graphql(`
  query KnowledgePassages($account: String!, $query: String!) {
    ai_search_kb(request: { account_id: $account, query: $query }) {
      data {
        by_meaning
        passages {
          id
          kb_name
          place
          text
        }
      }
    }
  }
`);

export const Events = graphql(`
  query CauseEvents($account: uuid!) {
    events(where: { cloud_account_id: { _eq: $account } }, order_by: [{ starts_at: desc }], limit: 50) {
      id
      title
      starts_at
      status
      subject_name
    }
  }
`);

/** The account of the newest event: the page of causes starts with it. */
export const NewestEvent = graphql(`
  query NewestEvent {
    events(where: { cloud_account_id: { _is_null: false } }, order_by: [{ starts_at: desc_nulls_last }], limit: 1) {
      cloud_account_id
    }
  }
`);

export const Cause = graphql(`
  query EventCause($account: String!, $event: String!, $generate: Boolean!) {
    ai_get_rca(account_id: $account, event_id: $event, generate: $generate) {
      data
    }
  }
`);
