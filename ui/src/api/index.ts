/**
 * The service, as pages see it.
 *
 *   const Spend = graphql(`query Spend($where: SpendGroupingsWhereRequest) { spend_groupings_v2(where: $where) { rows { billed_cost } } }`);
 *   const spend = useGraphQL(Spend, { where });   // spend.data, spend.error: ApiError, spend.isPending, spend.refetch
 *
 * Queries stand beside the page that asks (`features/<area>/queries.ts`). Types come from schema/generated/schema.graphql by
 * `npm run types` (part of `check`, `build`, `dev`); there is no step after changing a query. Amounts are `Numeric` and exact: never use
 * `+` or `Number()` on money, use `shared/decimal` and `shared/format`. A lost session brings the sign-in page by itself.
 * After an import, whoever ran it, every result is read again, so pages need no refresh of their own.
 */
export { ofCloud } from './accounts';
export { request } from './client';
export { mostTogether, requestTogether } from './together';
export { pendingChanges } from './pendingChanges';
export { copyOf, locked, useIsAway } from './offline';
export { useImportCommand } from './command';
export { ApiError, isOffline, isSignedOut, lockOf } from './error';
export { noAnswer } from './silence';
export { useLedger } from './ledger';
export type { LedgerCurrency, LedgerMonth } from './ledger';
export { inTotals } from './totals';
export { useExtent } from './extent';
export type { CostDays } from './extent';
export { isFiring, isFiringAside, useFiringEvents } from './firing';
export type { Firing } from './firing';
export type { Extent } from './extent';
export { graphql } from './graphql';
export type { Document, Json, ResultOf, VariablesOf } from './graphql';
export {
  loadSample,
  readSampleContents,
  removeSample,
  sampleKey,
  useSample,
  useSampleInFront,
  useSampleReason,
} from './sample';
export type { SampleContents, SampleData } from './sample';
export {
  chooseFiles,
  chooseFolder,
  importWaiting,
  openInBrowser,
  openModelsFolder,
  printPage,
  putBack,
  useChoose,
  useWindow,
  windowKey,
  windowOptions,
} from './host';
export type { OnClose, WaitingFile, WindowChoices, WindowState } from './host';
export { call, callHere, post, send, sendHere } from './http';
export {
  cancelImport,
  closeBatch,
  decideImport,
  dropFile,
  expectEndAgain,
  hasNewlyEnded,
  importedFile,
  previewUndo,
  readFormats,
  readImport,
  readLine,
  readSameQuestion,
  skippedRows,
  undoImport,
} from './imports';
export type {
  Amount,
  AmountChange,
  Choice,
  ChoiceName,
  ColumnFormat,
  Decision,
  DecisionReason,
  Delivery,
  FileLine,
  ImportReport,
  ImportState,
  ImportStatus,
  ImportSums,
  ReadableFormat,
  SameQuestion,
  UndoPreview,
} from './imports';
export {
  checkInstance,
  instancesKey,
  instancesOptions,
  lookAt,
  useInstanceChange,
  useInstanceInFront,
  useInstances,
} from './instances';
export type { CertificateShown, Instance, Instances, Look } from './instances';
export { listingRows } from './listing';
export { useLive } from './live';
export { useLack, useWhyNot } from './capabilities';
export type { Needs } from './capabilities';
export { useServiceAdmin } from './serviceAdmin';
export { useOriginInFront } from './origin';
export { askInstance, readAtInstance } from './instanceAnswer';
export type { InstanceAnswer } from './instanceAnswer';
export { isOwnWindow } from './ownWindow';
export { pageSize, readAll, usePaged } from './paged';
export type { Listing, Part } from './paged';
export { graphqlOptions, useGraphQL } from './query';
export { quietStates } from './pods';
export { categoryName, ruleTitle, savingsCurrency, standing } from './recommendation';
export type { Standing } from './recommendation';
export type { OfAnyVersion, Rest } from './rest';
export { samlHealthKey, samlHealthOptions, useSamlHealth } from './saml';
export type { SamlHealth } from './saml';
export {
  keepingUp,
  aboutKey,
  askWhetherThere,
  aboutOptions,
  codeOfLink,
  endSession,
  endedSession,
  followLink,
  goOnIn,
  hasCodeOfLink,
  leaveSession,
  lookForSession,
  refusedLink,
  sessionKey,
  sessionOptions,
  useSeesTenant,
  useAbout,
  useSession,
  useSignIn,
  useSignOut,
  useSignOutNews,
  useTenants,
} from './session';
export type { About, Session, TenantChoice } from './session';
export { ticketTone, useCreateTicket, useNoTicket, useTickets } from './tickets';
export type { NewTicket, Ticket, Tracker } from './tickets';
export { upload } from './upload';
export type { UploadBatch } from './upload';
export { forgetFolder, lookAtFolder, readWatched, watchBucket, watchFolder, watchedKey } from './watchedFolders';
export type { BucketKind, NewBucket, WatchedFolder, WatchedFolders } from './watchedFolders';
export { forgetMapping, keepMapping, mappingsKey, readMappings, readUnmapped, tryMapping } from './mappings';
export type { KeptMapping, MappingContent, UnmappedTable } from './mappings';
export { useSavedViews } from './views';
