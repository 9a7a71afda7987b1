import { instanceInFront } from '@/shared/place';
import { ApiError } from './error';
import { textOf } from './graphql';
import type { Document } from './graphql';
import { post } from './http';
import { countChange } from './pendingChanges';

const path = '/api/graphql';

interface Answer<Result> {
  data?: Result | null;
  errors?: { message: string; path?: (string | number)[] }[];
}

/** Runs a query and throws the first error of the response: a page shows a complete result or an error. */
export async function request<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Result> {
  const query = textOf(document);
  const sent = post<Answer<Result>>(path, { query, variables }, signal);
  const answer = await (query.trimStart().startsWith('mutation') ? countChange(sent) : sent);
  const failure = answer.errors?.[0];
  if (failure) {
    const field = failure.path?.join('.');
    const isUnknown = failure.message.includes('not found in type');
    // This service supports everything its pages request: unknown fields are hidden from the role.
    if (isUnknown && !instanceInFront)
      throw new ApiError(
        'not_for_role',
        'Your role does not include this. An administrator of the tenant can give you another role under Users & roles.',
        200,
        path,
      );
    // The pages have the version of this computer: they cannot show what another version does not support.
    if (isUnknown)
      throw new ApiError(
        'other_version',
        `This instance runs another version, which does not support this page (${failure.message}). Compare the versions under Settings, Instances.`,
        200,
        path,
      );
    throw new ApiError('graphql', field ? `${failure.message} (field ${field})` : failure.message, 200, path);
  }
  if (!answer.data) throw new ApiError('graphql', 'The response contains no data.', 200, path);
  return answer.data;
}
