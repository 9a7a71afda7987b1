//! What operations are asked and what they answer, of `schema/operations/`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

mod allocation;
mod anomalies;
mod assistant;
mod assistant_agents;
mod assistant_costs;
mod assistant_privacy;
mod automation;
mod cloud_listings;
mod events;
mod events_listings;
mod imports;
mod insights;
mod inventory;
mod knowledge;
mod kubernetes;
mod logs;
mod models;
mod notices;
mod recommendations;
mod reports;
mod requests;
mod search;
mod spending;
mod tickets;
mod users;
mod webhooks;
mod workflows;
pub use allocation::{
    AllocationPreviewRequest, AllocationPreviewResponse, AllocationPreviewRow, AllocationSource,
    TagCoverageRequest, TagCoverageResponse, TagKeyCoverage, TagSpelling, UnitCostRow, UnitCostsRequest,
    UnitCostsResponse, VirtualTagPreviewRequest, VirtualTagPreviewResponse, VirtualTagPreviewRow,
    VirtualTagSource,
};
pub use anomalies::{
    AnomalyConfigCreateRequest, AnomalyConfigResponse, AnomalyConfigUpdateRequest, AnomalyFeedbackRequest,
    AnomalyFeedbackResponse, AnomalyGroupingResponse, AnomalyGroupingsResponse, AnomalyResponse,
    AnomalyTemplateListRequest, AnomalyTemplateListResponse, AnomalyTemplateResponse, AnomalyV3Response,
    ListAnomalyResponse, ListAnomalyV3Response, ListAnomalyV3WhereRequest, ListAnomalyWhereRequest,
    MeasuredAnomaly, SpendAnomaliesAnalyseRequest, SpendAnomaliesAnalyseResponse, SpendAnomaly,
    SpendAnomalyDay, SpendAnomalyDriver, SpendAnomalyDriversRequest, SpendAnomalyDriversResponse,
};
pub use assistant::{
    AIConversationListed, AIFollowupResponse, AIFollowupResponseData, AIGenerateWorkflowData,
    AIGenerateWorkflowRequest, AIGenerateWorkflowResponse, AIMemoryResponse, AIQuestionReference,
    AIReferenceResponse, AIResponse, AISent, AIStopInvestigationRequest, AIStopInvestigationResponse,
    AiConversationAgent, AiConversationMessage, AiConversationShell, AiConversationToolCall,
    AiFeedbackCreateRequest, AiFollowupResponseInput, AiGetConversationV3Request,
    AiGetConversationV3Response, AiMessageAttachment, DeleteLLMConversationRequest,
    DeleteLLMConversationResponse, DeleteLlmConversationByIdOutput, DeleteLlmConversationByIdRequest, Error,
    FeedbackResponse, GenerateFeedbackResponse, ListAIMemoryRequest, ListAIMemoryResponse,
    ListAIReferencesRequest, ListAIReferencesResponse, ListConversationsRequest, ListConversationsResponse,
    ListSentRequest, ListSentResponse, SaveLLMConversationRequest, SaveLLMConversationResponse, SaveResponse,
    SeedAiFollowupResult,
};
pub use assistant_agents::{
    AgentRequest, AgentRequestUpdateStruct, AiDeleteFunctionRequest, AiDeleteFunctionResponse,
    CreateAgentExtensionResponse, CreateAgentRequest, CreateAgentResponse, CreateExtensionAgentDetails,
    CreateExtensionAgentRequest, CreateFunctionInput, CreateFunctionResponse, CreateToolRequest,
    CreateToolResponse, DeleteAgentRequest, DeleteAgentResponse, DeleteToolRequest, DeleteToolResponse,
    FunctionResponse, FunctionUpdateResponse, LLMFunctionCreateResponse, ListAgentRequest, ListAgentResponse,
    ListToolRequest, ListToolResponse, RagDataInput, ToolRequest, UpdateAgentExtensionDetails,
    UpdateAgentExtensionRequest, UpdateAgentExtensionResponse, UpdateAgentRequest, UpdateAgentResponse,
    UpdateFunctionInput, UpdateToolRequest, UpdateToolRequestBody, UpdateToolResponse,
};
pub use assistant_costs::{
    AIBudgetConfigDeleteRequest, AIBudgetConfigDeleteResponse, AIBudgetConfigListRequest,
    AIBudgetConfigListResponse, AIBudgetConfigUpsertRequest, AIBudgetConfigUpsertResponse, AIBudgetLevelInfo,
    AIBudgetStatusData, AIBudgetStatusRequest, AIBudgetStatusResponse, AIBudgetSystemDefaultsResponse,
    AIDeletePriceRequest, AIDeletePriceResponse, AIDeletedPrice, AIGetConversationUsageMetricsRequest,
    AIGetConversationUsageMetricsResponse, AIGetModelConfigRequest, AIGetModelConfigResponse,
    AIListModelsRequest, AIListModelsResponse, AIListPricesResponse, AIModuleBudgetInfo, AIPrice,
    AIPriceInput, AIUpsertPriceResponse,
};
pub use assistant_privacy::{
    AIListReplacedNamesRequest, AIListReplacedNamesResponse, AIListUsageRequest, AIListUsageResponse,
    AIPreviewReplacementRequest, AIPreviewReplacementResponse, AIReplacedName, AIReplacedNames,
    AIReplacementPreview, AIUsage, AIUsageOf,
};
pub use automation::{
    AutoOptimizeGitopsConfig, AutoOptimizeInsertOne, AutoOptimizeInsertOneOutput,
    AutoOptimizeRecommendationOutput, AutoOptimizeRunRequest, AutoOptimizeRunResponse,
    AutoOptimizeSkipRequest, AutoOptimizeSkipResponse, AutoOptimizeTicketConfig, AutoOptimizeUpdateOne,
    AutoOptimizeUpdateStatusRequest, AutoOptimizeUpdateStatusResponse, AutoOptimizeWorkloadInput,
    AutoPilotPolicyDeleteInput, AutoPilotPolicyDeleteOutput, AutoPlaybookNotification,
    AutoPlaybookNotificationEnable, AutoPlaybookTaskInput, AutoRunbookEditOne, AutoRunbookInsertOne,
    AutoRunbookInsertOneOutput, AutoRunbookManualRunRequest, AutoRunbookManualRunResponse,
    AutoRunbookSkipRequest, AutoRunbookSkipResponse, AutoRunbookTaskApprovalRequestBody,
    AutoRunbookTaskApprovalResponse, AutoRunbookTaskManualRunRequest, AutoRunbookTaskManualRunResponse,
    AutoRunbookUpdateStatusRequest, AutoRunbookUpdateStatusResponse, AutopilotApprovalUpdateInput,
    AutopilotApprovalUpdateOutput, AutopilotGoogleChatNotificationConfig, AutopilotMsTeamsNotificationConfig,
    AutopilotNotification, AutopilotNotificationEnable, AutopilotResourceFilter, AutopilotSchedule,
    AutopilotSlackNotificationConfig, CreateApprovalInput, CreateApprovalOutput, ResourceFilterRequest,
    UpdateApprovalInput, UpdateApprovalOutput,
};
pub use cloud_listings::CloudResourcesV2Arguments;
pub use events::{
    BulkOperationResponse, ClassifyEventResponse, ClassifyPreviewResponse, CreateTriageRuleResponse,
    CurrentEventPreview, DeleteTriageRuleResponse, DuplicateSuggestion, EventBackfillTriageOutput,
    EventClassification, EventDeduplicateCorrelationsOutput, EventFilterResult, EventFilterValueItem,
    EventFilterValuesRequest, EventFilterValuesResponse, EventGetCorrelationsOutput,
    EventGetDuplicateSuggestionsOutput, EventGetDuplicatesOutput, EventGetTriageOutput,
    EventGetTriageRuleEventsOutput, EventGetTriageRulesOutput, EventPreviewTriageRuleOutput,
    EventResolveInput, EventResolveOutput, EventTimeline, EventTimelineOutput, EventUndoBulkOperationOutput,
    EventUpdateRequest, ExistingEventsPreview, FutureEventsPreview, GetBulkOperationStatusResponse,
    RulePreviewSampleEvent, ToggleSystemRuleOverrideResponse, TriageCorrelatedEvent, TriageDuplicateEvent,
    TriageDuplicateInfo, TriageHistoricalStats, TriageHourlyBucket, TriageRule, TriageRuleEventOutput,
    TriageRulePreview, UpdateNBStatusResponse, UpdateTriageRuleResponse,
};
pub use events_listings::EventsRowResponse;
pub use imports::{ImportDecideResponse, ImportUndoResponse};
pub use insights::{InsightApplication, InsightDetails, InsightRequest, InsightResponse};
pub use inventory::{
    CloudResourcesAccount, CloudResourcesAmount, CloudResourcesFilter, CloudResourcesPageRequest,
    CloudResourcesPageResponse, CloudResourcesPageRow, CloudResourcesTotalsRequest,
    CloudResourcesTotalsResponse, CloudResourcesValuesResponse,
};
pub use knowledge::{
    CreateAgentRagInput, CreateAgentRagOutput, CreateGCRequest, CreateGCResponse, CreateKBRequest,
    CreateKBResponse, DeleteGCRequest, DeleteGCResponse, DeleteKBRequest, DeleteKBResponse, GetGCRequest,
    GetGCResponse, GetKBRequest, GetKBResponse, GlobalContextInput, GlobalContextOutput,
    GlobalContextUpdateInput, KBPassage, KgFilterOptions, KgFilterValues, KgGetCompleteGraphInput,
    KgGetCompleteGraphOutput, KgGetFilterOptionsOutput, KgGetFilterValuesInput, KgGetFilterValuesOutput,
    KgGraph, KgSearchNodeResult, KgSearchNodesInput, KgSearchNodesOutput, KgTraverseInput, KgTraverseOutput,
    KnowledgebaseInput, KnowledgebaseOutput, KnowledgebaseUpdateInput, ListAgentKBsRequest,
    ListAgentKBsResponse, ListAgentsWithKBCountsRequest, ListAgentsWithKBCountsResponse, ListGCRequest,
    ListGCResponse, ListKBAgentMappingsRequest, ListKBAgentMappingsResponse, ListKBAgentsRequest,
    ListKBAgentsResponse, ListKBRequest, ListKBResponse, MapKBToAgentRequest, MapKBToAgentResponse,
    SearchKBData, SearchKBRequest, SearchKBResponse, UnmapKBFromAgentRequest, UnmapKBFromAgentResponse,
    UpdateGCRequest, UpdateGCResponse, UpdateKBRequest, UpdateKBResponse,
};
pub use kubernetes::{K8sClusterCost, K8sClusterCostsRequest, K8sClusterCostsResponse, K8sNodeBill};
pub use logs::{
    FetchLogLabelRequest, FetchLogLabelValuesRequest, FetchLogRequest, FetchLogResponse, LogsLevelCount,
    LogsPart, LogsPattern, LogsQueryInput, LogsSummary, LogsSummaryRequest, OutputLogLabel,
    OutputLogLabelValue, SortField,
};
pub use models::{
    AICheckModelRegistryResponse, AICreateModelProviderRequest, AIExportServiceModelRequest,
    AIExportServiceModelResponse, AIGivenModelOverride, AIImportServiceModelRequest,
    AIListModelProvidersRequest, AIListServiceModelsRequest, AIModelDownload, AIModelFailure, AIModelFile,
    AIModelNotice, AIModelOverride, AIModelOverrideInput, AIModelProvider, AIModelProviderRequest,
    AIModelProviderResponse, AIModelProviders, AIModelProvidersResponse, AIModelRegistry,
    AIMoveServiceModelsRequest, AIOrderModelProvidersRequest, AIProviderField, AIProviderKind,
    AIProviderModelsResponse, AIProviderStep, AIProviderTest, AIProviderValue, AIPullServiceModelRequest,
    AIServiceModel, AIServiceModelExport, AIServiceModelRequest, AIServiceModelResponse, AIServiceModels,
    AIServiceModelsResponse, AISetting, AISettingInput, AISourcedBoolean, AISourcedText,
    AIUpdateModelOverridesRequest, AIUpdateModelProviderRequest, AIUpdateServiceModelSettingsRequest,
    AIVerifyServiceModelRequest,
};
pub use notices::{NoticeChannelInput, NoticeChannelResult, NoticeChannelTest};
pub use recommendations::{
    ApplyRecommendationInput, ApplyRecommendationOutput, ExportRecommendationRequest,
    ExportRecommendationResponse, ProviderConfig, RecommendationFinding, RecommendationPlan,
    RecommendationStatusResponse, RecommendationUndo, RecommendationWay, RecommendationsAnalyseRequest,
    RecommendationsAnalyseResponse, SavingsLedgerCurrency, SavingsLedgerMonth, SavingsLedgerRequest,
    SavingsLedgerResponse, SavingsLedgerSum,
};
pub use reports::{ReportDocument, ReportFile, ReportRequest, ReportSent};
pub use requests::{QuerySortByRequest, QueryWhereBooleanRequest, QueryWhereStringRequest};
pub use search::{SearchEverythingRequest, SearchEverythingResponse, SearchEverythingRow};
pub use spending::{
    SpendBudgetAccount, SpendBudgetAmount, SpendBudgetDay, SpendBudgetRow, SpendBudgetThreshold,
    SpendBudgetsRequest, SpendBudgetsResponse, SpendCommitmentProposal, SpendCommitmentProposalRow,
    SpendCommitmentProposalsRequest, SpendCommitmentProposalsResponse, SpendCommitmentRow,
    SpendCommitmentTotal, SpendCommitmentsRequest, SpendCommitmentsResponse, SpendForecastAccuracy,
    SpendForecastRequest, SpendForecastResponse, SpendForecastRow, SpendForecastTotal,
};
pub use tickets::{
    InsertTicketOneResp, TicketInsertDataResp, TicketIntegrationConfigValueInput,
    TicketIntegrationCreateConfigInput, TicketIntegrationCreateConfigOutput, TicketTestConnectionOutput,
    TicketsInsertOneInput, TicketsInsertOneOutput,
};
pub use users::{
    AuthAccountRoleInput, AuthAccountUserRolesUpsertOneInput, AuthAccountUserRolesUpsertOneOutput,
    AuthK8saccountNamespaceUserRolesUpsertOneOutput, AuthK8saccountUserRolesUpsertOneInput,
    AuthTenantUserRolesUpsertOneInput, AuthTenantUserRolesUpsertOneOutput, DeleteByPkRequest,
    DeleteByPkResponse, K8saccountNamespaceRoleInput, TenantAttributeRequest, TenantAttributeResponse,
    UserAuthToken, UserAuthTokenResponse, UserHistoryInput, UserHistoryOutput, UserTokenCreateRequest,
    UserTokenCreateResponse, UserTokenDeleteRequest, UserTokenDeleteResponse, UserUpdateStatusInput,
    UserUpdateStatusOutput, UsersInsertOneInput, UsersInsertOneOutput,
};
pub use webhooks::{WebhookCreateRequest, WebhookCreateResponse, WebhookRevokeResponse, WebhookTestResponse};
pub use workflows::{
    AutomationProgram, AutomationStatus, Workflow, WorkflowApproval, WorkflowApprovalAnswerRequest,
    WorkflowApprovalAnswerResponse, WorkflowApprovalCountRequest, WorkflowApprovalCountResponse,
    WorkflowApprovalListRequest, WorkflowApprovalListResponse, WorkflowApprovalVote, WorkflowCancelRequest,
    WorkflowCancelResponse, WorkflowCountRequest, WorkflowCountResponse, WorkflowCreateRequest,
    WorkflowCreateResponse, WorkflowDefinition, WorkflowDefinitionFailurePolicyRequest,
    WorkflowDefinitionFailurePolicyResponse, WorkflowDefinitionHook, WorkflowDefinitionHookAction,
    WorkflowDefinitionHookActionRequest, WorkflowDefinitionHookRequest, WorkflowDefinitionInput,
    WorkflowDefinitionInputRequest, WorkflowDefinitionRequest, WorkflowDefinitionRetryPolicy,
    WorkflowDefinitionRetryPolicyRequest, WorkflowDefinitionRetryPolicyResponse, WorkflowDefinitionTask,
    WorkflowDefinitionTaskRequest, WorkflowDefinitionTrigger, WorkflowDefinitionTriggerRequest,
    WorkflowDeleteRequest, WorkflowDeleteResponse, WorkflowDryrunRequest, WorkflowDryrunResponse,
    WorkflowExecutionCountRequest, WorkflowExecutionCountResponse, WorkflowExecutionGetRequest,
    WorkflowExecutionGetResponse, WorkflowExecutionListRequest, WorkflowExecutionListResponse,
    WorkflowExecutionSummary, WorkflowExecutionTaskResponse, WorkflowExportResponse, WorkflowGetRequest,
    WorkflowImportRequest, WorkflowImportResponse, WorkflowListRequest, WorkflowListResponse,
    WorkflowPauseResponse, WorkflowRequest, WorkflowResumeResponse, WorkflowRetriggerRequest,
    WorkflowRetriggerResponse, WorkflowRunFromTaskRequest, WorkflowRunFromTaskResponse, WorkflowSecret,
    WorkflowSecretDeleteRequest, WorkflowSecretDeleteResponse, WorkflowSecretListResponse,
    WorkflowSecretSaveRequest, WorkflowSecretSaveResponse, WorkflowTaskDefinitionListRequest,
    WorkflowTaskDefinitionListResponse, WorkflowTaskDefinitionResponse, WorkflowTriggerRequest,
    WorkflowTriggerResponse, WorkflowUpdateRequest, WorkflowUpdateResponse, WorkflowUser,
    WorkflowValidateResponse, WorkflowYamlRequest, WorkflowYamlResponse,
};

/// What members hold.
mod prelude {
    pub use super::*;
    pub use crate::generated::lookups::*;
    pub use crate::number::Number;
    pub use serde::{Deserialize, Serialize};
    pub use uuid::Uuid;
}
